-- query:      url
-- reads:      new_identity, old_identity
-- param:      limit  bigint  examples of each kind
-- cost:       one full join on the URL
-- why:        which URLs, or ids where there is no URL, came, went, got another key or another page
with

old_known as (

    select
        coalesce(old_identity.url, old_identity.id) as member,
        old_identity.url_key,
        old_identity.page_id
    from old_identity

),

new_known as (

    select
        coalesce(new_identity.url, new_identity.id) as member,
        new_identity.url_key,
        new_identity.page_id
    from new_identity

),

compared as (

    select
        coalesce(new_known.member, old_known.member) as member,
        case
            when old_known.member is null then 'url_appeared'
            when new_known.member is null then 'url_vanished'
            when old_known.url_key <> new_known.url_key then 'key_changed'
            when old_known.page_id <> new_known.page_id then 'page_changed'
        end as kind,
        old_known.url_key as old_key,
        new_known.url_key as new_key
    from old_known
    full join new_known
        on old_known.member = new_known.member

),

placed as (

    select
        compared.kind,
        compared.member,
        compared.old_key,
        compared.new_key,
        count(*) over (partition by compared.kind) as total,
        row_number() over (partition by compared.kind order by compared.member) as place
    from compared
    where compared.kind is not null

)

select
    placed.kind,
    placed.member as subject,
    placed.old_key as old,
    placed.new_key as new,
    cast(1 as bigint) as members,
    cast(0 as bigint) as parts,
    placed.total,
    cast(0 as bigint) as total_several
from placed
where placed.place <= cast($limit as bigint)
order by placed.kind, placed.place
