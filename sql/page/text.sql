-- stage:      text
-- reads:      fetch_fingerprint, page, page_document, page_trait, reduced
-- cost:       joins on numbers
-- why:        everything below compares documents, so equal texts are compared once
-- [generated from src/schema.rs, do not edit]
-- writes:     text  one row a document, the delegate of equal texts
-- key:        document
-- column:     document          bigint     not null  number of the delegate page
-- column:     fetch             bigint     not null  a fetch that holds the text
-- column:     tokens            int        not null  tokens of the text
-- column:     scripts           bigint     not null  bit mask of the scripts it is written in
-- column:     simhash           bigint               SimHash; NULL without shingles
-- column:     buckets           bigint[]   not null  one bucket a band
-- column:     slots             binary     not null  low 8 bits of each slot
-- column:     samples           bigint[]             sampled shingles
-- column:     host              varchar              the host of all its pages, if there is one
-- column:     hosts             bigint               hosts of its pages
-- column:     title             varchar              first heading, else the title
-- column:     home_key          varchar              key of its usable canonical, else its own
-- column:     language          varchar              language of the main text, if sure
-- column:     product_ids       varchar[]            ids of the one product it is about
-- column:     prices            varchar[]            prices of that product
-- column:     link_share_milli  bigint               link text, thousandths of its text
-- column:     layout            binary               slots of the set of its tag paths
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
    page_trait.home_key,
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
