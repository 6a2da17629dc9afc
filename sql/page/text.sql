-- stage:      text
-- reads:      fetch_fingerprint, page, page_document, page_trait, reduced
-- cost:       joins on numbers
-- why:        everything below compares documents, so equal texts are compared once
-- [generated from src/schema.rs, do not edit]
-- [end]
with

delegate as (

    select
        page_document.document,
        page.fetch
    from page_document
    inner join page
        on page_document.page = page.page
    where page_document.document = page_document.page

),

place as (

    select
        page_document.document,
        case when min(page.host) = max(page.host) then min(page.host) end as host,
        count(distinct page.host) as hosts
    from page_document
    inner join page
        on page_document.page = page.page
    group by page_document.document

)

select
    delegate.document,
    delegate.fetch,
    coalesce(reduced.tokens, fetch_fingerprint.tokens) as tokens,
    coalesce(reduced.scripts, fetch_fingerprint.scripts) as scripts,
    case when reduced.page is null then fetch_fingerprint.simhash else reduced.simhash end
        as simhash,
    coalesce(reduced.buckets, fetch_fingerprint.buckets) as buckets,
    coalesce(reduced.slots, fetch_fingerprint.slots) as slots,
    coalesce(reduced.samples, fetch_fingerprint.samples) as samples,
    place.host,
    place.hosts,
    page_trait.title,
    page_trait.language,
    coalesce(page_trait.product_ids, cast([] as varchar[])) as product_ids,
    coalesce(page_trait.prices, cast([] as varchar[])) as prices,
    coalesce(page_trait.link_share_milli, 0) as link_share_milli,
    page_trait.layout
from delegate
inner join fetch_fingerprint
    on delegate.fetch = fetch_fingerprint.fetch
inner join place
    on delegate.document = place.document
left join reduced
    on delegate.document = reduced.page
left join page_trait
    on delegate.document = page_trait.page
