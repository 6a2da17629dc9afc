-- stage:      mirror_url
-- reads:      common_path, declaration, host_page, main_mirror, mirror, page
-- join:       hash
-- cost:       one join on hosts over the known keys
-- why:        where each known key stands on the main mirror, by the longest prefix; fetched or
--             not. A key that shows something else than its image there is an exception
-- [generated from src/schema.rs, do not edit]
-- writes:     mirror_url  one row a known key that another host mirrors
-- key:        url_key
-- column:     url_key       varchar  not null  key, fetched or not
-- column:     main_mirror   varchar  not null  host that it is mapped to
-- column:     mirror_url    varchar  not null  its image there
-- column:     scope         varchar  not null  mirror or partial
-- column:     from_prefix   varchar  not null  prefix that decided
-- column:     is_known      boolean  not null  whether the image was fetched
-- column:     is_exception  boolean  not null  whether the image shows something else
-- [end]
with

known as (

    select substr(page.url_key, 1) as url_key
    from page
    where page.host is not null
    union
    select substr(declaration.target_key, 1) as url_key
    from declaration
    where declaration.target_key is not null

),

placed as (

    select
        known.url_key,
        split_part(known.url_key, '/', 1) || '//' || split_part(known.url_key, '/', 3) as host
    from known

),

matched as (

    select
        placed.url_key,
        first_value(
            named_struct(
                'from_host', mirror.from_host,
                'from_prefix', mirror.from_prefix,
                'to_host', mirror.to_host,
                'to_prefix', mirror.to_prefix,
                'scope', mirror.scope
            )
            order by character_length(mirror.from_prefix) desc
        ) as target
    from placed
    inner join mirror
        on placed.host = mirror.from_host
    where starts_with(
            substr(placed.url_key, character_length(placed.host) + 1),
            mirror.from_prefix
        )
    group by placed.url_key

),

-- A host that part of another is mapped to may have a main mirror of its own.
mapped as (

    select
        matched.url_key,
        matched.target['scope'] as scope,
        matched.target['from_prefix'] as from_prefix,
        main_mirror.main_mirror,
        matched.target['to_prefix']
            || substr(
                matched.url_key,
                character_length(matched.target['from_host'])
                    + character_length(matched.target['from_prefix'])
                    + 1
            ) as path
    from matched
    inner join main_mirror
        on matched.target['to_host'] = main_mirror.host
    where matched.target['scope'] <> 'carved'

),

agreed as (

    select distinct
        common_path.left_host
            || common_path.left_prefix
            || substr(common_path.suffix, 2)
            as left_key,
        common_path.right_host
            || common_path.right_prefix
            || substr(common_path.suffix, 2)
            as right_key
    from common_path
    where common_path.is_same

),

compared as (

    select
        mapped.url_key,
        mapped.main_mirror,
        mapped.main_mirror || mapped.path as mirror_url,
        mapped.scope,
        mapped.from_prefix,
        image.host is not null as is_known,
        coalesce(own.content <> image.content, false) as is_different
    from mapped
    left join host_page as image
        on mapped.main_mirror = image.host
        and mapped.path = image.path
    left join host_page as own
        on split_part(mapped.url_key, '/', 1) || '//' || split_part(mapped.url_key, '/', 3)
            = own.host
        and substr(
            mapped.url_key,
            character_length(split_part(mapped.url_key, '/', 1))
                + character_length(split_part(mapped.url_key, '/', 3))
                + 3
        ) = own.path

)

select
    compared.url_key,
    compared.main_mirror,
    compared.mirror_url,
    compared.scope,
    compared.from_prefix,
    compared.is_known,
    compared.is_different and agreed.left_key is null as is_exception
from compared
left join agreed
    on least(compared.url_key, compared.mirror_url) = least(agreed.left_key, agreed.right_key)
    and greatest(compared.url_key, compared.mirror_url)
        = greatest(agreed.left_key, agreed.right_key)
