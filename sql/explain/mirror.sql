-- query:      mirror
-- reads:      main_mirror, mirror, mirror_edge
-- param:      host  varchar  scheme, name and port
-- param:      path  varchar  path of the URL
-- param:      limit bigint   rows
-- why:        where a URL stands on another host, known or not, and by which test; then the other
--             tests of its host, the nearest to a mirror first
with

tested as (

    select
        mirror_edge.left_host as host,
        mirror_edge.left_prefix as prefix,
        mirror_edge.right_host as other_host,
        mirror_edge.right_prefix as other_prefix,
        mirror_edge.verdict,
        mirror_edge.reason,
        mirror_edge.common,
        mirror_edge.compared,
        mirror_edge.same,
        mirror_edge.full_same,
        mirror_edge.lower_bound,
        mirror_edge.upper_bound,
        mirror_edge.texts,
        mirror_edge.carved,
        mirror_edge.other_languages,
        mirror_edge.other_offers,
        mirror_edge.contrary,
        mirror_edge.redirect_keys,
        mirror_edge.redirect_kept,
        mirror_edge.example
    from mirror_edge
    where mirror_edge.left_host = cast($host as varchar)
    union all
    select
        mirror_edge.right_host as host,
        mirror_edge.right_prefix as prefix,
        mirror_edge.left_host as other_host,
        mirror_edge.left_prefix as other_prefix,
        mirror_edge.verdict,
        mirror_edge.reason,
        mirror_edge.common,
        mirror_edge.compared,
        mirror_edge.same,
        mirror_edge.full_same,
        mirror_edge.lower_bound,
        mirror_edge.upper_bound,
        mirror_edge.texts,
        mirror_edge.carved,
        mirror_edge.other_languages,
        mirror_edge.other_offers,
        mirror_edge.contrary,
        mirror_edge.redirect_keys,
        mirror_edge.redirect_kept,
        mirror_edge.example
    from mirror_edge
    where mirror_edge.right_host = cast($host as varchar)

)

select
    tested.prefix,
    tested.other_host,
    tested.other_prefix,
    tested.verdict,
    tested.reason,
    tested.common,
    tested.compared,
    tested.same,
    tested.full_same,
    tested.lower_bound,
    tested.upper_bound,
    tested.texts,
    tested.carved,
    tested.other_languages,
    tested.other_offers,
    tested.contrary,
    tested.redirect_keys,
    tested.redirect_kept,
    tested.example,
    coalesce(mirror.scope, '') as scope,
    main_mirror.main_mirror,
    main_mirror.reason as choice,
    main_mirror.score_milli,
    count(*) over () as total
from tested
left join mirror
    on tested.host = mirror.from_host
    and tested.prefix = mirror.from_prefix
    and tested.other_host = mirror.to_host
left join main_mirror
    on tested.host = main_mirror.host
where starts_with(cast($path as varchar), tested.prefix)
order by
    case tested.verdict
        when 'mirror' then 0
        when 'partial' then 1
        when 'undecided' then 2
        else 3
    end,
    character_length(tested.prefix) desc,
    tested.lower_bound desc,
    tested.other_host,
    tested.other_prefix
limit cast($limit as bigint)
