-- query:      page_fact
-- reads:      page_fact
-- param:      page_id  varchar  hex
-- why:        what the page says of itself
select
    page_fact.title,
    page_fact.heading,
    page_fact.canonical,
    page_fact.canonicals,
    page_fact.robots,
    page_fact.language_declared,
    page_fact.language_detected,
    page_fact.hreflang,
    page_fact.final_url,
    page_fact.extractor,
    page_fact.agreement,
    page_fact.link_share,
    lpad(to_hex(page_fact.template), 16, '0') as template,
    page_fact.links,
    page_fact.charset,
    page_fact.charset_source,
    encode(page_fact.body_digest, 'hex') as body_digest,
    page_fact.fetch_status
from page_fact
where page_fact.page_id = decode(cast($page_id as varchar), 'hex')
