-- stage:      fetch_hint
-- reads:      host_page, mirror_edge
-- param:      hints_max  int  most paths that a crawler is asked for per pair
-- cost:       one join over the paths of undecided hosts
-- why:        an undecided pair is settled by fetching: paths that one host answered and the other
--             was never asked for
-- [generated from src/schema.rs, do not edit]
-- writes:     fetch_hint  one row a URL that would help to decide on two hosts
-- key:        left_host, right_host, url
-- column:     left_host   varchar  not null  scheme, name and port
-- column:     right_host  varchar  not null  scheme, name and port
-- column:     url         varchar  not null  URL that was never fetched
-- column:     place       bigint   not null  its place, from 1
-- [end]
with

open_pair as (

    select
        mirror_edge.left_host as known_host,
        mirror_edge.right_host as asked_host,
        mirror_edge.left_host,
        mirror_edge.right_host
    from mirror_edge
    where mirror_edge.verdict = 'undecided'
        and mirror_edge.left_prefix = '/'
        and mirror_edge.right_prefix = '/'
    union all
    select
        mirror_edge.right_host as known_host,
        mirror_edge.left_host as asked_host,
        mirror_edge.left_host,
        mirror_edge.right_host
    from mirror_edge
    where mirror_edge.verdict = 'undecided'
        and mirror_edge.left_prefix = '/'
        and mirror_edge.right_prefix = '/'

),

missing as (

    select
        open_pair.left_host,
        open_pair.right_host,
        open_pair.asked_host,
        known_page.path
    from open_pair
    inner join host_page as known_page
        on open_pair.known_host = known_page.host
    left join host_page as asked_page
        on open_pair.asked_host = asked_page.host
        and known_page.path = asked_page.path
    where known_page.gate = 'ok'
        and asked_page.host is null

),

ranked as (

    select
        missing.left_host,
        missing.right_host,
        missing.asked_host,
        missing.path,
        row_number() over (
            partition by missing.left_host, missing.right_host
            order by
                path_order(missing.left_host, missing.right_host, missing.path),
                missing.path,
                missing.asked_host
        ) as place
    from missing

)

select
    ranked.left_host,
    ranked.right_host,
    ranked.asked_host || ranked.path as url,
    cast(ranked.place as bigint) as place
from ranked
where ranked.place <= cast($hints_max as int)
