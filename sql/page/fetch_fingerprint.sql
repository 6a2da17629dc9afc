-- stage:      fetch_fingerprint
-- reads:      parse
-- param:      width   int  tokens in a shingle
-- param:      slots   int  slots of a signature
-- param:      bands   int  bands of a signature
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- param:      tokens_min  int  fewest tokens of a page with HTML that is compared
-- param:      sample      boolean  whether sampled shingles are a third source of candidates
-- batch:      512  rows may be megabytes
-- invariant:  buckets  cardinality(buckets) in (0, cast($bands as int))
-- cost:       one pass over the text; nothing later reads the text of all rows again
-- why:        a row whose URL is refused or whose body is at fault is left to quarantine
-- [generated from src/schema.rs, do not edit]
-- writes:     fetch_fingerprint  one row a parsed input row that has a key
-- key:        fetch
-- column:     fetch             bigint     not null  number of the row within this run
-- column:     page_id           binary     not null  id of its page
-- column:     url_key           varchar    not null  key of the URL, or of the id
-- column:     url               varchar              raw URL
-- column:     id                varchar              the input's own id, as text
-- column:     fetch_time        timestamp            when it was fetched
-- column:     fetch_status      int                  HTTP status; NULL counts as fetched
-- column:     host              varchar              host of the key; NULL for an id
-- column:     title             varchar              title of a page
-- column:     link_share_milli  int                  link text, thousandths of its text
-- column:     gate              varchar    not null  may it be compared, as far as it shows itself
-- column:     gate_reason       varchar              what decided the gate
-- column:     is_empty          boolean    not null  whether the normalised text is empty
-- column:     tokens            int        not null  tokens of the text
-- column:     scripts           bigint     not null  bit mask of the scripts it is written in
-- column:     text_digest       binary     not null  xxh3-128 of the normalised text
-- column:     simhash           bigint               SimHash; NULL without shingles
-- column:     buckets           bigint[]   not null  one bucket a band; empty without shingles
-- column:     slots             binary     not null  low 8 bits of each slot; empty without
--                                                    shingles
-- column:     samples           bigint[]             sampled shingles
-- column:     full_tokens       int                  tokens of all visible text of a page
-- column:     full_digest       binary               xxh3-128 of all visible text, normalised
-- column:     full_simhash      bigint               SimHash of all visible text
-- column:     body_digest       binary               xxh3-128 of the body as fetched
-- column:     facts_digest      binary               xxh3-128 of all that was parsed
-- [end]
with

keyed as (

    select
        parse.fetch,
        case
            when parse.url is null then id_key(parse.id)
            else url_key(parse.url, cast($url_policy as varchar))['key']
        end as url_key,
        case
            when parse.url is not null
                then url_key(parse.url, cast($url_policy as varchar))['host']
        end as host,
        parse.url,
        parse.id,
        parse.fetch_time,
        parse.fetch_status,
        parse.is_html,
        coalesce(parse.extractor <> 'failed', true) as is_extracted,
        parse.redirect is not null
            or coalesce(parse.refresh is not null and parse.refresh_delay <= 1, false)
            as is_refresh,
        coalesce(parse.redirect, parse.refresh) as final_url,
        parse.title,
        parse.heading,
        parse.text,
        parse.full_text,
        parse.passwords,
        parse.marks,
        parse.link_share_milli,
        parse.body_digest,
        parse.facts_digest,
        fingerprint(parse.text, cast($width as int), cast($slots as int), cast($bands as int))
            as print,
        fingerprint(parse.full_text, cast($width as int), cast($slots as int), cast($bands as int))
            as full_print
    from parse
    where parse.fault is null

),

gated as (

    select
        keyed.fetch,
        keyed.url_key,
        keyed.host,
        keyed.url,
        keyed.id,
        keyed.fetch_time,
        keyed.fetch_status,
        keyed.title,
        keyed.link_share_milli,
        keyed.print,
        keyed.full_print,
        keyed.body_digest,
        keyed.facts_digest,
        page_gate(
            keyed.fetch_status,
            keyed.is_html,
            keyed.print['is_empty'],
            keyed.print['tokens'],
            keyed.is_refresh,
            keyed.is_extracted,
            cast($tokens_min as int),
            keyed.title,
            keyed.heading,
            keyed.text,
            keyed.full_text,
            keyed.url,
            keyed.final_url,
            keyed.passwords,
            keyed.marks
        ) as verdict
    from keyed
    where keyed.url_key is not null

)

select
    gated.fetch,
    page_id(gated.url_key, gated.print['text_digest']) as page_id,
    gated.url_key,
    gated.url,
    gated.id,
    gated.fetch_time,
    gated.fetch_status,
    gated.host,
    gated.title,
    gated.link_share_milli,
    gated.verdict['gate'] as gate,
    gated.verdict['reason'] as gate_reason,
    gated.print['is_empty'] as is_empty,
    gated.print['tokens'] as tokens,
    gated.print['scripts'] as scripts,
    gated.print['text_digest'] as text_digest,
    gated.print['simhash'] as simhash,
    gated.print['buckets'] as buckets,
    gated.print['slots'] as slots,
    case when cast($sample as boolean) then gated.print['samples'] else cast([] as bigint[]) end
        as samples,
    gated.full_print['tokens'] as full_tokens,
    gated.full_print['text_digest'] as full_digest,
    gated.full_print['simhash'] as full_simhash,
    gated.body_digest,
    gated.facts_digest
from gated
