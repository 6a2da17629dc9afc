-- stage:      page_trait
-- reads:      page, parse
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- join:       hash
-- cost:       one join on numbers over HTML pages; reads no text
-- why:        what the guards and the classes ask of a page beside its text, so that the document
--             level reads no parsed page
-- [generated from src/schema.rs, do not edit]
-- writes:     page_trait  one row an HTML page that may be compared
-- key:        page
-- column:     page              bigint     not null  page
-- column:     title             varchar              first heading, else the title
-- column:     language          varchar              language of the main text, if sure
-- column:     version_of        varchar              language under which it lists itself
-- column:     home_key          varchar    not null  key of its usable canonical, else its own
-- column:     product_ids       varchar[]  not null  ids of the one product it is about
-- column:     prices            varchar[]  not null  prices of that product
-- column:     link_share_milli  bigint     not null  link text, thousandths of its text
-- column:     layout            binary               slots of the set of its tag paths
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
    where url_key(split_part(listed.version, ' ', 2), cast($url_policy as varchar))['key']
        = page.url_key
        and split_part(listed.version, ' ', 1) <> 'x-default'
    group by page.page

)

select
    page.page,
    coalesce(parse.heading, parse.title) as title,
    parse.language_detected as language,
    own.version_of,
    coalesce(url_key(parse.canonical, cast($url_policy as varchar))['key'], page.url_key)
        as home_key,
    coalesce(parse.product_ids, cast([] as varchar[])) as product_ids,
    coalesce(parse.prices, cast([] as varchar[])) as prices,
    coalesce(parse.link_share_milli, 0) as link_share_milli,
    parse.layout
from page
inner join parse
    on page.fetch = parse.fetch
left join own
    on page.page = own.page
where page.gate = 'ok'
    and parse.is_html
