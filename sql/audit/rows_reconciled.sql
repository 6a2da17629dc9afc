-- audit:      rows_reconciled
-- reads:      fetch, fetch_fingerprint, member, quarantine
-- why:        rows in = rows in member + rows set aside
with

total as (

    select
        (select count(*) from fetch) as admitted,
        (select count(*) from fetch_fingerprint) as keyed,
        (select coalesce(sum(member.multiplicity), 0) from member) as members,
        (
            select count(*)
            from quarantine
            where quarantine.reason = 'url_refused'
        ) as refused

)

select
    total.admitted
from total
where total.keyed <> total.members
    or total.admitted <> total.keyed + total.refused
