-- stage:      document_cluster
-- reads:      closure_edge, closure_resemblance, edge, leader, resemblance, text
-- param:      resemblance_min_milli  int      least resemblance of an edge, in thousandths
-- param:      floor_slack_milli      int      how far below it a representative may be
-- param:      is_leader_policy       boolean  leader clusters; false publishes plain components
-- param:      clusterer              varchar  the method that clusters
-- operator:   cluster resemblance_min_milli floor_slack_milli is_leader_policy clusterer
-- cost:       sorts the pairs of one component at a time
-- why:        leaders by degree, then number; a member joins the leader of highest resemblance.
--             A pair that a guard of words or of facts refuses is never inside one cluster.
--             The representative is the longest text whose every pair with the other members is
--             known and at most floor_slack_milli below the threshold; else the medoid stands.
-- [generated from src/schema.rs, do not edit]
-- writes:     document_cluster  one row a document with at least one accepted edge
-- key:        document
-- column:     document               bigint   not null  document
-- column:     component              bigint   not null  component it belongs to
-- column:     medoid                 bigint   not null  document to which every member was compared
-- column:     representative         bigint   not null  document that stands for the cluster
-- column:     reason                 varchar  not null  why that one
-- column:     medoid_shared          bigint             shingles shared with the medoid
-- column:     medoid_joined          bigint             shingles of it or the medoid
-- column:     representative_shared  bigint             shingles shared with the representative
-- column:     representative_joined  bigint             shingles of it or the representative
-- [end]
with

judged as (

    select
        edge.left_document,
        edge.right_document,
        edge.guard
    from edge
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document,
        closure_edge.guard
    from closure_edge

),

verified as (

    select
        resemblance.left_document,
        resemblance.right_document,
        resemblance.shared,
        resemblance.left_shingles + resemblance.right_shingles - resemblance.shared as joined
    from resemblance
    union all
    select
        closure_resemblance.left_document,
        closure_resemblance.right_document,
        closure_resemblance.shared,
        closure_resemblance.left_shingles + closure_resemblance.right_shingles
            - closure_resemblance.shared as joined
    from closure_resemblance

),

pair as (

    select
        left_leader.component,
        verified.left_document,
        verified.right_document,
        verified.shared,
        verified.joined,
        judged.left_document is not null and judged.guard is null as is_edge,
        coalesce(judged.guard not like 'class_%', false) as is_refused
    from verified
    inner join leader as left_leader
        on verified.left_document = left_leader.document
    inner join leader as right_leader
        on verified.right_document = right_leader.document
    left join judged
        on verified.left_document = judged.left_document
        and verified.right_document = judged.right_document
    where left_leader.component = right_leader.component

)

select
    leader.component,
    cast(null as bigint) as left_document,
    leader.document as right_document,
    leader.rank as shared,
    cast(-text.tokens as bigint) as joined,
    leader.is_leader as is_edge,
    false as is_refused
from leader
inner join text
    on leader.document = text.document
union all
select
    pair.component,
    pair.left_document,
    pair.right_document,
    pair.shared,
    pair.joined,
    pair.is_edge,
    pair.is_refused
from pair
