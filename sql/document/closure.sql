-- stage:      closure
-- reads:      leader, resemblance
-- param:      closure_limit  bigint  most comparisons of leaders with members in one component
-- invariant:  ordered        left_document < right_document
-- cost:       members times leaders of a component, bounded by closure_limit
-- why:        a member must be near its leader itself; pairs that never shared a bucket are
--             computed now, so that a cluster does not depend on the luck of the bands
-- [generated from src/schema.rs, do not edit]
-- writes:     closure  one row a leader and a member of its component that were never compared
-- key:        left_document, right_document
-- column:     left_document   bigint  not null  document with the smaller number
-- column:     right_document  bigint  not null  document with the larger number
-- [end]
with

size as (

    select
        leader.component,
        count(*) as documents
    from leader
    group by leader.component

),

first_leader as (

    select
        leader.component,
        leader.document,
        leader.rank
    from leader
    inner join size
        on leader.component = size.component
    where leader.is_leader
        and leader.rank * size.documents <= cast($closure_limit as bigint)

),

pair as (

    select distinct
        least(first_leader.document, leader.document) as left_document,
        greatest(first_leader.document, leader.document) as right_document
    from first_leader
    inner join leader
        on first_leader.component = leader.component
    where first_leader.document <> leader.document

)

select
    pair.left_document,
    pair.right_document
from pair
left join resemblance
    on pair.left_document = resemblance.left_document
    and pair.right_document = resemblance.right_document
where resemblance.left_document is null
