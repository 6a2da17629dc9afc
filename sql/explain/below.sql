-- query:      below
-- reads:      closure_edge, closure_resemblance, edge, member, page, resemblance
-- param:      document  bigint  document
-- param:      limit     bigint  rows
-- why:        pairs that were verified and are below the threshold, the nearest first
with

verified as (

    select
        resemblance.left_document,
        resemblance.right_document,
        resemblance.shared,
        resemblance.left_shingles + resemblance.right_shingles - resemblance.shared as joined
    from resemblance
    left join edge
        on resemblance.left_document = edge.left_document
        and resemblance.right_document = edge.right_document
    where edge.left_document is null
        and (
            resemblance.left_document = cast($document as bigint)
            or resemblance.right_document = cast($document as bigint)
        )
    union all
    select
        closure_resemblance.left_document,
        closure_resemblance.right_document,
        closure_resemblance.shared,
        closure_resemblance.left_shingles + closure_resemblance.right_shingles
            - closure_resemblance.shared as joined
    from closure_resemblance
    left join closure_edge
        on closure_resemblance.left_document = closure_edge.left_document
        and closure_resemblance.right_document = closure_edge.right_document
    where closure_edge.left_document is null
        and (
            closure_resemblance.left_document = cast($document as bigint)
            or closure_resemblance.right_document = cast($document as bigint)
        )

),

other as (

    select
        verified.left_document + verified.right_document - cast($document as bigint) as document,
        cast(verified.shared as double) / cast(verified.joined as double) as resemblance
    from verified
    where verified.joined > 0

),

nearest as (

    select
        other.document,
        other.resemblance,
        count(*) over () as total
    from other
    order by other.resemblance desc, other.document
    limit cast($limit as bigint)

)

select
    encode(page.page_id, 'hex') as page_id,
    min(coalesce(member.url, member.id)) as address,
    nearest.resemblance,
    nearest.total
from nearest
inner join page
    on nearest.document = page.page
inner join member
    on page.page_id = member.page_id
group by page.page_id, nearest.document, nearest.resemblance, nearest.total
order by nearest.resemblance desc, nearest.document
