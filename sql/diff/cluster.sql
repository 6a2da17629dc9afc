-- query:      cluster
-- reads:      new_identity, old_identity
-- param:      limit  bigint  examples of each kind
-- cost:       one join on the URL, group-bys on the cluster
-- why:        an id of a cluster changes with its medoid, so clusters are followed by the URLs in
--             them (ids where there is no URL), each in the cluster of its current page. A cluster
--             appeared when none of its URLs was in a cluster before; it is split when its URLs are
--             now in several, and merged when they were.
with

old_member as (

    select
        coalesce(old_identity.url, old_identity.id) as member,
        old_identity.cluster,
        old_identity.representative_url
    from old_identity
    where old_identity.cluster is not null

),

new_member as (

    select
        coalesce(new_identity.url, new_identity.id) as member,
        new_identity.cluster,
        new_identity.representative_url
    from new_identity
    where new_identity.cluster is not null

),

old_sized as (

    select
        old_member.cluster,
        count(*) as members,
        min(old_member.representative_url) as representative_url
    from old_member
    group by old_member.cluster

),

new_sized as (

    select
        new_member.cluster,
        count(*) as members,
        min(new_member.representative_url) as representative_url
    from new_member
    group by new_member.cluster

),

meeting as (

    select
        old_member.cluster as old_id,
        new_member.cluster as new_id
    from old_member
    inner join new_member
        on old_member.member = new_member.member
    group by old_member.cluster, new_member.cluster

),

successor as (

    select
        meeting.old_id,
        count(*) as parts
    from meeting
    group by meeting.old_id

),

predecessor as (

    select
        meeting.new_id,
        count(*) as parts
    from meeting
    group by meeting.new_id

),

continued as (

    select
        meeting.old_id,
        meeting.new_id,
        old_sized.members as old_members,
        new_sized.members as new_members,
        old_sized.representative_url as old_representative,
        new_sized.representative_url as new_representative
    from meeting
    inner join successor
        on meeting.old_id = successor.old_id
    inner join predecessor
        on meeting.new_id = predecessor.new_id
    inner join old_sized
        on meeting.old_id = old_sized.cluster
    inner join new_sized
        on meeting.new_id = new_sized.cluster
    where successor.parts = 1
        and predecessor.parts = 1

),

compared as (

    select
        'cluster_appeared' as kind,
        new_sized.cluster,
        cast(null as varchar) as old,
        new_sized.representative_url as new,
        new_sized.members,
        cast(0 as bigint) as parts
    from new_sized
    left join predecessor
        on new_sized.cluster = predecessor.new_id
    where predecessor.new_id is null
    union all
    select
        'cluster_vanished' as kind,
        old_sized.cluster,
        old_sized.representative_url as old,
        cast(null as varchar) as new,
        old_sized.members,
        cast(0 as bigint) as parts
    from old_sized
    left join successor
        on old_sized.cluster = successor.old_id
    where successor.old_id is null
    union all
    select
        'cluster_split' as kind,
        old_sized.cluster,
        old_sized.representative_url as old,
        cast(null as varchar) as new,
        old_sized.members,
        successor.parts
    from old_sized
    inner join successor
        on old_sized.cluster = successor.old_id
    where successor.parts > 1
    union all
    select
        'cluster_merged' as kind,
        new_sized.cluster,
        cast(null as varchar) as old,
        new_sized.representative_url as new,
        new_sized.members,
        predecessor.parts
    from new_sized
    inner join predecessor
        on new_sized.cluster = predecessor.new_id
    where predecessor.parts > 1
    union all
    select
        'cluster_resized' as kind,
        continued.new_id as cluster,
        continued.old_representative as old,
        continued.new_representative as new,
        continued.new_members as members,
        continued.new_members - continued.old_members as parts
    from continued
    where continued.old_members <> continued.new_members
    union all
    select
        'representative_moved' as kind,
        continued.new_id as cluster,
        continued.old_representative as old,
        continued.new_representative as new,
        continued.new_members as members,
        cast(0 as bigint) as parts
    from continued
    where continued.old_representative <> continued.new_representative

),

placed as (

    select
        compared.kind,
        compared.cluster,
        compared.old,
        compared.new,
        compared.members,
        compared.parts,
        count(*) over (partition by compared.kind) as total,
        sum(case when compared.members > 1 then 1 else 0 end)
            over (partition by compared.kind) as total_several,
        row_number() over (
            partition by compared.kind
            order by compared.members desc, compared.cluster
        ) as place
    from compared

)

select
    placed.kind,
    encode(placed.cluster, 'hex') as subject,
    placed.old,
    placed.new,
    placed.members,
    placed.parts,
    placed.total,
    placed.total_several
from placed
where placed.place <= cast($limit as bigint)
order by placed.kind, placed.place
