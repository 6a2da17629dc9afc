-- stage:      fingerprint
-- reads:      page
-- cost:       one pass over numbers
-- why:        what was measured of each page; only the main text kind exists for plain text
-- [generated from src/schema.rs, do not edit]
-- writes:     fingerprint  one row a page and text kind
-- key:        page_id, kind
-- column:     page_id      binary   not null  BLAKE3-128 of key and digest
-- column:     kind         varchar  not null  which text of the page
-- column:     url_key      varchar  not null  key of the URL, or of the id
-- column:     gate         varchar  not null  may it be compared: ok, or why not
-- column:     tokens       int      not null  tokens of the text
-- column:     text_digest  binary   not null  xxh3-128 of the normalised text
-- column:     simhash      bigint             SimHash; NULL without shingles
-- column:     fetches      bigint   not null  input rows that map to the page
-- [end]
select
    page.page_id,
    'main' as kind,
    page.url_key,
    page.gate,
    page.tokens,
    page.text_digest,
    page.simhash,
    page.fetches
from page
