-- stage:      url_edge
-- reads:      edge, resolved_declaration
-- cost:       one join on numbers
-- why:        what a URL says of another, and whether it joins them. A canonical also needs texts
--             that are equal or near; a redirect has no text of its own.
-- [generated from src/schema.rs, do not edit]
-- writes:     url_edge  one row a key, a kind and a target that its fetches declare
-- key:        url_key, kind, target_url
-- column:     url_key       varchar  not null  key that declares
-- column:     kind          varchar  not null  redirect, refresh or canonical
-- column:     target_url    varchar  not null  absolute address as declared
-- column:     target_key    varchar            its key; NULL when refused
-- column:     final_key     varchar            key at the end of its redirects
-- column:     fetch_status  int                HTTP status of the declaring fetch
-- column:     fetches       bigint   not null  fetches that say so
-- column:     resemblance   double             exact resemblance of both texts
-- column:     outcome       varchar  not null  accepted or refused
-- column:     refused       varchar            why it joins nothing
-- [end]
with

compared as (

    select
        resolved_declaration.url_key,
        resolved_declaration.kind,
        resolved_declaration.target_url,
        resolved_declaration.target_key,
        resolved_declaration.final_key,
        resolved_declaration.fetch_status,
        resolved_declaration.fetches,
        case
            when resolved_declaration.kind <> 'canonical' then null
            when resolved_declaration.document = resolved_declaration.final_document
                then cast(1 as double)
            else cast(edge.shared as double) / cast(edge.joined as double)
        end as resemblance,
        resolved_declaration.refused,
        edge.guard
    from resolved_declaration
    left join edge
        on least(resolved_declaration.document, resolved_declaration.final_document)
            = edge.left_document
        and greatest(resolved_declaration.document, resolved_declaration.final_document)
            = edge.right_document

),

judged as (

    select
        compared.url_key,
        compared.kind,
        compared.target_url,
        compared.target_key,
        compared.final_key,
        compared.fetch_status,
        compared.fetches,
        compared.resemblance,
        case
            when compared.refused is not null then compared.refused
            when compared.kind = 'canonical' and compared.resemblance is null
                then 'different_text'
            when compared.kind = 'canonical' and compared.guard is not null then 'guard'
        end as refused
    from compared

)

select
    judged.url_key,
    judged.kind,
    judged.target_url,
    judged.target_key,
    judged.final_key,
    judged.fetch_status,
    judged.fetches,
    judged.resemblance,
    case when judged.refused is null then 'accepted' else 'refused' end as outcome,
    judged.refused
from judged
