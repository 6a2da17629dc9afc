-- stage:      main_mirror
-- reads:      host_page, host_pointer, mirror_component, mirror_edge
-- param:      away_share_milli  int  share of redirects to other hosts that rules a host out
-- invariant:  member  members >= 1
-- cost:       group-bys over hosts and their edges
-- why:        the main mirror of a group by points: stable redirects and canonicals that lead to
--             it, https, answers, age; then the shorter and the smaller name. A member whose own
--             edge to the main mirror does not hold leaves the group
-- [generated from src/schema.rs, do not edit]
-- writes:     main_mirror  one row a host
-- key:        host
-- column:     host             varchar  not null  scheme, name and port
-- column:     main_mirror      varchar  not null  host that stands for it
-- column:     reason           varchar  not null  main, member, no_direct_edge or alone
-- column:     members          bigint   not null  hosts of its component
-- column:     score_milli      bigint   not null  sum of the points, thousandths
-- column:     redirect_milli   bigint   not null  points for redirects of other members
-- column:     canonical_milli  bigint   not null  points for canonicals of other members
-- column:     scheme_milli     bigint   not null  points for https
-- column:     answer_milli     bigint   not null  points for pages that passed the gate
-- column:     age_milli        bigint   not null  points for the first fetch of the group
-- column:     name_milli       bigint   not null  points against names such as m. and cdn.
-- column:     is_away          boolean  not null  whether it only redirects to other hosts
-- [end]
with

observed as (

    select
        host_page.host,
        min(host_page.page) as host_page,
        count(*) as keys,
        count(*) filter (where host_page.gate = 'ok') as answers,
        min(host_page.newest) as oldest
    from host_page
    group by host_page.host

),

away as (

    select
        host_pointer.from_host as host,
        sum(host_pointer.keys) as keys
    from host_pointer
    where host_pointer.kind = 'redirect'
    group by host_pointer.from_host

),

member as (

    select
        observed.host,
        mirror_component.component,
        observed.keys,
        observed.answers,
        observed.oldest,
        coalesce(away.keys, 0) as away
    from observed
    left join mirror_component
        on observed.host_page = mirror_component.host_page
    left join away
        on observed.host = away.host

),

-- What other members of the group point at.
pointed as (

    select
        target.host,
        sum(host_pointer.kept_paths) filter (where host_pointer.kind = 'redirect') as redirects,
        sum(source.keys) filter (where host_pointer.kind = 'redirect') as redirect_keys,
        sum(host_pointer.keys) filter (where host_pointer.kind = 'canonical') as canonicals,
        sum(source.keys) filter (where host_pointer.kind = 'canonical') as canonical_keys
    from host_pointer
    inner join member as source
        on host_pointer.from_host = source.host
    inner join member as target
        on host_pointer.to_host = target.host
        and source.component = target.component
    group by target.host

),

grouped as (

    select
        member.component,
        min(member.oldest) as oldest,
        count(*) as members
    from member
    where member.component is not null
    group by member.component

),

pointed_member as (

    select
        member.host,
        member.component,
        member.away * 1000 >= member.keys * cast($away_share_milli as int) as is_away,
        8000 * coalesce(pointed.redirects, 0) / greatest(coalesce(pointed.redirect_keys, 1), 1)
            as redirect_points,
        4000 * least(coalesce(pointed.canonicals, 0), coalesce(pointed.canonical_keys, 0))
            / greatest(coalesce(pointed.canonical_keys, 1), 1)
            as canonical_points,
        case when starts_with(member.host, 'https:') then 2000 else 0 end as scheme_points,
        1000 * member.answers / member.keys as answer_points,
        case when member.oldest = grouped.oldest then 500 else 0 end as age_points,
        case when is_lesser_host(member.host) then -4000 else 0 end as name_points,
        grouped.members
    from member
    left join pointed
        on member.host = pointed.host
    left join grouped
        on member.component = grouped.component

),

scored as (

    select
        pointed_member.host,
        pointed_member.component,
        pointed_member.is_away,
        pointed_member.redirect_points,
        pointed_member.canonical_points,
        pointed_member.scheme_points,
        pointed_member.answer_points,
        pointed_member.age_points,
        pointed_member.name_points,
        pointed_member.members,
        pointed_member.redirect_points
            + pointed_member.canonical_points
            + pointed_member.scheme_points
            + pointed_member.answer_points
            + pointed_member.age_points
            + pointed_member.name_points
            as score
    from pointed_member

),

chosen as (

    select
        scored.component,
        first_value(
            scored.host
            order by
                case when scored.is_away then 1 else 0 end,
                scored.score desc,
                character_length(scored.host),
                scored.host
        ) as main_mirror
    from scored
    where scored.component is not null
    group by scored.component

),

held as (

    select
        scored.host,
        chosen.main_mirror,
        scored.is_away,
        scored.redirect_points,
        scored.canonical_points,
        scored.scheme_points,
        scored.answer_points,
        scored.age_points,
        scored.name_points,
        scored.members,
        scored.score,
        scored.host = chosen.main_mirror or mirror_edge.left_host is not null as is_held
    from scored
    left join chosen
        on scored.component = chosen.component
    left join mirror_edge
        on least(scored.host, chosen.main_mirror) = mirror_edge.left_host
        and greatest(scored.host, chosen.main_mirror) = mirror_edge.right_host
        and mirror_edge.verdict = 'mirror'

)

select
    held.host,
    case when coalesce(held.is_held, false) then held.main_mirror else held.host end
        as main_mirror,
    case
        when held.main_mirror is null then 'alone'
        when not held.is_held then 'no_direct_edge'
        when held.host = held.main_mirror then 'main'
        else 'member'
    end as reason,
    coalesce(held.members, 1) as members,
    held.score as score_milli,
    held.redirect_points as redirect_milli,
    held.canonical_points as canonical_milli,
    held.scheme_points as scheme_milli,
    held.answer_points as answer_milli,
    held.age_points as age_milli,
    held.name_points as name_milli,
    held.is_away
from held
