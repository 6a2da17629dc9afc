-- query:      cluster
-- reads:      cluster, member
-- param:      page_id  varchar  hex
-- why:        the cluster of the page, and the component that it was cut from
with

own as (

    select distinct
        member_cluster.cluster,
        member_cluster.medoid_page_id,
        member_cluster.representative_page_id,
        member_cluster.representative_url,
        member_cluster.is_representative,
        member_cluster.reason,
        member_cluster.resemblance_medoid,
        member_cluster.resemblance_representative,
        member_cluster.tier,
        member_cluster.component
    from cluster as member_cluster
    where member_cluster.page_id = decode(cast($page_id as varchar), 'hex')

),

sized as (

    select
        count(*) as members,
        count(distinct member_cluster.page_id) as pages
    from cluster as member_cluster
    inner join own
        on member_cluster.cluster = own.cluster

),

component_sized as (

    select
        count(*) as members,
        count(distinct member_cluster.page_id) as pages,
        count(distinct member_cluster.cluster) as clusters
    from cluster as member_cluster
    inner join own
        on member_cluster.component = own.component

),

medoid as (

    select min(coalesce(member.url, member.id)) as address
    from member
    inner join own
        on member.page_id = own.medoid_page_id

)

select
    encode(own.cluster, 'hex') as cluster,
    sized.members,
    sized.pages,
    encode(own.medoid_page_id, 'hex') as medoid_page_id,
    medoid.address as medoid_url,
    encode(own.representative_page_id, 'hex') as representative_page_id,
    own.representative_url,
    own.is_representative,
    own.reason,
    own.resemblance_medoid,
    own.resemblance_representative,
    own.tier,
    encode(own.component, 'hex') as component,
    component_sized.members as component_members,
    component_sized.pages as component_pages,
    component_sized.clusters as component_clusters
from own
cross join sized
cross join component_sized
cross join medoid
