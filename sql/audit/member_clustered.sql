-- audit:      member_clustered
-- reads:      cluster, member
-- why:        every member is in the cluster table
select
    member.page_id
from member
left join cluster
    on member.page_id = cluster.page_id
where cluster.page_id is null
