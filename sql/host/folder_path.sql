-- stage:      folder_path
-- reads:      folder_count, path_sample
-- param:      carved_share_milli  int  most share of compared paths in folders that are carved out
-- param:      upper_max_milli     int  highest upper bound of what is none
-- cost:       joins of the samples of one pair of hosts
-- why:        the paths by which a folder is judged: its sample, without those in folders below
--             that speak against it, where these are few. Those are carved out of the mirror
-- [generated from src/schema.rs, do not edit]
-- writes:     folder_path  one row a judged folder and a path of its sample
-- key:        left_host, left_prefix, right_host, right_prefix, folder, suffix
-- column:     left_host          varchar  not null  scheme, name and port
-- column:     left_prefix        varchar  not null  prefix of its paths
-- column:     right_host         varchar  not null  scheme, name and port
-- column:     right_prefix       varchar  not null  prefix of its paths
-- column:     folder             varchar  not null  folder behind the prefixes
-- column:     suffix             varchar  not null  the path behind the prefixes, with its slash
-- column:     is_narrower        boolean  not null  whether one folder below it agrees alone
-- column:     is_left_out        boolean  not null  whether it lies in a folder that is carved out
-- column:     stratum            varchar  not null  folders above what it names, with digits as 0
-- column:     left_content       bigint             content of the left page
-- column:     right_content      bigint             content of the right page
-- column:     is_same            boolean  not null  whether the contents are one
-- column:     is_full_same       boolean  not null  whether all visible text is nearly equal
-- column:     is_other_language  boolean  not null  whether the languages differ
-- column:     is_other_offer     boolean  not null  whether prices or numbers differ
-- column:     is_contrary        boolean  not null  whether the texts have little in common
-- [end]
with

below_contrary as (

    select
        path_sample.left_host,
        path_sample.left_prefix,
        path_sample.right_host,
        path_sample.right_prefix,
        path_sample.folder,
        path_sample.suffix
    from path_sample
    inner join folder_count
        on path_sample.left_host = folder_count.left_host
        and path_sample.left_prefix = folder_count.left_prefix
        and path_sample.right_host = folder_count.right_host
        and path_sample.right_prefix = folder_count.right_prefix
    where folder_count.folder <> '/'
        and folder_count.upper_milli < cast($upper_max_milli as int)
        and character_length(folder_count.folder) > character_length(path_sample.folder)
        and starts_with(folder_count.folder, path_sample.folder)
        and starts_with(path_sample.suffix, folder_count.folder)
    group by
        path_sample.left_host,
        path_sample.left_prefix,
        path_sample.right_host,
        path_sample.right_prefix,
        path_sample.folder,
        path_sample.suffix

),

carved_count as (

    select
        below_contrary.left_host,
        below_contrary.left_prefix,
        below_contrary.right_host,
        below_contrary.right_prefix,
        below_contrary.folder,
        count(*) as paths
    from below_contrary
    group by
        below_contrary.left_host,
        below_contrary.left_prefix,
        below_contrary.right_host,
        below_contrary.right_prefix,
        below_contrary.folder

),

judged_folder as (

    select
        folder_count.left_host,
        folder_count.left_prefix,
        folder_count.right_host,
        folder_count.right_prefix,
        folder_count.folder,
        folder_count.is_narrower,
        coalesce(
            carved_count.paths * 1000
                <= folder_count.compared * cast($carved_share_milli as int),
            false
        ) as is_carved
    from folder_count
    left join carved_count
        on folder_count.left_host = carved_count.left_host
        and folder_count.left_prefix = carved_count.left_prefix
        and folder_count.right_host = carved_count.right_host
        and folder_count.right_prefix = carved_count.right_prefix
        and folder_count.folder = carved_count.folder

)

select
    path_sample.left_host,
    path_sample.left_prefix,
    path_sample.right_host,
    path_sample.right_prefix,
    path_sample.folder,
    path_sample.suffix,
    judged_folder.is_narrower,
    judged_folder.is_carved and below_contrary.suffix is not null as is_left_out,
    path_sample.stratum,
    path_sample.left_content,
    path_sample.right_content,
    path_sample.is_same,
    path_sample.is_full_same,
    path_sample.is_other_language,
    path_sample.is_other_offer,
    path_sample.is_contrary
from path_sample
inner join judged_folder
    on path_sample.left_host = judged_folder.left_host
    and path_sample.left_prefix = judged_folder.left_prefix
    and path_sample.right_host = judged_folder.right_host
    and path_sample.right_prefix = judged_folder.right_prefix
    and path_sample.folder = judged_folder.folder
left join below_contrary
    on path_sample.left_host = below_contrary.left_host
    and path_sample.left_prefix = below_contrary.left_prefix
    and path_sample.right_host = below_contrary.right_host
    and path_sample.right_prefix = below_contrary.right_prefix
    and path_sample.folder = below_contrary.folder
    and path_sample.suffix = below_contrary.suffix
