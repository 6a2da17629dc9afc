-- stage:      fetch_fingerprint
-- reads:      fetch
-- param:      width   int  tokens in a shingle
-- param:      slots   int  slots of a signature
-- param:      bands   int  bands of a signature
-- invariant:  buckets  cardinality(buckets) in (0, cast($bands as int))
-- cost:       one pass over the text; nothing later reads the text of all rows again
-- why:        a row whose URL is refused has no key and is left to quarantine
with

keyed as (

    select
        admitted.fetch,
        case when admitted.url is null then id_key(admitted.id) else url_key(admitted.url)['key'] end
            as url_key,
        admitted.url,
        admitted.id,
        admitted.fetch_time,
        admitted.fetch_status,
        fingerprint(admitted.text, cast($width as int), cast($slots as int), cast($bands as int))
            as print
    from fetch as admitted

)

select
    keyed.fetch,
    page_id(keyed.url_key, keyed.print['text_digest']) as page_id,
    keyed.url_key,
    keyed.url,
    keyed.id,
    keyed.fetch_time,
    keyed.fetch_status,
    keyed.print['is_empty'] as is_empty,
    keyed.print['tokens'] as tokens,
    keyed.print['scripts'] as scripts,
    keyed.print['text_digest'] as text_digest,
    keyed.print['simhash'] as simhash,
    keyed.print['buckets'] as buckets,
    keyed.print['slots'] as slots
from keyed
where keyed.url_key is not null
