-- stage:      redirect_chain
-- reads:      redirect_hop
-- invariant:  bounded  hops between 1 and 16
-- cost:       four doublings: nine joins over the keys that redirect
-- why:        pointer doubling: after one doubling every key knows the end of two hops, after
--             four of sixteen. A chain that goes on is a loop, or longer than a crawler follows
-- [generated from src/schema.rs, do not edit]
-- writes:     redirect_chain  one row a key that redirects
-- key:        url_key
-- column:     url_key       varchar  not null  key that redirects
-- column:     target_key    varchar  not null  key of the next hop
-- column:     final_key     varchar  not null  key at the end of the chain
-- column:     hops          bigint   not null  redirects up to there
-- column:     is_permanent  boolean  not null  whether every hop is permanent
-- column:     is_open       boolean  not null  whether the chain goes on: a loop, or too long
-- [end]
with

hop_1 as (

    select
        redirect_hop.url_key,
        redirect_hop.target_key,
        redirect_hop.target_key as final_key,
        cast(1 as bigint) as hops,
        redirect_hop.is_permanent
    from redirect_hop

),

hop_2 as (

    select
        near.url_key,
        near.target_key,
        coalesce(far.final_key, near.final_key) as final_key,
        near.hops + coalesce(far.hops, 0) as hops,
        near.is_permanent and coalesce(far.is_permanent, true) as is_permanent
    from hop_1 as near
    left join hop_1 as far
        on near.final_key = far.url_key

),

hop_4 as (

    select
        near.url_key,
        near.target_key,
        coalesce(far.final_key, near.final_key) as final_key,
        near.hops + coalesce(far.hops, 0) as hops,
        near.is_permanent and coalesce(far.is_permanent, true) as is_permanent
    from hop_2 as near
    left join hop_2 as far
        on near.final_key = far.url_key

),

hop_8 as (

    select
        near.url_key,
        near.target_key,
        coalesce(far.final_key, near.final_key) as final_key,
        near.hops + coalesce(far.hops, 0) as hops,
        near.is_permanent and coalesce(far.is_permanent, true) as is_permanent
    from hop_4 as near
    left join hop_4 as far
        on near.final_key = far.url_key

),

hop_16 as (

    select
        near.url_key,
        near.target_key,
        coalesce(far.final_key, near.final_key) as final_key,
        near.hops + coalesce(far.hops, 0) as hops,
        near.is_permanent and coalesce(far.is_permanent, true) as is_permanent
    from hop_8 as near
    left join hop_8 as far
        on near.final_key = far.url_key

)

select
    hop_16.url_key,
    hop_16.target_key,
    hop_16.final_key,
    hop_16.hops,
    hop_16.is_permanent,
    redirect_hop.url_key is not null as is_open
from hop_16
left join redirect_hop
    on hop_16.final_key = redirect_hop.url_key
