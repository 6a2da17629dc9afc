-- stage:      host_candidate
-- reads:      host_key, host_pointer
-- param:      key_hosts_max   int  most hosts of a key that proposes pairs
-- param:      paths_min       int  fewest common paths that propose a pair alone
-- param:      partners_max    int  most partners of a host that are tested
-- invariant:  ordered  left_host < right_host
-- cost:       pairs of hosts per key, at most the square of key_hosts_max / 2
-- why:        a rare key weighs more than a common one; pairs with equal texts or pointers are
--             always tested, of the others the heaviest
-- [generated from src/schema.rs, do not edit]
-- writes:     host_candidate  one row a pair of hosts that is tested
-- key:        left_host, right_host
-- column:     left_host   varchar  not null  scheme, name and port
-- column:     right_host  varchar  not null  scheme, name and port
-- column:     bodies      bigint   not null  texts under equal paths
-- column:     texts       bigint   not null  long texts under any paths
-- column:     paths       bigint   not null  equal paths
-- column:     names       bigint   not null  names in common
-- column:     redirects   bigint   not null  keys that redirect from one to the other
-- column:     canonicals  bigint   not null  keys that name the other as canonical
-- column:     weight      bigint   not null  sum of the weights of all these
-- [end]
with

usable as (

    select
        host_key.kind,
        host_key.key,
        host_key.host,
        host_key.hosts
    from host_key
    where host_key.hosts <= cast($key_hosts_max as int)

),

met as (

    select
        left_usable.host as left_host,
        right_usable.host as right_host,
        left_usable.kind,
        count(*) as keys,
        sum(
            case left_usable.kind
                when 'body' then 4000
                when 'text' then 2000
                when 'name' then 1500
                else 1000
            end / (left_usable.hosts - 1)
        ) as weight
    from usable as left_usable
    inner join usable as right_usable
        on left_usable.kind = right_usable.kind
        and left_usable.key = right_usable.key
    where left_usable.host < right_usable.host
    group by left_usable.host, right_usable.host, left_usable.kind

),

proposed as (

    select
        met.left_host,
        met.right_host,
        met.kind,
        met.keys,
        met.weight
    from met
    union all
    select
        least(host_pointer.from_host, host_pointer.to_host) as left_host,
        greatest(host_pointer.from_host, host_pointer.to_host) as right_host,
        host_pointer.kind,
        host_pointer.keys,
        host_pointer.keys * case host_pointer.kind when 'redirect' then 5000 else 3000 end
            as weight
    from host_pointer
    where host_pointer.is_known

),

paired as (

    select
        proposed.left_host,
        proposed.right_host,
        coalesce(sum(proposed.keys) filter (where proposed.kind = 'body'), 0) as bodies,
        coalesce(sum(proposed.keys) filter (where proposed.kind = 'text'), 0) as texts,
        coalesce(sum(proposed.keys) filter (where proposed.kind = 'path'), 0) as paths,
        coalesce(sum(proposed.keys) filter (where proposed.kind = 'name'), 0) as names,
        coalesce(sum(proposed.keys) filter (where proposed.kind = 'redirect'), 0) as redirects,
        coalesce(sum(proposed.keys) filter (where proposed.kind = 'canonical'), 0) as canonicals,
        sum(proposed.weight) as weight
    from proposed
    group by proposed.left_host, proposed.right_host

),

sided as (

    select
        paired.left_host as host,
        paired.left_host,
        paired.right_host,
        paired.weight
    from paired
    union all
    select
        paired.right_host as host,
        paired.left_host,
        paired.right_host,
        paired.weight
    from paired

),

ranked as (

    select
        sided.left_host,
        sided.right_host,
        row_number() over (
            partition by sided.host
            order by sided.weight desc, sided.left_host, sided.right_host
        ) as place
    from sided

),

best as (

    select
        ranked.left_host,
        ranked.right_host,
        min(ranked.place) as place
    from ranked
    group by ranked.left_host, ranked.right_host

)

select
    paired.left_host,
    paired.right_host,
    paired.bodies,
    paired.texts,
    paired.paths,
    paired.names,
    paired.redirects,
    paired.canonicals,
    paired.weight
from paired
inner join best
    on paired.left_host = best.left_host
    and paired.right_host = best.right_host
where paired.bodies + paired.texts + paired.redirects + paired.canonicals > 0
    or (
        best.place <= cast($partners_max as int)
        and (paired.names > 0 or paired.paths >= cast($paths_min as int))
    )
