-- stage:      identity
-- reads:      cluster, current_page, fetch_fingerprint, mirror_url, page, redirect_chain,
--             resource
-- param:      methods  varchar  versions that the job pins
-- join:       hash
-- cost:       one group-by on the URL
-- why:        one answer for every known URL. Its current page is the newest ok fetch, else the
--             smallest page id. A URL that redirects by now shows the page at the end of its chain,
--             one whose own fetches failed what its key shows, a loop what it repeats.
--             A key that is an exception of its mirror stays on its own host. The owner of a host
--             is its registered domain.
-- [generated from src/schema.rs, do not edit]
-- writes:     identity  one row a known URL, or an id where there is no URL
-- key:        url, id
-- column:     url                 varchar            raw URL; NULL for a row without
-- column:     id                  varchar            the input's own id where there is no URL
-- column:     url_key             varchar  not null  canonical key
-- column:     canonical_url       varchar  not null  address that stands for the URL
-- column:     page_id             binary   not null  current page: the newest ok fetch
-- column:     cluster             binary             cluster of the page that the URL shows, NULL
--                                                    if none
-- column:     representative_url  varchar            what stands for the cluster
-- column:     is_representative   boolean  not null  whether canonical_url is what stands for it
-- column:     gate                varchar  not null  may it be compared: ok, or why not
-- column:     main_mirror         varchar            main mirror of its host; NULL for an id
-- column:     owner               varchar            registered domain of its host, NULL without
--                                                    one
-- column:     pages               bigint   not null  pages seen under this URL
-- column:     methods             varchar  not null  versions that made this row
-- column:     mirror_url          varchar            its address on the main mirror, NULL if its
--                                                    own
-- [end]
with

known_page as (

    select
        fetch_fingerprint.url,
        case when fetch_fingerprint.url is null then fetch_fingerprint.id end as id,
        fetch_fingerprint.url_key,
        fetch_fingerprint.page_id,
        bool_or(fetch_fingerprint.gate = 'ok') as is_passed,
        max(
            case when fetch_fingerprint.gate = 'ok' then fetch_fingerprint.fetch_time end
        ) as ok_time
    from fetch_fingerprint
    group by
        fetch_fingerprint.url,
        case when fetch_fingerprint.url is null then fetch_fingerprint.id end,
        fetch_fingerprint.url_key,
        fetch_fingerprint.page_id

),

own_page as (

    select
        known_page.url,
        known_page.id,
        known_page.url_key,
        first_value(
            page.page
            order by
                case when known_page.is_passed and page.gate = 'ok' then 0 else 1 end,
                case when page.gate = 'ok' then known_page.ok_time end desc nulls last,
                page.page
        ) as page,
        count(*) as pages
    from known_page
    inner join page
        on known_page.page_id = page.page_id
    group by known_page.url, known_page.id, known_page.url_key

),

own as (

    select
        own_page.url,
        own_page.id,
        own_page.url_key,
        own_page.pages,
        page.page,
        page.page_id,
        page.host,
        page.text_digest,
        page.gate
    from own_page
    inner join page
        on own_page.page = page.page

),

failed_key as (

    select distinct own.url_key
    from own
    where own.gate <> 'ok'

),

key_page as (

    select
        page.url_key,
        first_value(page.page order by page.newest_ok desc nulls last, page.page) as page
    from page
    inner join failed_key
        on page.url_key = failed_key.url_key
    where page.gate = 'ok'
    group by page.url_key

),

-- What a loop repeats is the page of its host with the same text.
looped as (

    select
        own.page,
        min(page.page) as shown
    from own
    inner join page
        on own.host = page.host
        and own.text_digest = page.text_digest
    where own.gate = 'infinite_space'
        and page.gate = 'ok'
    group by own.page

),

shown as (

    select
        own.url,
        own.id,
        own.url_key,
        own.pages,
        own.page_id,
        own.gate,
        coalesce(
            current_page.page,
            case when own.gate = 'ok' then own.page else key_page.page end,
            looped.shown,
            own.page
        ) as page
    from own
    left join key_page
        on own.url_key = key_page.url_key
    left join looped
        on own.page = looped.page
    left join redirect_chain
        on own.url_key = redirect_chain.url_key
        and not redirect_chain.is_open
    left join current_page
        on redirect_chain.final_key = current_page.url_key
        and current_page.gate = 'ok'

),

clustered as (

    select
        page.page,
        representative.url_key as representative_key,
        min(member_cluster.cluster) as cluster,
        min(member_cluster.representative_url) as representative_url
    from cluster as member_cluster
    inner join page
        on member_cluster.page_id = page.page_id
    left join page as representative
        on member_cluster.representative_page_id = representative.page_id
    group by page.page, representative.url_key

),

-- The canonical URL of a representative, where its page is in the same cluster.
raised as (

    select
        resource.url_key,
        resource.canonical_url,
        clustered.cluster
    from resource
    inner join current_page
        on resource.canonical_url = current_page.url_key
    inner join clustered
        on current_page.page = clustered.page

)

select
    shown.url,
    shown.id,
    shown.url_key,
    coalesce(resource.canonical_url, shown.url_key) as canonical_url,
    shown.page_id,
    clustered.cluster,
    coalesce(raised.canonical_url, clustered.representative_url) as representative_url,
    coalesce(
        coalesce(resource.canonical_url, shown.url_key)
            = coalesce(raised.canonical_url, clustered.representative_key),
        false
    ) as is_representative,
    shown.gate,
    case
        when mirror_url.url_key is not null then mirror_url.main_mirror
        when strpos(split_part(shown.url_key, '/', 3), '@') = 0
            and shown.url_key not like 'id:%'
            then split_part(shown.url_key, '/', 1) || '//' || split_part(shown.url_key, '/', 3)
    end as main_mirror,
    registered_domain(url_key(shown.url_key, 'safe')['host']) as owner,
    shown.pages,
    cast($methods as varchar) as methods,
    mirror_url.mirror_url
from shown
inner join clustered
    on shown.page = clustered.page
left join resource
    on shown.url_key = resource.url_key
left join raised
    on clustered.representative_key = raised.url_key
    and clustered.cluster = raised.cluster
left join mirror_url
    on shown.url_key = mirror_url.url_key
    and not mirror_url.is_exception
