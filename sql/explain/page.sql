-- query:      page
-- reads:      document_page, member, page, page_document
-- param:      page_id  varchar  hex
-- why:        what was measured of the page, and the document that it is
with

own as (

    select
        page.page_id,
        page.page,
        page.url_key,
        page.text_digest,
        page.fetches,
        page.newest_ok,
        page.gate,
        page.gate_reason,
        page.tokens,
        page.simhash
    from page
    where page.page_id = decode(cast($page_id as varchar), 'hex')

),

address as (

    select
        own.page_id,
        min(coalesce(member.url, member.id)) as address
    from own
    inner join member
        on own.page_id = member.page_id
    group by own.page_id

)

select
    encode(own.page_id, 'hex') as page_id,
    own.url_key,
    address.address,
    own.gate,
    own.gate_reason,
    own.tokens,
    encode(own.text_digest, 'hex') as text_digest,
    lpad(to_hex(own.simhash), 16, '0') as simhash,
    own.fetches,
    cast(own.newest_ok as varchar) as newest_ok,
    coalesce(document_page.pages, 1) as equal_texts,
    page_document.document,
    encode(delegate.page_id, 'hex') as document_page_id
from own
left join address
    on own.page_id = address.page_id
left join page_document
    on own.page = page_document.page
left join document_page
    on page_document.document = document_page.document
left join page as delegate
    on page_document.document = delegate.page
