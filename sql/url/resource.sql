-- stage:      resource
-- reads:      current_page, resource_component, url_edge
-- invariant:  shared  keys >= 2
-- cost:       one group-by over the keys of accepted edges
-- why:        the key that stands for a resource is the one that the others point at: it points
--             nowhere itself. In a loop the order decides: https, the shorter key, the smaller key
-- [generated from src/schema.rs, do not edit]
-- writes:     resource  one row a key that shares its resource with another
-- key:        url_key
-- column:     url_key        varchar  not null  canonical key
-- column:     canonical_url  varchar  not null  key that stands for it
-- column:     is_canonical   boolean  not null  whether this key is that one
-- column:     reason         varchar  not null  why that one: target, or order in a loop
-- column:     keys           bigint   not null  keys of the resource
-- [end]
with

source as (

    select distinct url_edge.url_key
    from url_edge
    where url_edge.outcome = 'accepted'

),

joined as (

    select
        resource_component.component,
        current_page.url_key,
        source.url_key is not null as is_source
    from resource_component
    inner join current_page
        on resource_component.key = current_page.key
    left join source
        on current_page.url_key = source.url_key

),

chosen as (

    select
        joined.component,
        first_value(
            joined.url_key
            order by
                case when joined.is_source then 1 else 0 end,
                case when joined.url_key like 'https:%' then 0 else 1 end,
                character_length(joined.url_key),
                joined.url_key
        ) as canonical_url,
        bool_and(joined.is_source) as is_loop,
        count(*) as keys
    from joined
    group by joined.component

)

select
    joined.url_key,
    chosen.canonical_url,
    joined.url_key = chosen.canonical_url as is_canonical,
    case when chosen.is_loop then 'order' else 'target' end as reason,
    chosen.keys
from joined
inner join chosen
    on joined.component = chosen.component
