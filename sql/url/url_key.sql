-- stage:      url_key
-- reads:      fetch
-- cost:       one key per distinct raw URL
-- why:        a URL that is refused keeps its row and its reason; its fetches go to quarantine
-- [generated from src/schema.rs, do not edit]
-- writes:     url_key  one row a raw URL
-- key:        url
-- column:     url            varchar    not null  raw URL as it came in
-- column:     url_key        varchar              canonical key; NULL when refused
-- column:     url_host_name  varchar              host of the key
-- column:     rules          varchar[]  not null  rules that changed the URL, in order
-- column:     refused        varchar              why there is no key
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
        url_key(raw.url) as parsed
    from raw

)

select
    keyed.url,
    keyed.parsed['key'] as url_key,
    keyed.parsed['host'] as url_host_name,
    keyed.parsed['rules'] as rules,
    keyed.parsed['refused'] as refused
from keyed
