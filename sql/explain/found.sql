-- query:      found
-- reads:      identity, member, page
-- param:      asked    varchar  what the user typed
-- param:      url_key  varchar  its key as a URL; empty when it has none
-- param:      id_key   varchar  its key as an id
-- param:      prefix   varchar  first hex digits of a page id; empty when it is none
-- why:        the pages that are meant: by raw URL, by id, by key, by page id, in that order
with

named as (

    select
        identity.page_id,
        1 as place,
        'url' as found_by
    from identity
    where identity.url = cast($asked as varchar)
    union all
    select
        member.page_id,
        case when identity.page_id is null then 3 else 2 end as place,
        'id' as found_by
    from member
    left join identity
        on member.page_id = identity.page_id
        and member.id = identity.id
    where member.id = cast($asked as varchar)
    union all
    select
        page.page_id,
        4 as place,
        'url_key' as found_by
    from page
    where page.url_key in (
        cast($asked as varchar), cast($url_key as varchar), cast($id_key as varchar)
    )
    union all
    select
        page.page_id,
        5 as place,
        'page_id' as found_by
    from page
    where cast($prefix as varchar) <> ''
        and starts_with(encode(page.page_id, 'hex'), cast($prefix as varchar))

),

first_place as (

    select min(named.place) as place
    from named

),

meant as (

    select distinct
        named.found_by,
        page.page_id as page,
        page.url_key,
        page.newest_ok
    from named
    inner join first_place
        on named.place = first_place.place
    inner join page
        on named.page_id = page.page_id

)

select
    meant.found_by,
    encode(meant.page, 'hex') as page_id,
    meant.url_key
from meant
order by meant.newest_ok desc nulls last, meant.page
limit 100
