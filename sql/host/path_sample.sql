-- stage:      path_sample
-- reads:      common_path
-- param:      sample_max  int  most paths of a sample
-- param:      depth_max   int  deepest folder that has a sample of its own
-- cost:       two sorts of the common paths, once for each folder above them
-- why:        a sample of the common paths under each folder, the same in every run: one path of
--             each stratum, then the next, so that no stratum supplies all
-- [generated from src/schema.rs, do not edit]
-- writes:     path_sample  one row a folder and a sampled path below it
-- key:        left_host, left_prefix, right_host, right_prefix, folder, suffix
-- column:     left_host          varchar  not null  scheme, name and port
-- column:     left_prefix        varchar  not null  prefix of its paths
-- column:     right_host         varchar  not null  scheme, name and port
-- column:     right_prefix       varchar  not null  prefix of its paths
-- column:     folder             varchar  not null  folder behind the prefixes
-- column:     suffix             varchar  not null  the path behind the prefixes, with its slash
-- column:     child              varchar  not null  the folder right below it that holds the path,
--                                                   if one does
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

placed as (

    select
        common_path.left_host,
        common_path.left_prefix,
        common_path.right_host,
        common_path.right_prefix,
        unnest(path_prefixes(common_path.suffix, cast($depth_max as int))) as folder,
        common_path.suffix,
        common_path.place,
        common_path.stratum,
        common_path.left_content,
        common_path.right_content,
        common_path.is_same,
        common_path.is_full_same,
        common_path.is_other_language,
        common_path.is_other_offer,
        common_path.is_contrary
    from common_path
    where common_path.is_compared

),

ranked as (

    select
        placed.left_host,
        placed.left_prefix,
        placed.right_host,
        placed.right_prefix,
        placed.folder,
        placed.suffix,
        placed.place,
        placed.stratum,
        placed.left_content,
        placed.right_content,
        placed.is_same,
        placed.is_full_same,
        placed.is_other_language,
        placed.is_other_offer,
        placed.is_contrary,
        row_number() over (
            partition by
                placed.left_host,
                placed.left_prefix,
                placed.right_host,
                placed.right_prefix,
                placed.folder,
                placed.stratum
            order by placed.place, placed.suffix
        ) as turn
    from placed

),

drawn as (

    select
        ranked.left_host,
        ranked.left_prefix,
        ranked.right_host,
        ranked.right_prefix,
        ranked.folder,
        ranked.suffix,
        ranked.stratum,
        ranked.left_content,
        ranked.right_content,
        ranked.is_same,
        ranked.is_full_same,
        ranked.is_other_language,
        ranked.is_other_offer,
        ranked.is_contrary,
        row_number() over (
            partition by
                ranked.left_host,
                ranked.left_prefix,
                ranked.right_host,
                ranked.right_prefix,
                ranked.folder
            order by ranked.turn, ranked.place, ranked.suffix
        ) as draw
    from ranked

)

select
    drawn.left_host,
    drawn.left_prefix,
    drawn.right_host,
    drawn.right_prefix,
    drawn.folder,
    drawn.suffix,
    -- The folder right below, if the path is in one.
    case
        when strpos(split_part(substr(drawn.suffix, length(drawn.folder) + 1), '?', 1), '/') > 0
            then split_part(substr(drawn.suffix, length(drawn.folder) + 1), '/', 1)
        else ''
    end as child,
    drawn.stratum,
    drawn.left_content,
    drawn.right_content,
    drawn.is_same,
    drawn.is_full_same,
    drawn.is_other_language,
    drawn.is_other_offer,
    drawn.is_contrary
from drawn
where drawn.draw <= cast($sample_max as int)
