-- stage:      repeated_block
-- reads:      page, parse
-- param:      is_removed           boolean  whether repeated blocks are removed
-- param:      host_pages_min       int      fewest distinct pages of a host that tell
-- param:      host_repeats_min     int      fewest of them that hold a repeated block
-- param:      host_share_milli     int      and least share of them, in thousandths
-- param:      template_pages_min   int      fewest distinct pages of a template that tell
-- param:      template_share_milli int      least share of them that hold a repeated block
-- param:      links_repeats_min    int      fewest pages that hold a repeated block of links
-- param:      links_share_milli    int      and least share of them, in thousandths
-- invariant:  counted  pages <= of_pages
-- join:       hash
-- cost:       one row a page and block; two group-bys on integers
-- why:        what a host repeats is its frame. Pages are counted after equal texts collapse, and
--             pages of one title once, so that copies of a page do not make its content a frame; a
--             copied host counts by itself
-- [generated from src/schema.rs, do not edit]
-- writes:     repeated_block  one row a host and a block of text that its pages repeat
-- key:        host, block
-- column:     host      varchar  not null  host
-- column:     block     bigint   not null  hash of the normalised text of the block
-- column:     pages     bigint   not null  distinct pages that hold it
-- column:     of_pages  bigint   not null  distinct pages of the host
-- column:     rule      varchar  not null  host, template or links: what counts it as repeated
-- [end]
with

distinct_text as (

    select min(page.page) as page
    from page
    where cast($is_removed as boolean)
        and page.gate = 'ok'
        and page.host is not null
    group by page.host, page.text_digest

),

titled as (

    select
        page.host,
        coalesce(parse.title, '') || ' ' || coalesce(parse.heading, '') as title,
        min(page.page) as page
    from distinct_text
    inner join page
        on distinct_text.page = page.page
    inner join parse
        on page.fetch = parse.fetch
    where parse.is_html
    group by
        page.host,
        coalesce(parse.title, '') || ' ' || coalesce(parse.heading, '')

),

distinct_page as (

    select
        titled.host,
        parse.fetch,
        coalesce(parse.template, 0) as template
    from titled
    inner join page
        on titled.page = page.page
    inner join parse
        on page.fetch = parse.fetch

),

size as (

    select
        distinct_page.host,
        count(*) as pages
    from distinct_page
    group by distinct_page.host

),

held as (

    select
        distinct_page.host,
        distinct_page.template,
        unnest(block_uses(parse.blocks, parse.main_blocks, parse.main_flags)) as use
    from distinct_page
    inner join size
        on distinct_page.host = size.host
    inner join parse
        on distinct_page.fetch = parse.fetch
    where size.pages >= least(cast($host_pages_min as int), cast($template_pages_min as int))

),

of_template as (

    select
        held.host,
        held.template,
        held.use['block'] as block,
        bool_or(held.use['is_links']) as is_links,
        count(*) as pages
    from held
    group by held.host, held.template, held.use['block']

),

template_size as (

    select
        distinct_page.host,
        distinct_page.template,
        count(*) as pages
    from distinct_page
    group by distinct_page.host, distinct_page.template

),

counted as (

    select
        of_template.host,
        of_template.block,
        bool_or(of_template.is_links) as is_links,
        cast(sum(of_template.pages) as bigint) as pages,
        bool_or(
            template_size.pages >= cast($template_pages_min as int)
            and of_template.pages * 1000
                >= template_size.pages * cast($template_share_milli as bigint)
        ) as is_of_template
    from of_template
    inner join template_size
        on of_template.host = template_size.host
        and of_template.template = template_size.template
    group by of_template.host, of_template.block

),

judged as (

    select
        counted.host,
        counted.block,
        counted.pages,
        size.pages as of_pages,
        case
            when size.pages >= cast($host_pages_min as int)
                and counted.pages >= cast($host_repeats_min as int)
                and counted.pages * 1000 >= size.pages * cast($host_share_milli as bigint)
                then 'host'
            when counted.is_of_template then 'template'
            when counted.is_links
                and size.pages >= cast($host_pages_min as int)
                and counted.pages >= cast($links_repeats_min as int)
                and counted.pages * 1000 >= size.pages * cast($links_share_milli as bigint)
                then 'links'
        end as rule
    from counted
    inner join size
        on counted.host = size.host

)

select
    judged.host,
    judged.block,
    judged.pages,
    judged.of_pages,
    judged.rule
from judged
where judged.rule is not null
