-- stage:      funnel
-- reads:      bucket, candidate, closure, closure_edge, component, document_cluster, edge, fetch, fetch_fingerprint, hot_bucket, leader, page, page_document, quarantine, resemblance, url_key
-- param:      closure_limit  bigint   most comparisons of leaders with members in one component
-- param:      guard_script   boolean  whether the guard against other scripts is on
-- cost:       counts
-- why:        what went in, what each step made of it, and what a bound or a guard left out
with

verified as (

    select
        resemblance.shared * 10
            / (resemblance.left_shingles + resemblance.right_shingles - resemblance.shared)
            as tenth
    from resemblance

),

sized as (

    select
        leader.component,
        count(*) as documents,
        count(*) filter (where leader.is_leader) as leaders
    from leader
    group by leader.component

),

first_cluster as (

    select
        document_cluster.component,
        document_cluster.medoid,
        count(*) as documents
    from document_cluster
    group by document_cluster.component, document_cluster.medoid

),

largest_cluster as (

    select
        first_cluster.component,
        max(first_cluster.documents) as documents
    from first_cluster
    group by first_cluster.component

)

select cast(1 as int) as step, 'rows_admitted' as name, count(*) as count from fetch
union all
select 1, 'rows_set_aside', coalesce(sum(quarantine.rows), 0) from quarantine
union all
select 1, 'rows_with_url_refused', count(*) from quarantine where quarantine.reason = 'url_refused'
union all
select 2, 'raw_urls', count(*) from url_key
union all
select 2, 'raw_urls_changed_by_rules', count(*) from url_key where cardinality(url_key.rules) > 0
union all
select 2, 'rows_with_key', count(*) from fetch_fingerprint
union all
select 3, 'pages', count(*) from page
union all
select 3, 'pages_empty', count(*) from page where page.gate = 'empty'
union all
select 3, 'documents', count(distinct page_document.document) from page_document
union all
select 4, 'buckets_shared', count(*) from bucket
union all
select 4, 'buckets_hot', count(*) from hot_bucket
union all
select
    4,
    'pairs_left_out_of_hot_buckets',
    coalesce(sum(hot_bucket.pairs_possible - hot_bucket.pairs_emitted), 0)
from hot_bucket
union all
select 5, 'candidate_pairs', count(*) from candidate
union all
select 5, 'candidate_pairs_dropped_by_estimate', count(*) from candidate where not candidate.is_kept
union all
select
    5,
    'candidate_pairs_by_simhash_alone',
    count(*)
from candidate
where candidate.shared_bands = 0
union all
select 6, 'verified_pairs', count(*) from verified
union all
select
    7,
    'verified_pairs_resemblance_' || cast(verified.tenth as varchar) || '_tenths',
    count(*)
from verified
group by verified.tenth
union all
select 8, 'edges_accepted', count(*) from edge where edge.guard is null
union all
select
    8,
    case when cast($guard_script as boolean) then 'edges_refused_by_script'
        else 'edges_refused_by_script_guard_off' end,
    count(*)
from edge
where edge.guard = 'script'
union all
select 9, 'components', count(distinct component.component) from component
union all
select 9, 'documents_in_components', count(*) from component
union all
select 10, 'closure_pairs', count(*) from closure
union all
select 10, 'closure_pairs_at_threshold', count(*) from closure_edge
union all
select
    10,
    'closure_pairs_left_out',
    coalesce(
        sum(
            greatest(
                sized.leaders - cast($closure_limit as bigint) / sized.documents,
                cast(0 as bigint)
            ) * sized.documents
        ),
        0
    )
from sized
union all
select
    11,
    'clusters_of_several_documents',
    count(*)
from first_cluster
where first_cluster.documents > 1
union all
select
    11,
    'components_cut_into_several_clusters',
    count(*)
from (
    select first_cluster.component
    from first_cluster
    group by first_cluster.component
    having count(*) > 1
) as cut
union all
select
    11,
    'documents_that_plain_components_would_have_chained',
    coalesce(sum(sized.documents - largest_cluster.documents), 0)
from sized
inner join largest_cluster
    on sized.component = largest_cluster.component
