-- stage:      gated_text
-- reads:      fetch_fingerprint
-- param:      mass_pages_min          int  fewest addresses of a host that answer with one text
-- param:      mass_share_milli        int  and least share of the host's addresses, in thousandths
-- param:      mass_tokens_max         int  most tokens of such a text
-- param:      list_share_milli        int  least share of link text of a list, in thousandths
-- param:      domains_min             int  fewest registered domains that answer with one text
-- param:      domains_tokens_max      int  most tokens of such a text
-- param:      probe_marker            varchar  what the path of a probe holds
-- param:      probe_equal_slots_min   int  equal stored slots of a page with the host's probe
-- param:      loop_repeats_min        int  repetitions of a part of a path that make a loop
-- cost:       one group-by over hosts and texts, one over texts
-- why:        what no page shows by itself. A short text under one title that a host gives for
--             many paths is its page for what is not there, unless it is a list of links; a short
--             text of many domains is a page of their server; a page that equals the answer to a
--             made-up path, the probe, is none; a path that repeats itself and answers as a
--             shorter one is a loop. Which pages of the host a verdict is for, see page.sql.
-- [generated from src/schema.rs, do not edit]
-- writes:     gated_text  one row a host and a text that its pages share with too many others
-- key:        host, text_digest
-- column:     host         varchar  not null  host
-- column:     text_digest  binary   not null  xxh3-128 of the normalised text
-- column:     gate         varchar  not null  soft404, global_boilerplate, infinite_space
-- column:     gate_reason  varchar  not null  probe, domains, mass or loop
-- [end]
with

answer as (

    select
        fetch_fingerprint.host,
        fetch_fingerprint.text_digest,
        fetch_fingerprint.url_key,
        coalesce(fetch_fingerprint.title, '') as title,
        fetch_fingerprint.tokens,
        coalesce(fetch_fingerprint.link_share_milli, 0) as link_share_milli,
        fetch_fingerprint.slots,
        fetch_fingerprint.simhash,
        registered_domain(fetch_fingerprint.host) as domain,
        split_part(fetch_fingerprint.url_key, '?', 1) as path,
        strpos(fetch_fingerprint.url_key, cast($probe_marker as varchar)) > 0 as is_probe,
        path_repeats(fetch_fingerprint.url_key) >= cast($loop_repeats_min as int) as is_loop
    from fetch_fingerprint
    where fetch_fingerprint.host is not null
        and fetch_fingerprint.gate = 'ok'

),

size as (

    select
        answer.host,
        count(distinct answer.url_key) as addresses
    from answer
    group by answer.host

),

of_host as (

    select
        answer.host,
        answer.text_digest,
        count(distinct answer.path) as paths,
        count(distinct answer.title) as titles,
        max(answer.tokens) as tokens,
        max(answer.link_share_milli) as link_share_milli
    from answer
    group by answer.host, answer.text_digest

),

mass as (

    select
        of_host.host,
        of_host.text_digest
    from of_host
    inner join size
        on of_host.host = size.host
    where of_host.titles = 1
        and of_host.tokens < cast($mass_tokens_max as int)
        and of_host.link_share_milli < cast($list_share_milli as int)
        and of_host.paths >= cast($mass_pages_min as int)
        and of_host.paths * 1000 >= size.addresses * cast($mass_share_milli as bigint)

),

of_domains as (

    select answer.text_digest
    from answer
    where answer.tokens < cast($domains_tokens_max as int)
    group by answer.text_digest
    having count(distinct answer.domain) >= cast($domains_min as int)

),

probe as (

    select
        answer.host,
        answer.text_digest,
        answer.slots,
        answer.simhash
    from answer
    where answer.is_probe

),

probed as (

    select
        answer.host,
        answer.text_digest
    from answer
    inner join probe
        on answer.host = probe.host
    where answer.text_digest = probe.text_digest
        or (
            answer.simhash is not null
            and probe.simhash is not null
            and equal_slots(answer.slots, probe.slots) >= cast($probe_equal_slots_min as int)
        )

),

looped as (

    select
        answer.host,
        answer.text_digest
    from answer
    group by answer.host, answer.text_digest
    having bool_or(answer.is_loop)
        and not bool_and(answer.is_loop)

),

found as (

    select
        probed.host,
        probed.text_digest,
        1 as place,
        'soft404' as gate,
        'probe' as gate_reason
    from probed
    union all
    select
        answer.host,
        answer.text_digest,
        2 as place,
        'global_boilerplate' as gate,
        'domains' as gate_reason
    from answer
    inner join of_domains
        on answer.text_digest = of_domains.text_digest
    union all
    select
        mass.host,
        mass.text_digest,
        3 as place,
        'soft404' as gate,
        'mass' as gate_reason
    from mass
    union all
    select
        looped.host,
        looped.text_digest,
        4 as place,
        'infinite_space' as gate,
        'loop' as gate_reason
    from looped

)

select
    found.host,
    found.text_digest,
    first_value(found.gate order by found.place) as gate,
    first_value(found.gate_reason order by found.place) as gate_reason
from found
group by found.host, found.text_digest
