-- stage:      closure_resemblance
-- reads:      candidate_component, closure, shingle
-- operator:   verify
-- join:       hash
-- invariant:  ordered  left_document < right_document
-- invariant:  shared   shared <= least(left_shingles, right_shingles)
-- cost:       one merge of two sorted sets a pair; reads sets of components that have such pairs
-- why:        as for candidates: every figure is exact
-- [generated from src/schema.rs, do not edit]
-- writes:     closure_resemblance  one row a verified closure pair
-- key:        left_document, right_document
-- column:     left_document   bigint  not null  document with the smaller number
-- column:     right_document  bigint  not null  document with the larger number
-- column:     shared          bigint  not null  shingles that both hold
-- column:     left_shingles   bigint  not null  distinct shingles of the left document
-- column:     right_shingles  bigint  not null  distinct shingles of the right document
-- [end]
with

pair as (

    select
        candidate_component.component,
        closure.left_document,
        closure.right_document
    from closure
    inner join candidate_component
        on closure.left_document = candidate_component.document

),

needed as (

    select pair.left_document as document
    from pair
    union
    select pair.right_document as document
    from pair

)

select
    shingle.component,
    cast(null as bigint) as left_document,
    shingle.document as right_document,
    shingle.shingles
from needed
inner join shingle
    on needed.document = shingle.document
union all
select
    pair.component,
    pair.left_document,
    pair.right_document,
    cast(null as bytea) as shingles
from pair
