-- stage:      component
-- reads:      edge
-- operator:   component
-- invariant:  lowest  component <= document
-- cost:       union-find, 16 bytes a document of an edge
-- why:        components are units of work; clusters are cut from them
select
    edge.left_document,
    edge.right_document
from edge
where edge.guard is null
