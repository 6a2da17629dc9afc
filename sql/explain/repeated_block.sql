-- query:      repeated_block
-- reads:      page, parse, removal, repeated_block
-- param:      page_id  varchar  hex
-- why:        the lines of the page's main text that its host repeats, and how often
with

line as (

    select
        page.host,
        unnest(parse.main_blocks) as block
    from page
    inner join removal
        on page.page = removal.page
    inner join parse
        on removal.fetch = parse.fetch
    where page.page_id = decode(cast($page_id as varchar), 'hex')

)

select distinct
    repeated_block.block,
    repeated_block.pages,
    repeated_block.of_pages,
    repeated_block.rule
from line
inner join repeated_block
    on line.host = repeated_block.host
    and line.block = repeated_block.block
order by repeated_block.block
