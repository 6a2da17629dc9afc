-- stage:      current_page
-- reads:      declaration, page
-- cost:       one group-by over the pages of keys that declare or are declared
-- why:        what a key shows now: its newest page that passed the gate, else its smallest page.
--             The smallest page is the number of the key wherever keys are joined.
-- [generated from src/schema.rs, do not edit]
-- writes:     current_page  one row a key that declares something or is declared
-- key:        url_key
-- column:     url_key      varchar    not null  key
-- column:     key          bigint     not null  number of the key: its smallest page
-- column:     page         bigint     not null  newest page that passed the gate, else the smallest
-- column:     gate         varchar    not null  gate of that page
-- column:     newest_ok    timestamp            newest fetch that passed
-- column:     newest_page  timestamp            newest that is no redirect
-- [end]
with

named as (

    select unnest(make_array(declaration.url_key, declaration.target_key)) as url_key
    from declaration

),

involved as (

    select distinct named.url_key
    from named
    where named.url_key is not null

)

select
    page.url_key,
    min(page.page) as key,
    first_value(
        page.page
        order by
            case when page.gate = 'ok' then 0 else 1 end,
            page.newest_ok desc nulls last,
            page.page
    ) as page,
    case when bool_or(page.gate = 'ok') then 'ok' else min(page.gate) end as gate,
    max(page.newest_ok) as newest_ok,
    max(case when page.gate <> 'redirect' then page.newest end) as newest_page
from page
inner join involved
    on page.url_key = involved.url_key
group by page.url_key
