-- stage:      leader
-- reads:      component, edge
-- operator:   leader
-- invariant:  ranked  rank >= 1
-- cost:       sorts the edges of one component at a time
-- why:        the document with most edges reaches most members without chaining
select
    component.component,
    edge.left_document,
    edge.right_document
from edge
inner join component
    on edge.left_document = component.document
where edge.guard is null
