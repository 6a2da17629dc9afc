-- query:      removal
-- reads:      page, parse, reduced, removal
-- param:      page_id  varchar  hex
-- why:        what became of the lines of the page that its host repeats
select
    removal.verdict,
    removal.removed_blocks,
    removal.removed,
    page.tokens as tokens_before,
    coalesce(reduced.tokens, page.tokens) as tokens_after,
    parse.text
from page
inner join removal
    on page.page = removal.page
inner join parse
    on removal.fetch = parse.fetch
left join reduced
    on page.page = reduced.page
where page.page_id = decode(cast($page_id as varchar), 'hex')
