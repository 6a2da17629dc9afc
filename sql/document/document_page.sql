-- stage:      document_page
-- reads:      mirror_url, page, page_document, resource
-- cost:       one group-by over pages with text
-- why:        where several pages hold one text, the address that people would keep stands for
--             it: one on a main mirror, the canonical URL of its resource, a URL before an id, then
--             https, the shorter key, the smaller key
-- [generated from src/schema.rs, do not edit]
-- writes:     document_page  one row a document
-- key:        document
-- column:     document  bigint  not null  document
-- column:     page      bigint  not null  page that stands for the document
-- column:     pages     bigint  not null  pages that hold the text
-- [end]
with

page_of as (

    select
        page_document.document,
        page_document.page,
        page.url_key,
        coalesce(resource.is_canonical, true) as is_canonical,
        mirror_url.url_key is not null as is_mirrored
    from page_document
    inner join page
        on page_document.page = page.page
    left join resource
        on page.url_key = resource.url_key
    left join mirror_url
        on page.url_key = mirror_url.url_key
        and not mirror_url.is_exception

)

select
    page_of.document,
    first_value(
        page_of.page
        order by
            case when page_of.is_mirrored then 1 else 0 end,
            case when page_of.is_canonical then 0 else 1 end,
            case when page_of.url_key like 'id:%' then 1 else 0 end,
            case when page_of.url_key like 'https:%' then 0 else 1 end,
            character_length(page_of.url_key),
            page_of.url_key
    ) as page,
    count(*) as pages
from page_of
group by page_of.document
