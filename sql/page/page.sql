-- stage:      page
-- reads:      fetch_fingerprint, gated_text
-- param:      loop_repeats_min  int  repetitions of a part of a path that make a loop
-- invariant:  counted  fetches >= 1
-- cost:       one group-by on the page id, one join on host and digest
-- why:        equal digests under one key are one page, however often it was fetched;
--             its newest fetch, of equal ones the smaller digest, shows what else is on it;
--             one fetch that passes the gate lets the page pass, unless its text is one of those
--             of gated_text. The address of a host itself is what its other addresses repeat, so
--             only a text of many domains gates it; a loop gates the addresses that repeat a part
-- [generated from src/schema.rs, do not edit]
-- writes:     page  one row a key with one text digest
-- key:        page_id
-- column:     page_id       binary     not null  BLAKE3-128 of key and digest
-- column:     page          bigint     not null  number of the page within this generation
-- column:     url_key       varchar    not null  key of the URL, or of the id
-- column:     text_digest   binary     not null  xxh3-128 of the normalised text
-- column:     fetch         bigint     not null  one fetch that holds its text
-- column:     fetches       bigint     not null  input rows that map to it
-- column:     newest_ok     timestamp            newest fetch that passed
-- column:     newest        timestamp            newest fetch
-- column:     host          varchar              host of the key; NULL for an id
-- column:     gate          varchar    not null  may it be compared: ok, or why not
-- column:     gate_reason   varchar              what decided the gate
-- column:     tokens        int        not null  tokens of the text
-- column:     simhash       bigint               SimHash; NULL without shingles
-- column:     full_tokens   int                  tokens of all visible text
-- column:     full_digest   binary               xxh3-128 of all visible text, normalised
-- column:     full_simhash  bigint               SimHash of all visible text
-- [end]
with

counted as (

    select
        fetch_fingerprint.page_id,
        fetch_fingerprint.url_key,
        fetch_fingerprint.text_digest,
        first_value(
            fetch_fingerprint.fetch
            order by
                case when fetch_fingerprint.gate = 'ok' then 0 else 1 end,
                fetch_fingerprint.fetch_time desc nulls last,
                fetch_fingerprint.body_digest,
                fetch_fingerprint.facts_digest,
                fetch_fingerprint.fetch
        ) as fetch,
        count(*) as fetches,
        max(
            case when fetch_fingerprint.gate = 'ok' then fetch_fingerprint.fetch_time end
        ) as newest_ok,
        max(fetch_fingerprint.fetch_time) as newest,
        min(fetch_fingerprint.host) as host,
        bool_or(fetch_fingerprint.gate = 'ok') as is_ok,
        first_value(
            named_struct(
                'gate', fetch_fingerprint.gate,
                'reason', fetch_fingerprint.gate_reason
            )
            order by
                case when fetch_fingerprint.gate = 'ok' then 0 else 1 end,
                fetch_fingerprint.gate,
                fetch_fingerprint.gate_reason
        ) as verdict,
        min(fetch_fingerprint.tokens) as tokens,
        min(fetch_fingerprint.simhash) as simhash,
        first_value(
            named_struct(
                'tokens', fetch_fingerprint.full_tokens,
                'digest', fetch_fingerprint.full_digest,
                'simhash', fetch_fingerprint.full_simhash
            )
            order by fetch_fingerprint.full_digest
        ) as full_print
    from fetch_fingerprint
    group by
        fetch_fingerprint.page_id,
        fetch_fingerprint.url_key,
        fetch_fingerprint.text_digest

),

judged as (

    select
        counted.page_id,
        counted.url_key,
        counted.text_digest,
        counted.fetch,
        counted.fetches,
        counted.newest_ok,
        counted.newest,
        counted.host,
        counted.verdict,
        counted.tokens,
        counted.simhash,
        counted.full_print,
        case
            when not counted.is_ok then null
            when gated_text.gate_reason = 'domains' then gated_text.gate
            when regexp_like(counted.url_key, '^[a-z]+://[^/?#]*/$') then null
            when gated_text.gate_reason <> 'loop' then gated_text.gate
            when path_repeats(counted.url_key) >= cast($loop_repeats_min as int)
                then gated_text.gate
        end as shared_gate,
        gated_text.gate_reason as shared_reason
    from counted
    left join gated_text
        on counted.host = gated_text.host
        and counted.text_digest = gated_text.text_digest

)

select
    judged.page_id,
    judged.url_key,
    judged.text_digest,
    judged.fetch,
    judged.fetches,
    case when judged.shared_gate is null then judged.newest_ok end as newest_ok,
    judged.newest,
    judged.host,
    coalesce(judged.shared_gate, judged.verdict['gate']) as gate,
    case
        when judged.shared_gate is null then judged.verdict['reason']
        else judged.shared_reason
    end as gate_reason,
    judged.tokens,
    judged.simhash,
    judged.full_print['tokens'] as full_tokens,
    judged.full_print['digest'] as full_digest,
    judged.full_print['simhash'] as full_simhash
from judged
