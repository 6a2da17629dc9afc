-- stage:      folder_count
-- reads:      path_sample
-- param:      folder_paths_min  int  fewest compared paths of a folder that is judged
-- param:      upper_max_milli   int  highest upper bound of what is none
-- invariant:  counted           same <= compared
-- cost:       group-bys over the samples
-- why:        what each folder says by itself. What agrees in one folder alone, while the paths
--             beside it do not, proves that folder alone
-- [generated from src/schema.rs, do not edit]
-- writes:     folder_count  one row a folder with a sample
-- key:        left_host, left_prefix, right_host, right_prefix, folder
-- column:     left_host     varchar  not null  scheme, name and port
-- column:     left_prefix   varchar  not null  prefix of its paths
-- column:     right_host    varchar  not null  scheme, name and port
-- column:     right_prefix  varchar  not null  prefix of its paths
-- column:     folder        varchar  not null  folder behind the prefixes
-- column:     compared      bigint   not null  paths of its sample
-- column:     same          bigint   not null  of them, with one main text
-- column:     upper_milli   int      not null  upper bound of the share, thousandths
-- column:     is_narrower   boolean  not null  whether one folder below it agrees alone
-- [end]
with

child_count as (

    select
        path_sample.left_host,
        path_sample.left_prefix,
        path_sample.right_host,
        path_sample.right_prefix,
        path_sample.folder,
        path_sample.child,
        count(*) as compared,
        count(*) filter (where path_sample.is_same) as same
    from path_sample
    group by
        path_sample.left_host,
        path_sample.left_prefix,
        path_sample.right_host,
        path_sample.right_prefix,
        path_sample.folder,
        path_sample.child

),

total as (

    select
        child_count.left_host,
        child_count.left_prefix,
        child_count.right_host,
        child_count.right_prefix,
        child_count.folder,
        sum(child_count.compared) as compared,
        sum(child_count.same) as same
    from child_count
    group by
        child_count.left_host,
        child_count.left_prefix,
        child_count.right_host,
        child_count.right_prefix,
        child_count.folder

),

beside as (

    select
        total.left_host,
        total.left_prefix,
        total.right_host,
        total.right_prefix,
        total.folder,
        total.compared,
        total.same,
        coalesce(
            child_count.child <> ''
                and child_count.same * 2 > child_count.compared
                and share_bounds(
                    total.same - child_count.same,
                    total.compared - child_count.compared
                )['upper_milli'] < cast($upper_max_milli as int),
            false
        ) as is_narrower
    from total
    inner join child_count
        on total.left_host = child_count.left_host
        and total.left_prefix = child_count.left_prefix
        and total.right_host = child_count.right_host
        and total.right_prefix = child_count.right_prefix
        and total.folder = child_count.folder

)

select
    beside.left_host,
    beside.left_prefix,
    beside.right_host,
    beside.right_prefix,
    beside.folder,
    beside.compared,
    beside.same,
    share_bounds(beside.same, beside.compared)['upper_milli'] as upper_milli,
    bool_or(beside.is_narrower) as is_narrower
from beside
where beside.compared >= cast($folder_paths_min as int)
    or beside.folder = '/'
group by
    beside.left_host,
    beside.left_prefix,
    beside.right_host,
    beside.right_prefix,
    beside.folder,
    beside.compared,
    beside.same
