-- query:      set_aside
-- reads:      fetch, parse, url_key
-- param:      asked  varchar  a raw URL, or the id of a row
-- why:        a row whose URL was refused or whose body is at fault has no page; it says why
with

refused as (

    select
        'url_refused' as reason,
        url_key.refused as detail,
        fetch.input_file,
        fetch.file_row
    from fetch
    inner join url_key
        on fetch.url = url_key.url
    where url_key.refused is not null
        and (fetch.url = cast($asked as varchar) or fetch.id = cast($asked as varchar))
    union all
    select
        parse.fault as reason,
        parse.fault_detail as detail,
        fetch.input_file,
        fetch.file_row
    from fetch
    inner join parse
        on fetch.fetch = parse.fetch
    where parse.fault is not null
        and (fetch.url = cast($asked as varchar) or fetch.id = cast($asked as varchar))

)

select
    refused.reason,
    refused.detail,
    refused.input_file,
    refused.file_row
from refused
order by refused.input_file, refused.file_row
limit 20
