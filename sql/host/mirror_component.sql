-- stage:      mirror_component
-- reads:      host_page, mirror_edge
-- operator:   component
-- invariant:  lowest  component <= host_page
-- cost:       union-find over hosts
-- why:        hosts that mirror each other as a whole are one group, before each member is held
--             against the main mirror. A host's number is its smallest page
-- [generated from src/schema.rs, do not edit]
-- writes:     mirror_component  one row a host with at least one edge of whole hosts
-- key:        host_page
-- column:     host_page  bigint  not null  number of the host: its smallest page
-- column:     component  bigint  not null  smallest host it is connected to
-- [end]
with

number as (

    select
        host_page.host,
        min(host_page.page) as host_page
    from host_page
    group by host_page.host

)

select
    left_number.host_page as left_host_page,
    right_number.host_page as right_host_page
from mirror_edge
inner join number as left_number
    on mirror_edge.left_host = left_number.host
inner join number as right_number
    on mirror_edge.right_host = right_number.host
where mirror_edge.verdict = 'mirror'
