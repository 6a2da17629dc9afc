-- stage:      leader
-- reads:      component, edge
-- operator:   leader
-- invariant:  ranked  rank >= 1
-- cost:       sorts the edges of one component at a time
-- why:        the document with most edges reaches most members without chaining
-- [generated from src/schema.rs, do not edit]
-- writes:     leader  one row a document with at least one accepted edge
-- key:        document
-- column:     document   bigint   not null  document
-- column:     component  bigint   not null  component it belongs to
-- column:     rank       bigint   not null  place in its component by degree, then number, from 1
-- column:     is_leader  boolean  not null  whether no earlier leader is its neighbour
-- [end]
select
    component.component,
    edge.left_document,
    edge.right_document
from edge
inner join component
    on edge.left_document = component.document
where edge.guard is null
