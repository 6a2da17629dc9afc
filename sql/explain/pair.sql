-- query:      pair
-- reads:      candidate, closure_edge, closure_resemblance, edge, resemblance
-- param:      left_document   bigint  document with the smaller number
-- param:      right_document  bigint  document with the larger number
-- why:        how far the pair came: met, kept, verified, at the threshold, accepted
with

asked as (

    select
        cast($left_document as bigint) as left_document,
        cast($right_document as bigint) as right_document

),

verified as (

    select
        resemblance.left_document,
        resemblance.right_document,
        'bucket' as source,
        resemblance.shared,
        resemblance.left_shingles,
        resemblance.right_shingles
    from resemblance
    union all
    select
        closure_resemblance.left_document,
        closure_resemblance.right_document,
        'closure' as source,
        closure_resemblance.shared,
        closure_resemblance.left_shingles,
        closure_resemblance.right_shingles
    from closure_resemblance

),

tied as (

    select
        edge.left_document,
        edge.right_document,
        edge.hamming,
        edge.guard
    from edge
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document,
        closure_edge.hamming,
        closure_edge.guard
    from closure_edge

)

select
    candidate.left_document is not null as is_met,
    coalesce(candidate.is_kept, false) as is_kept,
    candidate.shared_bands,
    candidate.shared_blocks,
    candidate.equal_slots,
    coalesce(candidate.hamming, tied.hamming) as hamming,
    verified.source,
    verified.shared,
    verified.left_shingles,
    verified.right_shingles,
    tied.left_document is not null as is_edge,
    tied.guard
from asked
left join candidate
    on asked.left_document = candidate.left_document
    and asked.right_document = candidate.right_document
left join verified
    on asked.left_document = verified.left_document
    and asked.right_document = verified.right_document
left join tied
    on asked.left_document = tied.left_document
    and asked.right_document = tied.right_document
