-- stage:      candidate_component
-- reads:      candidate
-- operator:   component
-- invariant:  lowest  component <= document
-- cost:       union-find, 16 bytes a document of a pair
-- why:        documents of one component are verified side by side, so a shingle set is built once
select
    candidate.left_document,
    candidate.right_document
from candidate
where candidate.is_kept
