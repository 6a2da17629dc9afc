-- stage:      fetch_fingerprint
-- reads:      parse
-- param:      width   int  tokens in a shingle
-- param:      slots   int  slots of a signature
-- param:      bands   int  bands of a signature
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- param:      tokens_min  int  fewest tokens of a page with HTML that is compared
-- batch:      512  rows may be megabytes
-- invariant:  buckets  cardinality(buckets) in (0, cast($bands as int))
-- cost:       one pass over the text; nothing later reads the text of all rows again
-- why:        a row whose URL is refused or whose body is at fault is left to quarantine
-- [generated from src/schema.rs, do not edit]
-- writes:     fetch_fingerprint  one row a parsed input row that has a key
-- key:        fetch
-- column:     fetch         bigint     not null  number of the row within this run
-- column:     page_id       binary     not null  id of its page
-- column:     url_key       varchar    not null  key of the URL, or of the id
-- column:     url           varchar              raw URL
-- column:     id            varchar              the input's own id, as text
-- column:     fetch_time    timestamp            when it was fetched
-- column:     fetch_status  int                  HTTP status; NULL counts as fetched
-- column:     gate          varchar    not null  may it be compared: ok, or why not
-- column:     is_empty      boolean    not null  whether the normalised text is empty
-- column:     tokens        int        not null  tokens of the text
-- column:     scripts       bigint     not null  bit mask of the scripts it is written in
-- column:     text_digest   binary     not null  xxh3-128 of the normalised text
-- column:     simhash       bigint               SimHash; NULL without shingles
-- column:     buckets       bigint[]   not null  one bucket a band; empty without shingles
-- column:     slots         binary     not null  low 8 bits of each slot; empty without shingles
-- [end]
with

keyed as (

    select
        parse.fetch,
        case
            when parse.url is null then id_key(parse.id)
            else url_key(parse.url, cast($url_policy as varchar))['key']
        end as url_key,
        parse.url,
        parse.id,
        parse.fetch_time,
        parse.fetch_status,
        parse.is_html,
        coalesce(parse.extractor <> 'failed', true) as is_extracted,
        parse.redirect is not null
            or coalesce(parse.refresh is not null and parse.refresh_delay <= 1, false)
            as is_refresh,
        fingerprint(parse.text, cast($width as int), cast($slots as int), cast($bands as int))
            as print
    from parse
    where parse.fault is null

)

select
    keyed.fetch,
    page_id(keyed.url_key, keyed.print['text_digest']) as page_id,
    keyed.url_key,
    keyed.url,
    keyed.id,
    keyed.fetch_time,
    keyed.fetch_status,
    gate(
        keyed.fetch_status,
        keyed.is_html,
        keyed.print['is_empty'],
        keyed.print['tokens'],
        keyed.is_refresh,
        keyed.is_extracted,
        cast($tokens_min as int)
    ) as gate,
    keyed.print['is_empty'] as is_empty,
    keyed.print['tokens'] as tokens,
    keyed.print['scripts'] as scripts,
    keyed.print['text_digest'] as text_digest,
    keyed.print['simhash'] as simhash,
    keyed.print['buckets'] as buckets,
    keyed.print['slots'] as slots
from keyed
where keyed.url_key is not null
