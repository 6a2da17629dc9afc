-- query:      pair
-- reads:      alternate_pair, candidate, closure_edge, closure_resemblance, document_edge, edge,
--             page, resemblance
-- param:      left_document   bigint  document with the smaller number
-- param:      right_document  bigint  document with the larger number
-- why:        how far the pair came: met, kept, verified, at the threshold, accepted; a document
--             has the number of its delegate page
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

-- What the pair is called where it is published.
published as (

    select
        left_page.page as left_document,
        right_page.page as right_document,
        document_edge.kind
    from document_edge
    inner join page as left_page
        on document_edge.left_page_id = left_page.page_id
    inner join page as right_page
        on document_edge.right_page_id = right_page.page_id
    where left_page.page = cast($left_document as bigint)
        and right_page.page = cast($right_document as bigint)

),

tied as (

    select
        edge.left_document,
        edge.right_document,
        edge.hamming,
        edge.class,
        edge.tier,
        edge.words,
        edge.numbers,
        edge.layout_slots,
        edge.guard
    from edge
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document,
        closure_edge.hamming,
        closure_edge.class,
        closure_edge.tier,
        closure_edge.words,
        closure_edge.numbers,
        closure_edge.layout_slots,
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
    alternate_pair.left_document is not null as is_alternate,
    published.kind,
    tied.class,
    tied.tier,
    tied.words,
    tied.numbers,
    cast(tied.layout_slots as double) / 64 as layout,
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
left join published
    on asked.left_document = published.left_document
    and asked.right_document = published.right_document
left join alternate_pair
    on asked.left_document = alternate_pair.left_document
    and asked.right_document = alternate_pair.right_document
