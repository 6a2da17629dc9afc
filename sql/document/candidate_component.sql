-- stage:      candidate_component
-- reads:      candidate
-- operator:   component
-- invariant:  lowest  component <= document
-- cost:       union-find, 16 bytes a document of a pair
-- why:        documents of one component are verified side by side, so a shingle set is built once
-- [generated from src/schema.rs, do not edit]
-- writes:     candidate_component  one row a document of a kept candidate pair
-- key:        document
-- column:     document   bigint  not null  document
-- column:     component  bigint  not null  smallest document it is connected to
-- [end]
select
    candidate.left_document,
    candidate.right_document
from candidate
where candidate.is_kept
