-- stage:      mirror_edge
-- reads:      common_path, edge, folder_path, host_candidate, host_pointer, prefix_swap
-- param:      depth_max            int  deepest folder that has a sample of its own
-- param:      compared_min         int  fewest compared paths of a mirror
-- param:      lower_min_milli      int  least lower bound of a mirror, in thousandths
-- param:      upper_max_milli      int  highest upper bound of what is none
-- param:      redirects_min        int  fewest redirects that show a mirror
-- param:      redirect_share_milli int  and least share of them that keep the path
-- param:      redirect_lower_milli int  and least lower bound of that share
-- param:      other_share_milli    int  share of another language or offer that makes siblings
-- param:      texts_share_milli    int  fewest distinct texts, in thousandths of the compared paths
-- param:      contrary_strata_max  int  most strata with contrary paths
-- param:      contrary_share_milli int  or most share of them in the compared paths
-- invariant:  counted  same <= compared and compared <= common
-- cost:       one group-by over the samples
-- why:        the verdict on two hosts, or on two prefixes of them. Siblings, few texts and
--             contrary strata speak against it whatever the share; a text that is near another one
--             of the sample is no text of its own, because a parked host repeats the asked path. A
--             folder below the root is tested by itself, so that part of a host can be a mirror
-- [generated from src/schema.rs, do not edit]
-- writes:     mirror_edge  one row a tested pair of hosts and prefixes
-- key:        left_host, left_prefix, right_host, right_prefix
-- column:     left_host        varchar  not null  scheme, name and port
-- column:     left_prefix      varchar  not null  prefix of its paths
-- column:     right_host       varchar  not null  scheme, name and port
-- column:     right_prefix     varchar  not null  prefix of its paths
-- column:     verdict          varchar  not null  mirror, partial, not or undecided
-- column:     reason           varchar  not null  what decided: content, redirect, translation, ...
-- column:     common           bigint   not null  paths that both have
-- column:     compared         bigint   not null  paths of the sample, without carved ones
-- column:     same             bigint   not null  of them, with one main text
-- column:     full_same        bigint   not null  of them, with nearly equal full texts
-- column:     lower_bound      double   not null  lower bound of the share, 95 %
-- column:     upper_bound      double   not null  upper bound of the share, 95 %
-- column:     texts            bigint   not null  contents of the sample that are not near another
--                                                 of it
-- column:     other_languages  bigint   not null  compared paths in two languages
-- column:     other_offers     bigint   not null  compared paths that differ in prices or numbers
-- column:     carved           bigint   not null  sampled paths in folders that are carved out
-- column:     contrary         bigint   not null  compared paths with texts that have little in
--                                                 common
-- column:     contrary_strata  bigint   not null  strata of those paths
-- column:     redirect_keys    bigint   not null  keys of the host that redirects to the other
-- column:     redirect_kept    bigint   not null  of them, surely and to the same path
-- column:     example          varchar            a compared path that is not the same
-- column:     bodies           bigint   not null  texts under equal paths, which proposed the pair
-- column:     shared_texts     bigint   not null  long texts under any paths, likewise
-- column:     shared_paths     bigint   not null  equal paths, likewise
-- column:     shared_names     bigint   not null  names in common, likewise
-- column:     canonicals       bigint   not null  keys that name the other as canonical, likewise
-- [end]
with

judged_path as (

    select
        folder_path.left_host,
        folder_path.left_prefix,
        folder_path.right_host,
        folder_path.right_prefix,
        folder_path.folder,
        folder_path.left_content
    from folder_path
    where not folder_path.is_left_out

),

-- Texts of a sample that are near a smaller one of it.
repeated as (

    select
        judged_path.left_host,
        judged_path.left_prefix,
        judged_path.right_host,
        judged_path.right_prefix,
        judged_path.folder,
        count(distinct judged_path.left_content) as texts
    from judged_path
    inner join edge
        on judged_path.left_content = edge.right_document
    inner join judged_path as other
        on edge.left_document = other.left_content
        and judged_path.left_host = other.left_host
        and judged_path.left_prefix = other.left_prefix
        and judged_path.right_host = other.right_host
        and judged_path.right_prefix = other.right_prefix
        and judged_path.folder = other.folder
    group by
        judged_path.left_host,
        judged_path.left_prefix,
        judged_path.right_host,
        judged_path.right_prefix,
        judged_path.folder

),

measured as (

    select
        folder_path.left_host,
        folder_path.left_prefix,
        folder_path.right_host,
        folder_path.right_prefix,
        folder_path.folder,
        count(*) filter (where not folder_path.is_left_out) as compared,
        count(*) filter (where folder_path.is_left_out) as carved,
        count(*) filter (where folder_path.is_same and not folder_path.is_left_out) as same,
        count(*) filter (where folder_path.is_full_same and not folder_path.is_left_out)
            as full_same,
        count(distinct case
            when not folder_path.is_left_out then folder_path.left_content
        end) as left_texts,
        count(distinct case
            when not folder_path.is_left_out then folder_path.right_content
        end) as right_texts,
        count(*) filter (where folder_path.is_other_language and not folder_path.is_left_out)
            as other_languages,
        count(*) filter (where folder_path.is_other_offer and not folder_path.is_left_out)
            as other_offers,
        count(*) filter (where folder_path.is_contrary and not folder_path.is_left_out)
            as contrary,
        count(distinct case
            when folder_path.is_contrary and not folder_path.is_left_out then folder_path.stratum
        end) as contrary_strata,
        min(case
            when not folder_path.is_same and not folder_path.is_left_out then folder_path.suffix
        end) as example,
        bool_or(folder_path.is_narrower) as is_narrower
    from folder_path
    group by
        folder_path.left_host,
        folder_path.left_prefix,
        folder_path.right_host,
        folder_path.right_prefix,
        folder_path.folder

),

placed as (

    select
        common_path.left_host,
        common_path.left_prefix,
        common_path.right_host,
        common_path.right_prefix,
        unnest(path_prefixes(common_path.suffix, cast($depth_max as int))) as folder
    from common_path

),

counted as (

    select
        placed.left_host,
        placed.left_prefix,
        placed.right_host,
        placed.right_prefix,
        placed.folder,
        count(*) as common
    from placed
    group by
        placed.left_host,
        placed.left_prefix,
        placed.right_host,
        placed.right_prefix,
        placed.folder

),

redirected as (

    select
        least(host_pointer.from_host, host_pointer.to_host) as left_host,
        greatest(host_pointer.from_host, host_pointer.to_host) as right_host,
        max(host_pointer.host_keys) as keys,
        max(host_pointer.kept_paths) as kept_paths
    from host_pointer
    where host_pointer.kind = 'redirect'
        and host_pointer.kept_paths * 2 > host_pointer.host_keys
    group by
        least(host_pointer.from_host, host_pointer.to_host),
        greatest(host_pointer.from_host, host_pointer.to_host)

),

tested as (

    select
        prefix_swap.left_host,
        prefix_swap.left_prefix || substr(coalesce(measured.folder, '/'), 2) as left_prefix,
        prefix_swap.right_host,
        prefix_swap.right_prefix || substr(coalesce(measured.folder, '/'), 2) as right_prefix,
        prefix_swap.left_prefix = '/'
            and prefix_swap.right_prefix = '/'
            and coalesce(measured.folder, '/') = '/'
            as is_whole,
        coalesce(counted.common, 0) as common,
        coalesce(measured.compared, 0) as compared,
        coalesce(measured.same, 0) as same,
        coalesce(measured.full_same, 0) as full_same,
        least(
            coalesce(measured.left_texts, 0) - coalesce(repeated.texts, 0),
            coalesce(measured.right_texts, 0)
        ) as texts,
        coalesce(measured.other_languages, 0) as other_languages,
        coalesce(measured.other_offers, 0) as other_offers,
        coalesce(measured.carved, 0) as carved,
        coalesce(measured.is_narrower, false) as is_narrower,
        coalesce(measured.contrary, 0) as contrary,
        coalesce(measured.contrary_strata, 0) as contrary_strata,
        measured.example
    from prefix_swap
    left join measured
        on prefix_swap.left_host = measured.left_host
        and prefix_swap.left_prefix = measured.left_prefix
        and prefix_swap.right_host = measured.right_host
        and prefix_swap.right_prefix = measured.right_prefix
    left join counted
        on prefix_swap.left_host = counted.left_host
        and prefix_swap.left_prefix = counted.left_prefix
        and prefix_swap.right_host = counted.right_host
        and prefix_swap.right_prefix = counted.right_prefix
        and coalesce(measured.folder, '/') = counted.folder
    left join repeated
        on measured.left_host = repeated.left_host
        and measured.left_prefix = repeated.left_prefix
        and measured.right_host = repeated.right_host
        and measured.right_prefix = repeated.right_prefix
        and measured.folder = repeated.folder

),

-- One folder may be reached by two swaps; the one that aligns more paths stands.
single as (

    select
        tested.left_host,
        tested.left_prefix,
        tested.right_host,
        tested.right_prefix,
        first_value(tested.is_whole order by tested.compared desc, tested.same desc) as is_whole,
        max(tested.common) as common,
        max(tested.compared) as compared,
        first_value(tested.same order by tested.compared desc, tested.same desc) as same,
        first_value(tested.full_same order by tested.compared desc, tested.same desc)
            as full_same,
        first_value(tested.texts order by tested.compared desc, tested.same desc) as texts,
        max(tested.other_languages) as other_languages,
        max(tested.other_offers) as other_offers,
        max(tested.carved) as carved,
        bool_or(tested.is_narrower) as is_narrower,
        max(tested.contrary) as contrary,
        max(tested.contrary_strata) as contrary_strata,
        min(tested.example) as example
    from tested
    group by
        tested.left_host,
        tested.left_prefix,
        tested.right_host,
        tested.right_prefix

),

bounded as (

    select
        single.left_host,
        single.left_prefix,
        single.right_host,
        single.right_prefix,
        single.is_whole,
        single.common,
        single.compared,
        single.same,
        single.full_same,
        single.texts,
        single.other_languages,
        single.other_offers,
        single.carved,
        single.is_narrower,
        single.contrary,
        single.contrary_strata,
        single.example,
        share_bounds(single.same, single.compared) as bounds,
        share_bounds(single.full_same, single.compared) as full_bounds,
        case when single.is_whole then coalesce(redirected.keys, 0) else 0 end as redirect_keys,
        case when single.is_whole then coalesce(redirected.kept_paths, 0) else 0 end
            as redirect_kept
    from single
    left join redirected
        on single.left_host = redirected.left_host
        and single.right_host = redirected.right_host

),

judged as (

    select
        bounded.left_host,
        bounded.left_prefix,
        bounded.right_host,
        bounded.right_prefix,
        bounded.is_whole,
        bounded.common,
        bounded.compared,
        bounded.same,
        bounded.full_same,
        bounded.texts,
        bounded.other_languages,
        bounded.other_offers,
        bounded.carved,
        bounded.contrary,
        bounded.contrary_strata,
        bounded.redirect_keys,
        bounded.redirect_kept,
        bounded.example,
        bounded.bounds['lower_milli'] as lower_milli,
        bounded.bounds['upper_milli'] as upper_milli,
        case
            when bounded.redirect_kept >= cast($redirects_min as int)
                and bounded.redirect_kept * 1000
                    >= bounded.redirect_keys * cast($redirect_share_milli as int)
                and share_bounds(bounded.redirect_kept, bounded.redirect_keys)['lower_milli']
                    >= cast($redirect_lower_milli as int)
                and bounded.contrary_strata = 0
                then 'redirect'
            when bounded.compared > 0
                and bounded.other_languages * 1000
                    >= bounded.compared * cast($other_share_milli as int)
                then 'translation'
            when bounded.compared > 0
                and bounded.other_offers * 1000
                    >= bounded.compared * cast($other_share_milli as int)
                then 'regional'
            when bounded.compared >= cast($compared_min as int)
                and bounded.texts * 1000 < bounded.compared * cast($texts_share_milli as int)
                then 'few_texts'
            when bounded.contrary_strata > cast($contrary_strata_max as int)
                and bounded.contrary * 1000
                    > bounded.compared * cast($contrary_share_milli as int)
                then 'contrary'
            when bounded.is_narrower then 'one_folder'
            when bounded.compared >= cast($compared_min as int)
                and bounded.bounds['lower_milli'] >= cast($lower_min_milli as int)
                then 'content'
            when bounded.bounds['upper_milli'] < cast($upper_max_milli as int)
                then case
                    when bounded.full_bounds['lower_milli'] >= cast($lower_min_milli as int)
                        then 'template'
                    else 'different'
                end
            when bounded.compared < cast($compared_min as int) then 'few_paths'
            else 'mixed'
        end as reason
    from bounded

)

select
    judged.left_host,
    judged.left_prefix,
    judged.right_host,
    judged.right_prefix,
    case
        when judged.reason in ('redirect', 'content')
            then case when judged.is_whole then 'mirror' else 'partial' end
        when judged.reason in ('few_paths', 'mixed') then 'undecided'
        else 'not'
    end as verdict,
    judged.reason,
    judged.common,
    judged.compared,
    judged.same,
    judged.full_same,
    cast(judged.lower_milli as double) / 1000 as lower_bound,
    cast(judged.upper_milli as double) / 1000 as upper_bound,
    judged.texts,
    judged.other_languages,
    judged.other_offers,
    judged.carved,
    judged.contrary,
    judged.contrary_strata,
    judged.redirect_keys,
    judged.redirect_kept,
    judged.example,
    host_candidate.bodies,
    host_candidate.texts as shared_texts,
    host_candidate.paths as shared_paths,
    host_candidate.names as shared_names,
    host_candidate.canonicals
from judged
inner join host_candidate
    on judged.left_host = host_candidate.left_host
    and judged.right_host = host_candidate.right_host
