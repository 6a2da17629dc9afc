-- stage:      declaration
-- reads:      fetch_fingerprint, page, parse
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- invariant:  counted     fetches >= 1
-- cost:       one pass over the parsed rows that declare something
-- why:        redirects, refreshes of pages that hold nothing else, and canonicals of pages that
--             pass the gate. What names its own key declares nothing.
-- [generated from src/schema.rs, do not edit]
-- writes:     declaration  one row a key, a kind and a target that its fetches declare
-- key:        url_key, kind, target_url
-- column:     url_key       varchar    not null  key that declares
-- column:     kind          varchar    not null  redirect, refresh or canonical
-- column:     target_url    varchar    not null  absolute address as declared
-- column:     target_key    varchar              its key; NULL when refused
-- column:     is_usable     boolean    not null  whether nothing in the page speaks against it
-- column:     fetch_status  int                  HTTP status of the newest such fetch
-- column:     newest        timestamp            newest fetch that says so
-- column:     fetches       bigint     not null  fetches that say so
-- [end]
with

declared as (

    select
        fetch_fingerprint.url_key,
        'redirect' as kind,
        parse.redirect as target_url,
        true as is_usable,
        fetch_fingerprint.fetch_status,
        fetch_fingerprint.fetch_time
    from parse
    inner join fetch_fingerprint
        on parse.fetch = fetch_fingerprint.fetch
    where parse.redirect is not null
    union all
    select
        fetch_fingerprint.url_key,
        'refresh' as kind,
        parse.refresh as target_url,
        true as is_usable,
        fetch_fingerprint.fetch_status,
        fetch_fingerprint.fetch_time
    from parse
    inner join fetch_fingerprint
        on parse.fetch = fetch_fingerprint.fetch
    where parse.refresh is not null
        and parse.redirect is null
        and fetch_fingerprint.gate = 'redirect'
    union all
    select
        canonical.url_key,
        'canonical' as kind,
        canonical.target_url,
        canonical.target_url = canonical.usable_url as is_usable,
        canonical.fetch_status,
        canonical.fetch_time
    from (
        select
            fetch_fingerprint.url_key,
            unnest(parse.canonicals) as target_url,
            coalesce(parse.canonical, '') as usable_url,
            fetch_fingerprint.fetch_status,
            fetch_fingerprint.fetch_time
        from parse
        inner join fetch_fingerprint
            on parse.fetch = fetch_fingerprint.fetch
        inner join page
            on fetch_fingerprint.page_id = page.page_id
        where cardinality(parse.canonicals) > 0
            and fetch_fingerprint.gate = 'ok'
            and page.gate = 'ok'
    ) as canonical

),

counted as (

    select
        declared.url_key,
        declared.kind,
        declared.target_url,
        bool_and(declared.is_usable) as is_usable,
        first_value(
            declared.fetch_status
            order by declared.fetch_time desc nulls last, declared.fetch_status desc nulls last
        ) as fetch_status,
        max(declared.fetch_time) as newest,
        count(*) as fetches
    from declared
    group by declared.url_key, declared.kind, declared.target_url

),

keyed as (

    select
        counted.url_key,
        counted.kind,
        counted.target_url,
        url_key(counted.target_url, cast($url_policy as varchar))['key'] as target_key,
        counted.is_usable,
        counted.fetch_status,
        counted.newest,
        counted.fetches
    from counted

)

select
    keyed.url_key,
    keyed.kind,
    keyed.target_url,
    keyed.target_key,
    keyed.is_usable,
    keyed.fetch_status,
    keyed.newest,
    keyed.fetches
from keyed
where keyed.target_key is distinct from keyed.url_key
