-- stage:      host_pointer
-- reads:      declaration, host_page, redirect_chain
-- cost:       joins over the keys that declare
-- why:        redirects and canonicals that lead from one host to another; a redirect keeps the
--             path where only the host changes
-- [generated from src/schema.rs, do not edit]
-- writes:     host_pointer  one row a kind and two hosts of which one points at the other
-- key:        kind, from_host, to_host
-- column:     kind        varchar  not null  redirect or canonical
-- column:     from_host   varchar  not null  host that points
-- column:     to_host     varchar  not null  host that is pointed at
-- column:     keys        bigint   not null  keys that point
-- column:     kept_paths  bigint   not null  of them, surely and with the path unchanged
-- column:     host_keys   bigint   not null  keys of the host that points
-- column:     is_known    boolean  not null  whether the other host was fetched
-- [end]
with

pointing as (

    select
        'redirect' as kind,
        redirect_chain.url_key,
        redirect_chain.final_key,
        redirect_chain.is_permanent and not redirect_chain.is_open as is_sure
    from redirect_chain
    union all
    select
        'canonical' as kind,
        declaration.url_key,
        declaration.target_key as final_key,
        declaration.is_usable as is_sure
    from declaration
    where declaration.kind = 'canonical'
        and declaration.target_key is not null

),

placed as (

    select
        pointing.kind,
        split_part(pointing.url_key, '/', 1) || '//' || split_part(pointing.url_key, '/', 3)
            as from_host,
        split_part(pointing.final_key, '/', 1) || '//' || split_part(pointing.final_key, '/', 3)
            as to_host,
        pointing.url_key,
        pointing.final_key,
        pointing.is_sure
    from pointing
    where pointing.url_key not like 'id:%'
        and pointing.final_key not like 'id:%'

),

counted as (

    select
        placed.kind,
        placed.from_host,
        placed.to_host,
        count(distinct placed.url_key) as keys,
        count(distinct case
            when placed.is_sure
                and substr(placed.url_key, character_length(placed.from_host) + 1)
                    = substr(placed.final_key, character_length(placed.to_host) + 1)
                then placed.url_key
        end) as kept_paths
    from placed
    where placed.from_host <> placed.to_host
    group by placed.kind, placed.from_host, placed.to_host

),

known as (

    select
        host_page.host,
        count(*) as keys
    from host_page
    group by host_page.host

)

select
    counted.kind,
    counted.from_host,
    counted.to_host,
    counted.keys,
    counted.kept_paths,
    from_known.keys as host_keys,
    to_known.host is not null as is_known
from counted
inner join known as from_known
    on counted.from_host = from_known.host
left join known as to_known
    on counted.to_host = to_known.host
