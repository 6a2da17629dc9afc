-- query:      set_aside
-- reads:      fetch, url_key
-- param:      asked  varchar  a raw URL, or the id of a row
-- why:        a row whose URL was refused has no page; it says why
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
order by fetch.input_file, fetch.file_row
limit 20
