-- stage:      identity
-- reads:      cluster, fetch_fingerprint, page
-- param:      methods  varchar  versions that the job pins
-- join:       hash
-- cost:       one group-by on the URL
-- why:        one answer for every known URL. Its current page is the newest ok fetch, else the
--             smallest page id. Mirror and owner are unknown for a plain text corpus.
-- [generated from src/schema.rs, do not edit]
-- writes:     identity  one row a known URL, or an id where there is no URL
-- key:        url, id
-- column:     url                 varchar            raw URL; NULL for a row without
-- column:     id                  varchar            the input's own id where there is no URL
-- column:     url_key             varchar  not null  canonical key
-- column:     canonical_url       varchar  not null  address that stands for the URL
-- column:     page_id             binary   not null  current page: the newest ok fetch
-- column:     cluster             binary             id of the cluster; NULL for an empty text
-- column:     representative_url  varchar            what stands for the cluster
-- column:     is_representative   boolean  not null  whether the current page is that one
-- column:     gate                varchar  not null  may it be compared: ok or empty
-- column:     main_mirror         varchar            main mirror of its host; NULL when unknown
-- column:     owner               varchar            owner behind its host; NULL when unknown
-- column:     pages               bigint   not null  pages seen under this URL
-- column:     methods             varchar  not null  versions that made this row
-- [end]
with

known_page as (

    select
        fetch_fingerprint.url,
        case when fetch_fingerprint.url is null then fetch_fingerprint.id end as id,
        fetch_fingerprint.url_key,
        fetch_fingerprint.page_id,
        max(
            case
                when coalesce(fetch_fingerprint.fetch_status, 200) = 200
                    then fetch_fingerprint.fetch_time
            end
        ) as ok_time
    from fetch_fingerprint
    group by
        fetch_fingerprint.url,
        case when fetch_fingerprint.url is null then fetch_fingerprint.id end,
        fetch_fingerprint.url_key,
        fetch_fingerprint.page_id

),

current_page as (

    select
        known_page.url,
        known_page.id,
        known_page.url_key,
        first_value(page.page order by known_page.ok_time desc nulls last, page.page) as page,
        count(*) as pages
    from known_page
    inner join page
        on known_page.page_id = page.page_id
    group by known_page.url, known_page.id, known_page.url_key

),

clustered as (

    select
        member_cluster.page_id,
        min(member_cluster.cluster) as cluster,
        min(member_cluster.representative_url) as representative_url,
        bool_and(member_cluster.is_representative) as is_representative
    from cluster as member_cluster
    group by member_cluster.page_id

)

select
    current_page.url,
    current_page.id,
    current_page.url_key,
    current_page.url_key as canonical_url,
    page.page_id,
    clustered.cluster,
    clustered.representative_url,
    clustered.is_representative,
    page.gate,
    cast(null as varchar) as main_mirror,
    cast(null as varchar) as owner,
    current_page.pages,
    cast($methods as varchar) as methods
from current_page
inner join page
    on current_page.page = page.page
inner join clustered
    on page.page_id = clustered.page_id
