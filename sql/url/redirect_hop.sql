-- stage:      redirect_hop
-- reads:      current_page, declaration
-- cost:       one group-by over the keys that redirect
-- why:        the newest answer counts: a redirect that is followed by a page
--             or an error is history, and two targets at one time say nothing certain
-- [generated from src/schema.rs, do not edit]
-- writes:     redirect_hop  one row a key whose newest answer is a redirect to one place
-- key:        url_key
-- column:     url_key       varchar  not null  key that redirects
-- column:     target_key    varchar  not null  where it points
-- column:     is_permanent  boolean  not null  status 301 or 308, or a refresh
-- [end]
with

redirecting as (

    select
        declaration.url_key,
        declaration.target_key,
        declaration.kind = 'refresh'
            or coalesce(declaration.fetch_status in (301, 308), false) as is_permanent,
        coalesce(declaration.newest, to_timestamp(0)) as newest
    from declaration
    inner join current_page
        on declaration.url_key = current_page.url_key
    where declaration.kind in ('redirect', 'refresh')
        and declaration.target_key is not null
        and coalesce(current_page.newest_page < declaration.newest, current_page.gate <> 'ok')

),

newest as (

    select
        redirecting.url_key,
        max(redirecting.newest) as newest
    from redirecting
    group by redirecting.url_key

)

select
    redirecting.url_key,
    min(redirecting.target_key) as target_key,
    bool_and(redirecting.is_permanent) as is_permanent
from redirecting
inner join newest
    on redirecting.url_key = newest.url_key
    and redirecting.newest = newest.newest
group by redirecting.url_key
having min(redirecting.target_key) = max(redirecting.target_key)
