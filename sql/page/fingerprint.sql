-- stage:      fingerprint
-- reads:      page, reduced, removal
-- cost:       two joins on numbers
-- why:        what was measured of each page: of its main text, without what its host repeats, and
--             of all its visible text, so that the effect of the removal is seen page by page
-- [generated from src/schema.rs, do not edit]
-- [end]
select
    page.page_id,
    'main' as kind,
    page.url_key,
    page.gate,
    page.gate_reason,
    coalesce(reduced.tokens, page.tokens) as tokens,
    coalesce(reduced.text_digest, page.text_digest) as text_digest,
    case when reduced.page is null then page.simhash else reduced.simhash end as simhash,
    page.fetches,
    coalesce(removal.removed_blocks, 0) as removed_blocks,
    removal.verdict as removal
from page
left join reduced
    on page.page = reduced.page
left join removal
    on page.page = removal.page
union all
select
    page.page_id,
    'full' as kind,
    page.url_key,
    page.gate,
    page.gate_reason,
    page.full_tokens as tokens,
    page.full_digest as text_digest,
    page.full_simhash as simhash,
    page.fetches,
    0 as removed_blocks,
    cast(null as varchar) as removal
from page
where page.full_digest is not null
