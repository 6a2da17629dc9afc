-- audit:      cluster_floor
-- reads:      document_cluster
-- param:      resemblance_min_milli  int      least resemblance of an edge, in thousandths
-- param:      is_leader_policy       boolean  leader clusters; false publishes plain components
-- why:        each member of a leader cluster is at or above the threshold to its medoid
select
    document_cluster.document
from document_cluster
where cast($is_leader_policy as boolean)
    and document_cluster.document <> document_cluster.medoid
    and coalesce(
        document_cluster.medoid_shared * 1000
            < document_cluster.medoid_joined * cast($resemblance_min_milli as bigint),
        true
    )
