-- query:      key_page
-- reads:      page
-- param:      url_key  varchar  key
-- param:      limit    bigint   rows
-- why:        one address may have shown several texts
with

under_key as (

    select
        page.page_id as page,
        page.gate,
        page.tokens,
        page.fetches,
        page.newest_ok as newest,
        count(*) over () as total
    from page
    where page.url_key = cast($url_key as varchar)

)

select
    encode(under_key.page, 'hex') as page_id,
    under_key.gate,
    under_key.tokens,
    under_key.fetches,
    cast(under_key.newest as varchar) as newest_ok,
    under_key.total
from under_key
order by under_key.newest desc nulls last, under_key.page
limit cast($limit as bigint)
