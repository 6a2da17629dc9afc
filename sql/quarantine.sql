-- stage:      quarantine
-- reads:      fetch, parse, set_aside, url_key
-- cost:       one join on refused URLs, one on faulty bodies
-- why:        rows in = rows admitted + rows set aside, each with its reason
-- [generated from src/schema.rs, do not edit]
-- writes:     quarantine  one row an input row or file that was set aside
-- key:        input_file, file_row, reason, detail
-- column:     input_file  varchar  not null  file
-- column:     file_row    bigint             position in that file; NULL for the file
-- column:     rows        bigint   not null  input rows this entry stands for; 0 when unknown
-- column:     reason      varchar  not null  why, as a code
-- column:     detail      varchar  not null  what was found and what was wanted
-- [end]
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
union all
select
    admitted.input_file,
    admitted.file_row,
    cast(1 as bigint) as rows,
    parse.fault as reason,
    coalesce(parse.fault_detail, '') as detail
from fetch as admitted
inner join parse
    on admitted.fetch = parse.fetch
left join url_key
    on admitted.url = url_key.url
where parse.fault is not null
    and url_key.refused is null
