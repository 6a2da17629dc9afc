-- stage:      fingerprint
-- reads:      page
-- cost:       one pass over numbers
-- why:        what was measured of each page; only the main text kind exists for plain text
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
