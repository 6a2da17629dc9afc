-- stage:      mirror
-- reads:      main_mirror, mirror_edge
-- param:      upper_max_milli  int  highest upper bound of what is none
-- join:       hash
-- cost:       joins of the edges of one pair of hosts
-- why:        from which host and prefix to which: a whole host to its main mirror, a folder to
--             the same folder elsewhere, and folders that are carved out because they show
--             something else. Of several rows the one with the longest prefix counts
-- [generated from src/schema.rs, do not edit]
-- writes:     mirror  one row a host and a prefix that another host mirrors, or that is carved out
-- key:        from_host, from_prefix
-- column:     from_host    varchar  not null  host whose URLs are mapped
-- column:     from_prefix  varchar  not null  prefix of their paths
-- column:     to_host      varchar  not null  host that they are mapped to
-- column:     to_prefix    varchar  not null  prefix that takes the place
-- column:     scope        varchar  not null  mirror, partial or carved
-- column:     reason       varchar  not null  what decided
-- column:     common       bigint   not null  paths that both have
-- column:     compared     bigint   not null  paths of the sample
-- column:     same         bigint   not null  of them, with one main text
-- column:     lower_bound  double   not null  lower bound of the share, 95 %
-- [end]
with

sided as (

    select
        mirror_edge.left_host as from_host,
        mirror_edge.left_prefix as from_prefix,
        mirror_edge.right_host as to_host,
        mirror_edge.right_prefix as to_prefix,
        mirror_edge.verdict,
        mirror_edge.reason,
        mirror_edge.common,
        mirror_edge.compared,
        mirror_edge.same,
        mirror_edge.lower_bound,
        mirror_edge.upper_bound
    from mirror_edge
    union all
    select
        mirror_edge.right_host as from_host,
        mirror_edge.right_prefix as from_prefix,
        mirror_edge.left_host as to_host,
        mirror_edge.left_prefix as to_prefix,
        mirror_edge.verdict,
        mirror_edge.reason,
        mirror_edge.common,
        mirror_edge.compared,
        mirror_edge.same,
        mirror_edge.lower_bound,
        mirror_edge.upper_bound
    from mirror_edge

),

-- Hosts of one group map to their main mirror; parts of hosts to the host with more points.
directed as (

    select
        sided.from_host,
        sided.from_prefix,
        sided.to_host,
        sided.to_prefix,
        sided.verdict,
        sided.reason,
        sided.common,
        sided.compared,
        sided.same,
        sided.lower_bound,
        sided.upper_bound
    from sided
    inner join main_mirror as from_mirror
        on sided.from_host = from_mirror.host
    inner join main_mirror as to_mirror
        on sided.to_host = to_mirror.host
    where case
            when sided.verdict = 'mirror' then from_mirror.main_mirror = sided.to_host
            when from_mirror.main_mirror = to_mirror.main_mirror
                then from_mirror.main_mirror = sided.to_host
            when from_mirror.is_away <> to_mirror.is_away then from_mirror.is_away
            when from_mirror.score_milli <> to_mirror.score_milli
                then from_mirror.score_milli < to_mirror.score_milli
            when character_length(sided.from_prefix) <> character_length(sided.to_prefix)
                then character_length(sided.from_prefix) > character_length(sided.to_prefix)
            when character_length(sided.from_host) <> character_length(sided.to_host)
                then character_length(sided.from_host) > character_length(sided.to_host)
            else sided.from_host > sided.to_host
        end

),

-- What holds, and what speaks against it; the rest says nothing of what lies above.
said as (

    select
        directed.from_host,
        directed.from_prefix,
        directed.to_host,
        directed.to_prefix,
        directed.verdict in ('mirror', 'partial') as is_passed,
        directed.verdict,
        directed.reason,
        directed.common,
        directed.compared,
        directed.same,
        directed.lower_bound
    from directed
    where directed.verdict in ('mirror', 'partial')
        or (
            directed.verdict = 'not'
            and directed.upper_bound * 1000 < cast($upper_max_milli as int)
        )

),

-- The nearest prefix above with the same swap.
above as (

    select
        said.from_host,
        said.from_prefix,
        said.to_host,
        said.to_prefix,
        first_value(higher.is_passed order by character_length(higher.from_prefix) desc)
            as is_passed
    from said
    inner join said as higher
        on said.from_host = higher.from_host
        and said.to_host = higher.to_host
    where character_length(higher.from_prefix) < character_length(said.from_prefix)
        and starts_with(said.from_prefix, higher.from_prefix)
        and said.to_prefix
            = higher.to_prefix
                || substr(said.from_prefix, character_length(higher.from_prefix) + 1)
    group by said.from_host, said.from_prefix, said.to_host, said.to_prefix

),

-- What says the same as the prefix above it is part of that one; what speaks against a prefix that
-- holds is carved out of it.
mapped as (

    select
        said.from_host,
        said.from_prefix,
        case when said.is_passed then said.to_host else said.from_host end as to_host,
        case when said.is_passed then said.to_prefix else said.from_prefix end as to_prefix,
        case when said.is_passed then said.verdict else 'carved' end as verdict,
        said.reason,
        said.common,
        said.compared,
        said.same,
        said.lower_bound
    from said
    left join above
        on said.from_host = above.from_host
        and said.from_prefix = above.from_prefix
        and said.to_host = above.to_host
        and said.to_prefix = above.to_prefix
    where said.is_passed <> coalesce(above.is_passed, false)

),

-- A prefix may be part of several hosts: the best proved one is the mapping.
best as (

    select
        mapped.from_host,
        mapped.from_prefix,
        first_value(
            named_struct(
                'to_host', mapped.to_host,
                'to_prefix', mapped.to_prefix,
                'verdict', mapped.verdict,
                'reason', mapped.reason,
                'common', mapped.common,
                'compared', mapped.compared,
                'same', mapped.same,
                'lower_bound', mapped.lower_bound
            )
            order by
                case mapped.verdict when 'mirror' then 0 when 'partial' then 1 else 2 end,
                mapped.lower_bound desc,
                mapped.compared desc,
                mapped.to_host,
                mapped.to_prefix
        ) as target
    from mapped
    group by mapped.from_host, mapped.from_prefix

)

select
    best.from_host,
    best.from_prefix,
    best.target['to_host'] as to_host,
    best.target['to_prefix'] as to_prefix,
    best.target['verdict'] as scope,
    best.target['reason'] as reason,
    best.target['common'] as common,
    best.target['compared'] as compared,
    best.target['same'] as same,
    best.target['lower_bound'] as lower_bound
from best
