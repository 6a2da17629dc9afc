-- stage:      host_page
-- reads:      closure_edge, document_cluster, edge, page, page_document, page_trait, text
-- invariant:  rooted  starts_with(path, '/')
-- cost:       one group-by over the pages of hosts, joins on numbers
-- why:        what a host shows under each path. Pages of one content are equal texts, or members
--             of one cluster that may replace each other; versions may not. A key that holds
--             credentials names no host
-- [generated from src/schema.rs, do not edit]
-- writes:     host_page  one row a key of a host: what it shows now
-- key:        host, path
-- column:     host          varchar    not null  scheme, name and port
-- column:     path          varchar    not null  rest of the key
-- column:     page          bigint     not null  newest page that passed the gate, else the
--                                                smallest
-- column:     gate          varchar    not null  gate of that page
-- column:     document      bigint               document of the page
-- column:     content       bigint               document that it may be replaced by
-- column:     tokens        int        not null  tokens of the main text
-- column:     language      varchar              language of the main text, if sure
-- column:     full_digest   binary               xxh3-128 of all visible text
-- column:     full_simhash  bigint               SimHash of all visible text
-- column:     newest        timestamp            newest fetch of the page
-- [end]
with

-- Only members that may replace the medoid are its content.
merged as (

    select
        document_cluster.document,
        document_cluster.medoid
    from document_cluster
    inner join edge
        on least(document_cluster.document, document_cluster.medoid) = edge.left_document
        and greatest(document_cluster.document, document_cluster.medoid) = edge.right_document
    where edge.tier = 'merge'
    union all
    select
        document_cluster.document,
        document_cluster.medoid
    from document_cluster
    inner join closure_edge
        on least(document_cluster.document, document_cluster.medoid)
            = closure_edge.left_document
        and greatest(document_cluster.document, document_cluster.medoid)
            = closure_edge.right_document
    where closure_edge.tier = 'merge'

),

current_key as (

    select
        page.url_key,
        split_part(page.url_key, '/', 1) || '//' || split_part(page.url_key, '/', 3) as host,
        first_value(
            page.page
            order by
                case when page.gate = 'ok' then 0 else 1 end,
                page.newest_ok desc nulls last,
                page.page
        ) as page
    from page
    where page.host is not null
        and strpos(split_part(page.url_key, '/', 3), '@') = 0
    group by page.url_key

)

select
    current_key.host,
    substr(current_key.url_key, character_length(current_key.host) + 1) as path,
    current_key.page,
    page.gate,
    page_document.document,
    coalesce(merged.medoid, page_document.document) as content,
    coalesce(text.tokens, cast(0 as int)) as tokens,
    page_trait.language,
    page.full_digest,
    page.full_simhash,
    page.newest
from current_key
inner join page
    on current_key.page = page.page
left join page_document
    on current_key.page = page_document.page
left join text
    on page_document.document = text.document
left join merged
    on page_document.document = merged.document
left join page_trait
    on current_key.page = page_trait.page
