-- stage:      prefix_swap
-- reads:      host_candidate, host_page
-- param:      prefix_paths_min  int  fewest equal texts that show a swap of prefixes
-- param:      swaps_max         int  most swaps of a pair that are tested
-- join:       hash
-- cost:       one join over the texts that a host has once
-- why:        how paths of one host become paths of the other: as they are, or one prefix for
--             another. Texts that each host has under one path show it
-- [generated from src/schema.rs, do not edit]
-- writes:     prefix_swap  one row a pair of hosts and prefixes whose paths are compared
-- key:        left_host, left_prefix, right_host, right_prefix
-- column:     left_host     varchar  not null  scheme, name and port
-- column:     left_prefix   varchar  not null  prefix of its paths
-- column:     right_host    varchar  not null  scheme, name and port
-- column:     right_prefix  varchar  not null  prefix of its paths
-- column:     texts         bigint   not null  equal texts that show the swap
-- [end]
with

single as (

    select
        host_page.host,
        host_page.content,
        min(host_page.path) as path
    from host_page
    where host_page.gate = 'ok'
        and host_page.content is not null
    group by host_page.host, host_page.content
    having count(*) = 1

),

swapped as (

    select
        host_candidate.left_host,
        host_candidate.right_host,
        path_swap(left_single.path, right_single.path) as swap
    from host_candidate
    inner join single as left_single
        on host_candidate.left_host = left_single.host
    inner join single as right_single
        on host_candidate.right_host = right_single.host
        and left_single.content = right_single.content

),

counted as (

    select
        swapped.left_host,
        swapped.swap['left_prefix'] as left_prefix,
        swapped.right_host,
        swapped.swap['right_prefix'] as right_prefix,
        count(*) as texts
    from swapped
    where swapped.swap['left_prefix'] is not null
    group by
        swapped.left_host,
        swapped.swap['left_prefix'],
        swapped.right_host,
        swapped.swap['right_prefix']
    having count(*) >= cast($prefix_paths_min as int)
        or (
            swapped.swap['left_prefix'] = '/'
            and swapped.swap['right_prefix'] = '/'
        )

),

ranked as (

    select
        counted.left_host,
        counted.left_prefix,
        counted.right_host,
        counted.right_prefix,
        counted.texts,
        row_number() over (
            partition by counted.left_host, counted.right_host
            order by counted.texts desc, counted.left_prefix, counted.right_prefix
        ) as place
    from counted
    where counted.left_prefix <> '/'
        or counted.right_prefix <> '/'

)

select
    host_candidate.left_host,
    '/' as left_prefix,
    host_candidate.right_host,
    '/' as right_prefix,
    coalesce(counted.texts, 0) as texts
from host_candidate
left join counted
    on host_candidate.left_host = counted.left_host
    and host_candidate.right_host = counted.right_host
    and counted.left_prefix = '/'
    and counted.right_prefix = '/'
union all
select
    ranked.left_host,
    ranked.left_prefix,
    ranked.right_host,
    ranked.right_prefix,
    ranked.texts
from ranked
where ranked.place <= cast($swaps_max as int)
