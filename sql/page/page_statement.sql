-- stage:      page_statement
-- reads:      page, parse
-- join:       hash
-- cost:       one row a statement of a page
-- why:        what pages state of themselves and of their owners: structured data, dates, ids of
--             analytics and advertising, legal ids. Upper levels read it as evidence
-- [generated from src/schema.rs, do not edit]
-- writes:     page_statement  one row a page, a kind of statement, a value and where it stands
-- key:        page_id, kind, value, place
-- column:     page_id  binary   not null  id of the page
-- column:     kind     varchar  not null  what is stated
-- column:     value    varchar  not null  the value, normalised by its kind
-- column:     place    varchar  not null  where it stands in the page
-- column:     url_key  varchar  not null  canonical key
-- [end]
with

stated as (

    select
        page.page_id,
        page.url_key,
        unnest(parse.facts) as fact
    from page
    inner join parse
        on page.fetch = parse.fetch
    where cardinality(parse.facts) > 0

)

select distinct
    stated.page_id,
    stated.fact['kind'] as kind,
    stated.fact['value'] as value,
    stated.fact['place'] as place,
    stated.url_key
from stated
