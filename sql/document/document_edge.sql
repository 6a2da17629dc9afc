-- stage:      document_edge
-- reads:      candidate, closure_edge, edge, page, page_document, page_trait
-- param:      layout_slots_min  int  equal slots of 64 of pages with the same layout
-- invariant:  ordered  left_page_id < right_page_id
-- invariant:  share    resemblance between 0 and 1
-- cost:       joins on numbers
-- why:        every pair that was merged or refused, with its figures; equal texts as a star
-- [generated from src/schema.rs, do not edit]
-- writes:     document_edge  one row a pair of pages at or above the threshold
-- key:        left_page_id, right_page_id
-- column:     left_page_id       binary   not null  page with the smaller id
-- column:     right_page_id      binary   not null  page with the larger id
-- column:     kind               varchar  not null  what they share: content, a part of it, layout
-- column:     class              varchar            class of the pair, which decides the least
--                                                   resemblance
-- column:     tier               varchar            merge, group, suggest or none
-- column:     source             varchar  not null  how it was found: digest, bucket, declared,
--                                                   closure
-- column:     resemblance        double   not null  exact resemblance of the shingle sets
-- column:     containment_left   double   not null  share of the left set in the right
-- column:     containment_right  double   not null  share of the right set in the left
-- column:     hamming            int      not null  bits in which the SimHashes differ
-- column:     shared_bands       bigint             MinHash buckets in which the pair met
-- column:     shared_blocks      bigint             SimHash block keys in which the pair met
-- column:     words              int                words that differ; NULL when they are too many
-- column:     numbers            varchar            what the numbers, versions, architectures that
--                                                   differ are
-- column:     layout             double             estimated resemblance of their layouts
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
        edge.class,
        edge.layout_slots,
        edge.words,
        edge.numbers,
        edge.tier,
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
        closure_edge.class,
        closure_edge.layout_slots,
        closure_edge.words,
        closure_edge.numbers,
        closure_edge.tier,
        closure_edge.guard,
        'closure' as source
    from closure_edge

)

select
    left_page.page_id as left_page_id,
    right_page.page_id as right_page_id,
    case when found.tier in ('merge', 'group') then 'same_content' else 'partial_content' end
        || case
            when found.layout_slots >= cast($layout_slots_min as int) then '_same_layout'
            else ''
        end as kind,
    found.class,
    found.tier,
    case
        when found.source = 'bucket'
            and candidate.shared_bands + candidate.shared_blocks + candidate.shared_samples = 0
            then 'declared'
        else found.source
    end as source,
    cast(found.shared as double) / cast(found.joined as double) as resemblance,
    cast(found.shared as double) / cast(found.left_shingles as double) as containment_left,
    cast(found.shared as double) / cast(found.right_shingles as double) as containment_right,
    found.hamming,
    candidate.shared_bands,
    candidate.shared_blocks,
    found.words,
    found.numbers,
    cast(found.layout_slots as double) / 64 as layout,
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
    'same_content'
        || case
            when equal_slots(delegate_trait.layout, page_trait.layout)
                >= cast($layout_slots_min as int)
                then '_same_layout'
            else ''
        end as kind,
    'equal' as class,
    'merge' as tier,
    'digest' as source,
    cast(1 as double) as resemblance,
    cast(1 as double) as containment_left,
    cast(1 as double) as containment_right,
    cast(0 as int) as hamming,
    cast(null as bigint) as shared_bands,
    cast(null as bigint) as shared_blocks,
    cast(0 as int) as words,
    'none' as numbers,
    cast(equal_slots(delegate_trait.layout, page_trait.layout) as double) / 64 as layout,
    'accepted' as outcome,
    cast(null as varchar) as guard
from page_document
inner join page
    on page_document.page = page.page
inner join page as delegate
    on page_document.document = delegate.page
left join page_trait
    on page_document.page = page_trait.page
left join page_trait as delegate_trait
    on page_document.document = delegate_trait.page
where page_document.document < page_document.page
