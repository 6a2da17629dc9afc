-- stage:      fingerprint
-- reads:      page, reduced, removal
-- cost:       two joins on numbers
-- why:        what was measured of each page: of its main text, without what its host repeats, and
--             of all its visible text, so that the effect of the removal is seen page by page
-- [generated from src/schema.rs, do not edit]
-- writes:     fingerprint  one row a page and text kind
-- key:        page_id, kind
-- column:     page_id         binary   not null  BLAKE3-128 of key and digest
-- column:     kind            varchar  not null  which text of the page: main or full
-- column:     url_key         varchar  not null  key of the URL, or of the id
-- column:     gate            varchar  not null  may it be compared: ok, or why not
-- column:     gate_reason     varchar            what decided the gate
-- column:     tokens          int      not null  tokens of the text
-- column:     text_digest     binary   not null  xxh3-128 of the normalised text
-- column:     simhash         bigint             SimHash; NULL without shingles
-- column:     fetches         bigint   not null  input rows that map to the page
-- column:     removed_blocks  bigint             lines taken out as repeated on the host
-- column:     removal         varchar            what became of its repeated lines; NULL without
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
