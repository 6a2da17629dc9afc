-- stage:      component
-- reads:      edge
-- operator:   component
-- invariant:  lowest  component <= document
-- cost:       union-find, 16 bytes a document of an edge
-- why:        components are units of work; clusters are cut from them
-- [generated from src/schema.rs, do not edit]
-- writes:     component  one row a document with at least one accepted edge
-- key:        document
-- column:     document   bigint  not null  document
-- column:     component  bigint  not null  smallest document it is connected to
-- [end]
select
    edge.left_document,
    edge.right_document
from edge
where edge.guard is null
