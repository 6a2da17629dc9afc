-- stage:      resemblance
-- reads:      candidate, candidate_component, shingle
-- operator:   verify
-- invariant:  ordered  left_document < right_document
-- invariant:  shared   shared <= least(left_shingles, right_shingles)
-- cost:       one merge of two sorted sets a pair; memory of one component's sets
-- why:        exact resemblance of every kept pair: a signature proposes, it never decides
-- [generated from src/schema.rs, do not edit]
-- writes:     resemblance  one row a verified candidate pair
-- key:        left_document, right_document
-- column:     left_document   bigint  not null  document with the smaller number
-- column:     right_document  bigint  not null  document with the larger number
-- column:     shared          bigint  not null  shingles that both hold
-- column:     left_shingles   bigint  not null  distinct shingles of the left document
-- column:     right_shingles  bigint  not null  distinct shingles of the right document
-- [end]
select
    shingle.component,
    cast(null as bigint) as left_document,
    shingle.document as right_document,
    shingle.shingles
from shingle
union all
select
    candidate_component.component,
    candidate.left_document,
    candidate.right_document,
    cast(null as bytea) as shingles
from candidate
inner join candidate_component
    on candidate.left_document = candidate_component.document
where candidate.is_kept
