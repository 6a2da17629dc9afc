-- query:      layout
-- reads:      page, page_trait
-- param:      left_page_id   varchar  hex
-- param:      right_page_id  varchar  hex
-- why:        how much of the layouts of two pages with one text is equal
with

left_layout as (

    select page_trait.layout
    from page
    inner join page_trait
        on page.page = page_trait.page
    where page.page_id = decode(cast($left_page_id as varchar), 'hex')

),

right_layout as (

    select page_trait.layout
    from page
    inner join page_trait
        on page.page = page_trait.page
    where page.page_id = decode(cast($right_page_id as varchar), 'hex')

)

select equal_slots(left_layout.layout, right_layout.layout) as layout_slots
from left_layout
cross join right_layout
