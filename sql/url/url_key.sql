-- stage:      url_key
-- reads:      fetch
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- cost:       one key per distinct raw URL
-- why:        a URL that is refused keeps its row and its reason; its fetches go to quarantine
-- [generated from src/schema.rs, do not edit]
-- writes:     url_key  one row a raw URL
-- key:        url
-- column:     url                         varchar    not null  raw URL as it came in
-- column:     url_key                     varchar              canonical key; NULL when refused
-- column:     url_surtkey                 varchar              key as the Common Crawl index sorts
--                                                              it
-- column:     url_host_name               varchar              host of the key
-- column:     url_host_registered_domain  varchar              public suffix and one label
-- column:     policy                      varchar    not null  policy and heuristic rules of the
--                                                              job
-- column:     rules                       varchar[]  not null  rules that changed the URL, in order
-- column:     refused                     varchar              why there is no key
-- [end]
with

raw as (

    select distinct admitted.url
    from fetch as admitted
    where admitted.url is not null

),

keyed as (

    select
        raw.url,
        url_key(raw.url, cast($url_policy as varchar)) as parsed
    from raw

)

select
    keyed.url,
    keyed.parsed['key'] as url_key,
    keyed.parsed['surtkey'] as url_surtkey,
    keyed.parsed['host'] as url_host_name,
    registered_domain(keyed.parsed['host']) as url_host_registered_domain,
    cast($url_policy as varchar) as policy,
    keyed.parsed['rules'] as rules,
    keyed.parsed['refused'] as refused
from keyed
