-- stage:      document_edge
-- reads:      candidate, closure_edge, edge, page, page_document
-- invariant:  ordered  left_page_id < right_page_id
-- invariant:  share    resemblance between 0 and 1
-- cost:       joins on numbers
-- why:        every pair that was merged or refused, with its figures; equal texts as a star
-- [generated from src/schema.rs, do not edit]
-- writes:     document_edge  one row a pair of pages at or above the threshold
-- key:        left_page_id, right_page_id
-- column:     left_page_id       binary   not null  page with the smaller id
-- column:     right_page_id      binary   not null  page with the larger id
-- column:     kind               varchar  not null  equal_text or resemblance
-- column:     source             varchar  not null  how it was found: digest, bucket, declared,
--                                                   closure
-- column:     resemblance        double   not null  exact resemblance of the shingle sets
-- column:     containment_left   double   not null  share of the left set in the right
-- column:     containment_right  double   not null  share of the right set in the left
-- column:     hamming            int      not null  bits in which the SimHashes differ
-- column:     shared_bands       bigint             MinHash buckets in which the pair met
-- column:     shared_blocks      bigint             SimHash block keys in which the pair met
-- column:     outcome            varchar  not null  accepted or refused
-- column:     guard              varchar            the guard that refused it
-- [end]
with

found as (

    select
        edge.left_document,
        edge.right_document,
        edge.shared,
        edge.joined,
        edge.left_shingles,
        edge.right_shingles,
        edge.hamming,
        edge.guard,
        'bucket' as source
    from edge
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document,
        closure_edge.shared,
        closure_edge.joined,
        closure_edge.left_shingles,
        closure_edge.right_shingles,
        closure_edge.hamming,
        closure_edge.guard,
        'closure' as source
    from closure_edge

)

select
    left_page.page_id as left_page_id,
    right_page.page_id as right_page_id,
    'resemblance' as kind,
    case
        when found.source = 'bucket' and candidate.shared_bands + candidate.shared_blocks = 0
            then 'declared'
        else found.source
    end as source,
    cast(found.shared as double) / cast(found.joined as double) as resemblance,
    cast(found.shared as double) / cast(found.left_shingles as double) as containment_left,
    cast(found.shared as double) / cast(found.right_shingles as double) as containment_right,
    found.hamming,
    candidate.shared_bands,
    candidate.shared_blocks,
    case when found.guard is null then 'accepted' else 'refused' end as outcome,
    found.guard
from found
inner join page as left_page
    on found.left_document = left_page.page
inner join page as right_page
    on found.right_document = right_page.page
left join candidate
    on found.left_document = candidate.left_document
    and found.right_document = candidate.right_document
union all
select
    delegate.page_id as left_page_id,
    page.page_id as right_page_id,
    'equal_text' as kind,
    'digest' as source,
    cast(1 as double) as resemblance,
    cast(1 as double) as containment_left,
    cast(1 as double) as containment_right,
    cast(0 as int) as hamming,
    cast(null as bigint) as shared_bands,
    cast(null as bigint) as shared_blocks,
    'accepted' as outcome,
    cast(null as varchar) as guard
from page_document
inner join page
    on page_document.page = page.page
inner join page as delegate
    on page_document.document = delegate.page
where page_document.document < page_document.page
