-- stage:      resource_component
-- reads:      resolved_declaration, url_edge
-- operator:   component
-- invariant:  lowest  component <= key
-- cost:       union-find, 16 bytes a key of an edge
-- why:        keys that redirects and canonicals join are one resource
-- [generated from src/schema.rs, do not edit]
-- writes:     resource_component  one row a key with at least one accepted edge
-- key:        key
-- column:     key        bigint  not null  number of the key
-- column:     component  bigint  not null  smallest key it is connected to
-- [end]
select
    resolved_declaration.key as left_key,
    resolved_declaration.final as right_key
from resolved_declaration
inner join url_edge
    on resolved_declaration.url_key = url_edge.url_key
    and resolved_declaration.kind = url_edge.kind
    and resolved_declaration.target_url = url_edge.target_url
where url_edge.outcome = 'accepted'
