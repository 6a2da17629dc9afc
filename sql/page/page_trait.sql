-- stage:      page_trait
-- reads:      page, parse
-- join:       hash
-- cost:       one join on numbers over HTML pages; reads no text
-- why:        what the guards and the classes ask of a page beside its text, so that the document
--             level reads no parsed page
-- [generated from src/schema.rs, do not edit]
-- [end]
with

listed as (

    select
        parse.fetch,
        unnest(parse.hreflang) as version
    from parse
    where cardinality(parse.hreflang) > 0

),

own as (

    select
        page.page,
        min(split_part(listed.version, ' ', 1)) as version_of
    from listed
    inner join page
        on listed.fetch = page.fetch
    where url_key(split_part(listed.version, ' ', 2), 'safe')['key'] = page.url_key
        and split_part(listed.version, ' ', 1) <> 'x-default'
    group by page.page

)

select
    page.page,
    coalesce(parse.heading, parse.title) as title,
    parse.language_detected as language,
    own.version_of,
    parse.product_ids,
    parse.prices,
    coalesce(parse.link_share_milli, 0) as link_share_milli,
    parse.layout
from page
inner join parse
    on page.fetch = parse.fetch
left join own
    on page.page = own.page
where page.gate = 'ok'
    and parse.is_html
