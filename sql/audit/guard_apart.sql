-- audit:      guard_apart
-- reads:      closure_edge, document_cluster, edge
-- param:      clusterer         varchar  the method that clusters
-- param:      is_leader_policy  boolean  leader clusters; false publishes plain components
-- why:        a pair that a guard of words or of facts refuses is never inside one cluster
with

refused as (

    select
        edge.left_document,
        edge.right_document
    from edge
    where edge.guard not like 'class_%'
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document
    from closure_edge
    where closure_edge.guard not like 'class_%'

)

select
    refused.left_document
from refused
inner join document_cluster as left_cluster
    on refused.left_document = left_cluster.document
inner join document_cluster as right_cluster
    on refused.right_document = right_cluster.document
where left_cluster.medoid = right_cluster.medoid
    and cast($is_leader_policy as boolean)
    and cast($clusterer as varchar) <> 'clustering_v1'
