-- stage:      host_key
-- reads:      host_page
-- param:      page_tokens_min  int  fewest tokens of a page that says something of its host
-- param:      text_tokens_min  int  fewest tokens of a text that hosts share under any path
-- param:      path_bytes_min   int  shortest path that hosts share
-- cost:       group-bys over the pages of hosts
-- why:        what hosts may have in common: a text under one path, a long text under any, a path
--             of several folders, a name. Keys that more than one host has
-- [generated from src/schema.rs, do not edit]
-- writes:     host_key  one row a host and a key that it shares with another
-- key:        kind, key, host
-- column:     kind   varchar  not null  body, text, path or name
-- column:     key    varchar  not null  what is shared
-- column:     host   varchar  not null  scheme, name and port
-- column:     hosts  bigint   not null  hosts that share it
-- [end]
with

named as (

    select
        host_name.host,
        unnest(mirror_names(host_name.host)) as name
    from (
        select distinct host_page.host
        from host_page
    ) as host_name

),

keyed as (

    select distinct
        'body' as kind,
        cast(host_page.content as varchar) || ' ' || host_page.path as key,
        host_page.host
    from host_page
    where host_page.gate = 'ok'
        and host_page.tokens >= cast($page_tokens_min as int)
    union all
    select distinct
        'text' as kind,
        cast(host_page.content as varchar) as key,
        host_page.host
    from host_page
    where host_page.gate = 'ok'
        and host_page.tokens >= cast($text_tokens_min as int)
    union all
    select distinct
        'path' as kind,
        substr(host_page.path, 1) as key,
        host_page.host
    from host_page
    where host_page.gate = 'ok'
        and octet_length(host_page.path) >= cast($path_bytes_min as int)
        and strpos(substr(host_page.path, 2), '/') > 0
    union all
    select distinct
        'name' as kind,
        named.name as key,
        named.host
    from named

),

counted as (

    select
        keyed.kind,
        keyed.key,
        count(*) as hosts
    from keyed
    group by keyed.kind, keyed.key
    having count(*) >= 2

)

select
    keyed.kind,
    keyed.key,
    keyed.host,
    counted.hosts
from keyed
inner join counted
    on keyed.kind = counted.kind
    and keyed.key = counted.key
