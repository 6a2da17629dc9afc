-- audit:      rows_reconciled
-- reads:      fetch, fetch_fingerprint, member, quarantine, set_aside
-- why:        rows in = rows in member + rows set aside
with

total as (

    select
        (select count(*) from fetch) as admitted,
        (select count(*) from fetch_fingerprint) as keyed,
        (select coalesce(sum(member.multiplicity), 0) from member) as members,
        (select coalesce(sum(quarantine.rows), 0) from quarantine) as quarantined,
        (select coalesce(sum(set_aside.rows), 0) from set_aside) as set_aside

)

select
    total.admitted
from total
where total.keyed <> total.members
    or total.quarantined <> total.set_aside + (total.admitted - total.keyed)
