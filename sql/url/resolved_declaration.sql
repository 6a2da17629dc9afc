-- stage:      resolved_declaration
-- reads:      current_page, declaration, page_document, redirect_chain
-- cost:       joins over the keys that declare or are declared
-- why:        a declaration counts in its simple and certain forms: a permanent redirect, or a
--             canonical on the same host, to a fetched page that passed the gate. Every other one
--             keeps its row and its reason; the first that applies is written.
-- [generated from src/schema.rs, do not edit]
-- writes:     resolved_declaration  one row a declaration
-- key:        url_key, kind, target_url
-- column:     url_key         varchar  not null  key that declares
-- column:     kind            varchar  not null  redirect, refresh or canonical
-- column:     target_url      varchar  not null  absolute address as declared
-- column:     target_key      varchar            its key; NULL when refused
-- column:     final_key       varchar            key at the end of its redirects
-- column:     fetch_status    int                HTTP status of the declaring fetch
-- column:     fetches         bigint   not null  fetches that say so
-- column:     key             bigint   not null  number of the declaring key
-- column:     final           bigint             number of the key at the end
-- column:     document        bigint             document of the declaring key
-- column:     final_document  bigint             document of the key at the end
-- column:     refused         varchar            why it joins nothing, texts apart
-- [end]
with

newest as (

    select
        declaration.url_key,
        declaration.kind,
        max(coalesce(declaration.newest, to_timestamp(0))) as newest
    from declaration
    group by declaration.url_key, declaration.kind

),

latest as (

    select
        declaration.url_key,
        declaration.kind,
        min(declaration.target_key) <> max(declaration.target_key) as is_several
    from declaration
    inner join newest
        on declaration.url_key = newest.url_key
        and declaration.kind = newest.kind
        and coalesce(declaration.newest, to_timestamp(0)) = newest.newest
    group by declaration.url_key, declaration.kind

),

target as (

    select
        declaration.url_key,
        declaration.kind,
        declaration.target_url,
        declaration.target_key,
        coalesce(own_chain.final_key, redirect_chain.final_key, declaration.target_key)
            as final_key,
        declaration.fetch_status,
        declaration.fetches,
        declaration.newest,
        declaration.is_usable,
        coalesce(declaration.newest, to_timestamp(0)) = newest.newest as is_latest,
        coalesce(latest.is_several, false) as is_several,
        coalesce(own_chain.is_open, redirect_chain.is_open, false) as is_open,
        coalesce(own_chain.is_permanent, declaration.kind <> 'redirect') as is_permanent
    from declaration
    inner join newest
        on declaration.url_key = newest.url_key
        and declaration.kind = newest.kind
    inner join latest
        on declaration.url_key = latest.url_key
        and declaration.kind = latest.kind
    left join redirect_chain
        on declaration.target_key = redirect_chain.url_key
    left join redirect_chain as own_chain
        on declaration.url_key = own_chain.url_key
        and declaration.target_key = own_chain.target_key
        and declaration.kind <> 'canonical'

)

select
    target.url_key,
    target.kind,
    target.target_url,
    target.target_key,
    target.final_key,
    target.fetch_status,
    target.fetches,
    own.key,
    final_page.key as final,
    own_document.document,
    final_document.document as final_document,
    case
        when target.target_key is null then 'target_refused'
        when not target.is_usable then 'unusable'
        when not target.is_latest then 'older'
        when target.is_several then 'several'
        when target.kind <> 'canonical'
            and not coalesce(own.newest_page < target.newest, own.gate <> 'ok') then 'stale'
        when target.kind = 'canonical'
            and coalesce(own.newest_ok > target.newest, false) then 'older'
        when target.is_open then 'endless'
        when target.final_key = target.url_key then 'own_key'
        when not target.is_permanent then 'temporary'
        when target.kind = 'canonical'
            and url_key(target.url_key, 'safe')['host']
                is distinct from url_key(target.final_key, 'safe')['host'] then 'other_host'
        when final_page.gate is null then 'target_unknown'
        when final_page.gate <> 'ok' then 'target_gate'
    end as refused
from target
inner join current_page as own
    on target.url_key = own.url_key
left join page_document as own_document
    on own.page = own_document.page
left join current_page as final_page
    on target.final_key = final_page.url_key
left join page_document as final_document
    on final_page.page = final_document.page
