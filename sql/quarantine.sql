-- stage:      quarantine
-- reads:      fetch, set_aside, url_key
-- cost:       one join on refused URLs
-- why:        rows in = rows admitted + rows set aside, each with its reason
select
    set_aside.input_file,
    set_aside.file_row,
    set_aside.rows,
    set_aside.reason,
    set_aside.detail
from set_aside
union all
select
    admitted.input_file,
    admitted.file_row,
    cast(1 as bigint) as rows,
    'url_refused' as reason,
    url_key.refused as detail
from fetch as admitted
inner join url_key
    on admitted.url = url_key.url
where url_key.refused is not null
