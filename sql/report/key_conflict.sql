-- stage:      key_conflict
-- reads:      identity, url_key
-- invariant:  several  urls >= 2
-- cost:       one group-by on the key
-- why:        a key joins what a rule calls one address; where its URLs show different documents,
--             a rule was too broad or the address is not what it was. Their pages stay apart
-- [generated from src/schema.rs, do not edit]
-- writes:     key_conflict  one row a key whose URLs show different documents
-- key:        url_key
-- column:     url_key    varchar    not null  canonical key
-- column:     urls       bigint     not null  raw URLs with this key
-- column:     rules      varchar[]  not null  heuristic or safe rules that changed them
-- column:     left_url   varchar    not null  one URL
-- column:     right_url  varchar    not null  a URL that shows another document
-- [end]
with

shared as (

    select
        identity.url_key,
        count(*) as urls,
        min(identity.url) as left_url
    from identity
    where identity.url is not null
        and identity.cluster is not null
    group by identity.url_key
    having count(*) > 1

),

left_shown as (

    select
        shared.url_key,
        shared.urls,
        shared.left_url,
        identity.cluster
    from shared
    inner join identity
        on shared.left_url = identity.url

),

differing as (

    select
        left_shown.url_key,
        left_shown.urls,
        left_shown.left_url,
        min(identity.url) as right_url
    from left_shown
    inner join identity
        on left_shown.url_key = identity.url_key
    where identity.url is not null
        and identity.cluster <> left_shown.cluster
    group by left_shown.url_key, left_shown.urls, left_shown.left_url

),

applied as (

    select
        rule.url_key,
        array_agg(distinct rule.name order by rule.name) as rules
    from (
        select
            url_key.url_key,
            unnest(url_key.rules) as name
        from url_key
        inner join differing
            on url_key.url_key = differing.url_key
    ) as rule
    group by rule.url_key

)

select
    differing.url_key,
    differing.urls,
    coalesce(applied.rules, cast(make_array() as varchar[])) as rules,
    differing.left_url,
    differing.right_url
from differing
left join applied
    on differing.url_key = applied.url_key
