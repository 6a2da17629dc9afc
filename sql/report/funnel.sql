-- stage:      funnel
-- reads:      bucket, candidate, closure, closure_edge, document_cluster, edge, excerpt, fetch,
--             fetch_fingerprint, fetch_hint, hot_bucket, hot_host_key, key_conflict, leader,
--             mirror_edge, mirror_url, page, page_fact, removal, resemblance, resource, set_aside,
--             text, url_edge, url_key
-- param:      closure_limit  bigint   most comparisons of leaders with members in one component
-- cost:       counts
-- why:        what went in, what each step made of it, and what a bound or a guard left out.
--             A document far from the first leader of its component is one that plain components
--             would have chained to it.
-- [generated from src/schema.rs, do not edit]
-- writes:     funnel  one row a count of the run
-- key:        step, name
-- column:     step   bigint   not null  place in the order of the run
-- column:     name   varchar  not null  what is counted
-- column:     count  bigint   not null  how many
-- [end]
with

counted_row as (

    select
        'set_aside' as name,
        coalesce(sum(set_aside.rows), 0) as rows
    from set_aside
    union all
    select
        'fetches' as name,
        count(*) as rows
    from fetch
    union all
    select
        'keyed' as name,
        count(*) as rows
    from fetch_fingerprint
    union all
    select
        'html' as name,
        count(*) as rows
    from page_fact
    union all
    select
        'conflicts' as name,
        count(*) as rows
    from key_conflict
    union all
    select
        'documents' as name,
        count(*) as rows
    from text
    union all
    select
        'buckets' as name,
        count(*) as rows
    from bucket
    union all
    select
        'closures' as name,
        count(*) as rows
    from closure
    union all
    select
        'closure_edges' as name,
        count(*) as rows
    from closure_edge
    where closure_edge.guard is null
    union all
    select
        'excerpts' as name,
        count(*) as rows
    from excerpt
    union all
    select
        'hot_host_keys' as name,
        count(*) as rows
    from hot_host_key
    union all
    select
        'fetch_hints' as name,
        count(*) as rows
    from fetch_hint

),

row_count as (

    select
        sum(counted_row.rows) filter (where counted_row.name = 'set_aside') as set_aside,
        sum(counted_row.rows) filter (where counted_row.name = 'fetches') as fetches,
        sum(counted_row.rows) filter (where counted_row.name = 'keyed') as keyed,
        sum(counted_row.rows) filter (where counted_row.name = 'html') as html,
        sum(counted_row.rows) filter (where counted_row.name = 'conflicts') as conflicts,
        sum(counted_row.rows) filter (where counted_row.name = 'documents') as documents,
        sum(counted_row.rows) filter (where counted_row.name = 'buckets') as buckets,
        sum(counted_row.rows) filter (where counted_row.name = 'closures') as closures,
        sum(counted_row.rows) filter (where counted_row.name = 'closure_edges') as closure_edges,
        sum(counted_row.rows) filter (where counted_row.name = 'excerpts') as excerpts,
        sum(counted_row.rows) filter (where counted_row.name = 'hot_host_keys') as hot_host_keys,
        sum(counted_row.rows) filter (where counted_row.name = 'fetch_hints') as fetch_hints
    from counted_row

),

url_count as (

    select
        count(*) as urls,
        count(*) filter (where cardinality(url_key.rules) > 0) as changed,
        count(*) filter (where url_key.refused is not null) as refused
    from url_key

),

page_count as (

    select
        count(*) as pages,
        count(distinct page.host) as hosts,
        count(*) filter (where page.gate = 'redirect') as redirect,
        count(*) filter (where page.gate = 'http_error') as http_error,
        count(*) filter (where page.gate = 'soft404') as soft404,
        count(*) filter (where page.gate = 'login_wall') as login_wall,
        count(*) filter (where page.gate = 'consent_wall') as consent_wall,
        count(*) filter (where page.gate = 'bot_block') as bot_block,
        count(*) filter (where page.gate = 'parked') as parked,
        count(*) filter (where page.gate = 'maintenance') as maintenance,
        count(*) filter (where page.gate = 'infinite_space') as infinite_space,
        count(*) filter (where page.gate = 'global_boilerplate') as global_boilerplate,
        count(*) filter (where page.gate = 'extract_failed') as extract_failed,
        count(*) filter (where page.gate = 'empty') as empty,
        count(*) filter (where page.gate = 'too_short') as too_short
    from page

),

-- Hosts of which most pages say nothing: an alarm on the crawl.
gated_host as (

    select page.host
    from page
    where page.host is not null
        and page.gate <> 'redirect'
    group by page.host
    having count(*) >= 10
        and count(*) filter (where page.gate = 'ok') * 2 < count(*)

),

gated_host_count as (

    select count(*) as hosts
    from gated_host

),

removal_count as (

    select
        count(*) filter (where removal.verdict = 'removed') as pages,
        coalesce(sum(removal.removed_blocks) filter (where removal.verdict = 'removed'), 0)
            as blocks
    from removal

),

url_edge_count as (

    select
        count(*) filter (where url_edge.outcome = 'accepted') as accepted,
        count(*) filter (where url_edge.outcome = 'refused') as refused
    from url_edge

),

resource_count as (

    select count(*) filter (where resource.is_canonical) as resources
    from resource

),

hot_count as (

    select
        count(*) as buckets,
        coalesce(sum(hot_bucket.pairs_possible - hot_bucket.pairs_emitted), 0) as pairs_left_out
    from hot_bucket

),

candidate_count as (

    select
        count(*) as pairs,
        count(*) filter (where candidate.shared_bands = 0 and candidate.shared_blocks > 0)
            as simhash_alone,
        count(*) filter (
            where candidate.shared_bands + candidate.shared_blocks = 0
                and candidate.shared_samples > 0
        ) as samples_alone,
        count(*) filter (where not candidate.is_kept) as dropped
    from candidate

),

verified as (

    select
        resemblance.shared * 10
            / (resemblance.left_shingles + resemblance.right_shingles - resemblance.shared)
            as tenths
    from resemblance

),

verified_count as (

    select
        count(*) as pairs,
        count(*) filter (where verified.tenths < 5) as below_5,
        count(*) filter (where verified.tenths = 5) as from_5,
        count(*) filter (where verified.tenths = 6) as from_6,
        count(*) filter (where verified.tenths = 7) as from_7,
        count(*) filter (where verified.tenths = 8) as from_8,
        count(*) filter (where verified.tenths >= 9) as from_9
    from verified

),

edge_count as (

    select
        count(*) filter (where edge.tier = 'merge') as merged,
        count(*) filter (where edge.tier = 'group') as grouped,
        count(*) filter (where edge.guard = 'hreflang') as hreflang,
        count(*) filter (where edge.guard = 'script') as script,
        count(*) filter (where edge.guard = 'language') as language,
        count(*) filter (where edge.guard = 'product') as product,
        count(*) filter (where edge.guard = 'price') as price,
        count(*) filter (where edge.guard = 'title') as title,
        count(*) filter (where edge.guard = 'digits_identifying') as digits_identifying,
        count(*) filter (where edge.guard = 'operator') as operator,
        count(*) filter (where edge.guard = 'polarity') as polarity,
        count(*) filter (where edge.guard = 'digits_unknown') as digits_unknown,
        count(*) filter (where edge.guard = 'class_product') as class_product,
        count(*) filter (where edge.guard = 'class_list') as class_list,
        count(*) filter (where edge.guard = 'class_tiny') as class_tiny,
        count(*) filter (where edge.guard = 'class_short') as class_short,
        count(*) filter (where edge.guard = 'class_medium') as class_medium,
        count(*) filter (where edge.guard = 'class_same_host') as class_same_host,
        count(*) filter (where edge.guard = 'class_cross_host') as class_cross_host
    from edge

),

sized as (

    select
        leader.component,
        count(*) as documents,
        count(*) filter (where leader.is_leader) as leaders
    from leader
    group by leader.component

),

component_count as (

    select
        count(*) as components,
        coalesce(sum(sized.documents), 0) as documents,
        coalesce(
            sum(
                greatest(
                    sized.leaders - cast($closure_limit as bigint) / sized.documents,
                    cast(0 as bigint)
                ) * sized.documents
            ),
            0
        ) as closure_left_out
    from sized

),

first_leader as (

    select
        leader.component,
        leader.document
    from leader
    where leader.rank = 1

),

chain as (

    select
        least(first_leader.document, leader.document) as left_document,
        greatest(first_leader.document, leader.document) as right_document
    from leader
    inner join first_leader
        on leader.component = first_leader.component
    where leader.rank > 1

),

chain_count as (

    select
        count(*) filter (
            where edge.left_document is null and closure_edge.left_document is null
        ) as documents
    from chain
    left join edge
        on chain.left_document = edge.left_document
        and chain.right_document = edge.right_document
        and edge.guard is null
    left join closure_edge
        on chain.left_document = closure_edge.left_document
        and chain.right_document = closure_edge.right_document
        and closure_edge.guard is null

),

clustered as (

    select
        document_cluster.component,
        document_cluster.medoid,
        count(*) as documents
    from document_cluster
    group by document_cluster.component, document_cluster.medoid

),

cut as (

    select
        clustered.component,
        count(*) as clusters,
        count(*) filter (where clustered.documents > 1) as clusters_of_several
    from clustered
    group by clustered.component

),

cluster_count as (

    select
        coalesce(sum(cut.clusters_of_several), 0) as clusters,
        count(*) filter (where cut.clusters > 1) as components_cut
    from cut

),

mirror_edge_count as (

    select
        count(*) as pairs,
        count(*) filter (where mirror_edge.verdict = 'mirror') as mirror,
        count(*) filter (where mirror_edge.verdict = 'partial') as partial,
        count(*) filter (where mirror_edge.verdict = 'undecided') as undecided,
        count(*) filter (where mirror_edge.reason = 'translation') as translation,
        count(*) filter (where mirror_edge.reason = 'regional') as regional,
        count(*) filter (where mirror_edge.reason = 'few_texts') as few_texts,
        count(*) filter (where mirror_edge.reason = 'contrary') as contrary,
        count(*) filter (where mirror_edge.reason = 'one_folder') as one_folder,
        count(*) filter (where mirror_edge.reason = 'template') as template,
        count(*) filter (where mirror_edge.reason = 'different') as different
    from mirror_edge

),

mirror_url_count as (

    select
        count(*) filter (where not mirror_url.is_exception) as mapped,
        count(*) filter (where mirror_url.is_exception) as exceptions
    from mirror_url

),

row_line as (

    select
        unnest([
            named_struct(
                'step', 1,
                'name', 'rows_in',
                'count', row_count.fetches + row_count.set_aside
            ),
            named_struct('step', 2, 'name', 'rows_admitted', 'count', row_count.keyed),
            named_struct(
                'step', 3,
                'name', 'rows_set_aside',
                'count', row_count.set_aside + (row_count.fetches - row_count.keyed)
            ),
            named_struct('step', 8, 'name', 'pages_html', 'count', row_count.html),
            named_struct('step', 14, 'name', 'documents', 'count', row_count.documents),
            named_struct('step', 15, 'name', 'buckets_shared', 'count', row_count.buckets),
            named_struct('step', 32, 'name', 'closure_pairs', 'count', row_count.closures),
            named_struct('step', 33, 'name', 'closure_edges', 'count', row_count.closure_edges),
            named_struct('step', 37, 'name', 'excerpts', 'count', row_count.excerpts),
            named_struct('step', 41, 'name', 'key_conflicts', 'count', row_count.conflicts),
            named_struct('step', 42, 'name', 'host_keys_hot', 'count', row_count.hot_host_keys),
            named_struct('step', 47, 'name', 'urls_to_fetch_next', 'count', row_count.fetch_hints)
        ]) as line
    from row_count

),

url_line as (

    select
        unnest([
            named_struct('step', 4, 'name', 'raw_urls', 'count', url_count.urls),
            named_struct(
                'step', 5,
                'name', 'raw_urls_changed_by_rules',
                'count', url_count.changed
            ),
            named_struct('step', 6, 'name', 'raw_urls_refused', 'count', url_count.refused)
        ]) as line
    from url_count

),

page_line as (

    select
        unnest([
            named_struct('step', 7, 'name', 'pages', 'count', page_count.pages),
            named_struct('step', 9, 'name', 'pages_redirect', 'count', page_count.redirect),
            named_struct('step', 9, 'name', 'pages_http_error', 'count', page_count.http_error),
            named_struct('step', 9, 'name', 'pages_soft404', 'count', page_count.soft404),
            named_struct('step', 9, 'name', 'pages_login_wall', 'count', page_count.login_wall),
            named_struct('step', 9, 'name', 'pages_consent_wall', 'count', page_count.consent_wall),
            named_struct('step', 9, 'name', 'pages_bot_block', 'count', page_count.bot_block),
            named_struct('step', 9, 'name', 'pages_parked', 'count', page_count.parked),
            named_struct('step', 9, 'name', 'pages_maintenance', 'count', page_count.maintenance),
            named_struct(
                'step', 9,
                'name', 'pages_infinite_space',
                'count', page_count.infinite_space
            ),
            named_struct(
                'step', 9,
                'name', 'pages_global_boilerplate',
                'count', page_count.global_boilerplate
            ),
            named_struct(
                'step', 9,
                'name', 'pages_extract_failed',
                'count', page_count.extract_failed
            ),
            named_struct('step', 9, 'name', 'pages_empty', 'count', page_count.empty),
            named_struct('step', 9, 'name', 'pages_too_short', 'count', page_count.too_short),
            named_struct('step', 10, 'name', 'hosts', 'count', page_count.hosts)
        ]) as line
    from page_count

),

gated_host_line as (

    select
        unnest([
            named_struct('step', 11, 'name', 'hosts_mostly_gated', 'count', gated_host_count.hosts)
        ]) as line
    from gated_host_count

),

removal_line as (

    select
        unnest([
            named_struct(
                'step', 12,
                'name', 'pages_with_repeated_blocks_removed',
                'count', removal_count.pages
            ),
            named_struct(
                'step', 13,
                'name', 'repeated_blocks_removed',
                'count', removal_count.blocks
            )
        ]) as line
    from removal_count

),

hot_line as (

    select
        unnest([
            named_struct('step', 16, 'name', 'buckets_hot', 'count', hot_count.buckets),
            named_struct(
                'step', 17,
                'name', 'pairs_left_out_of_hot_buckets',
                'count', hot_count.pairs_left_out
            )
        ]) as line
    from hot_count

),

candidate_line as (

    select
        unnest([
            named_struct('step', 18, 'name', 'candidate_pairs', 'count', candidate_count.pairs),
            named_struct(
                'step', 19,
                'name', 'candidate_pairs_by_simhash_alone',
                'count', candidate_count.simhash_alone
            ),
            named_struct(
                'step', 19,
                'name', 'candidate_pairs_by_samples_alone',
                'count', candidate_count.samples_alone
            ),
            named_struct(
                'step', 20,
                'name', 'candidate_pairs_dropped_by_estimate',
                'count', candidate_count.dropped
            )
        ]) as line
    from candidate_count

),

verified_line as (

    select
        unnest([
            named_struct('step', 21, 'name', 'verified_pairs', 'count', verified_count.pairs),
            named_struct(
                'step', 22,
                'name', 'verified_pairs_below_0.5',
                'count', verified_count.below_5
            ),
            named_struct(
                'step', 23,
                'name', 'verified_pairs_from_0.5',
                'count', verified_count.from_5
            ),
            named_struct(
                'step', 24,
                'name', 'verified_pairs_from_0.6',
                'count', verified_count.from_6
            ),
            named_struct(
                'step', 25,
                'name', 'verified_pairs_from_0.7',
                'count', verified_count.from_7
            ),
            named_struct(
                'step', 26,
                'name', 'verified_pairs_from_0.8',
                'count', verified_count.from_8
            ),
            named_struct(
                'step', 27,
                'name', 'verified_pairs_from_0.9',
                'count', verified_count.from_9
            )
        ]) as line
    from verified_count

),

edge_line as (

    select
        unnest([
            named_struct('step', 28, 'name', 'edges_merge', 'count', edge_count.merged),
            named_struct('step', 28, 'name', 'edges_group', 'count', edge_count.grouped),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_hreflang',
                'count', edge_count.hreflang
            ),
            named_struct('step', 29, 'name', 'edges_refused_by_script', 'count', edge_count.script),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_language',
                'count', edge_count.language
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_product',
                'count', edge_count.product
            ),
            named_struct('step', 29, 'name', 'edges_refused_by_price', 'count', edge_count.price),
            named_struct('step', 29, 'name', 'edges_refused_by_title', 'count', edge_count.title),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_digits_identifying',
                'count', edge_count.digits_identifying
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_operator',
                'count', edge_count.operator
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_polarity',
                'count', edge_count.polarity
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_digits_unknown',
                'count', edge_count.digits_unknown
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_product',
                'count', edge_count.class_product
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_list',
                'count', edge_count.class_list
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_tiny',
                'count', edge_count.class_tiny
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_short',
                'count', edge_count.class_short
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_medium',
                'count', edge_count.class_medium
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_same_host',
                'count', edge_count.class_same_host
            ),
            named_struct(
                'step', 29,
                'name', 'edges_refused_by_class_cross_host',
                'count', edge_count.class_cross_host
            )
        ]) as line
    from edge_count

),

component_line as (

    select
        unnest([
            named_struct('step', 30, 'name', 'components', 'count', component_count.components),
            named_struct(
                'step', 31,
                'name', 'documents_in_components',
                'count', component_count.documents
            ),
            named_struct(
                'step', 34,
                'name', 'closure_pairs_left_out',
                'count', component_count.closure_left_out
            )
        ]) as line
    from component_count

),

chain_line as (

    select
        unnest([
            named_struct(
                'step', 35,
                'name', 'documents_far_from_the_first_leader',
                'count', chain_count.documents
            )
        ]) as line
    from chain_count

),

cluster_line as (

    select
        unnest([
            named_struct(
                'step', 36,
                'name', 'clusters_of_several_documents',
                'count', cluster_count.clusters
            ),
            named_struct(
                'step', 37,
                'name', 'components_cut_into_several_clusters',
                'count', cluster_count.components_cut
            )
        ]) as line
    from cluster_count

),

url_edge_line as (

    select
        unnest([
            named_struct(
                'step', 38,
                'name', 'url_edges_accepted',
                'count', url_edge_count.accepted
            ),
            named_struct('step', 39, 'name', 'url_edges_refused', 'count', url_edge_count.refused)
        ]) as line
    from url_edge_count

),

resource_line as (

    select
        unnest([
            named_struct(
                'step', 40,
                'name', 'resources_of_several_keys',
                'count', resource_count.resources
            )
        ]) as line
    from resource_count

),

mirror_edge_line as (

    select
        unnest([
            named_struct('step', 43, 'name', 'host_tests', 'count', mirror_edge_count.pairs),
            named_struct(
                'step', 44,
                'name', 'host_tests_mirror',
                'count', mirror_edge_count.mirror
            ),
            named_struct(
                'step', 44,
                'name', 'host_tests_partial',
                'count', mirror_edge_count.partial
            ),
            named_struct(
                'step', 44,
                'name', 'host_tests_undecided',
                'count', mirror_edge_count.undecided
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_translation',
                'count', mirror_edge_count.translation
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_regional',
                'count', mirror_edge_count.regional
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_few_texts',
                'count', mirror_edge_count.few_texts
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_contrary',
                'count', mirror_edge_count.contrary
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_one_folder',
                'count', mirror_edge_count.one_folder
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_template',
                'count', mirror_edge_count.template
            ),
            named_struct(
                'step', 45,
                'name', 'host_tests_not_by_different',
                'count', mirror_edge_count.different
            )
        ]) as line
    from mirror_edge_count

),

mirror_url_line as (

    select
        unnest([
            named_struct(
                'step', 46,
                'name', 'urls_on_a_main_mirror_elsewhere',
                'count', mirror_url_count.mapped
            ),
            named_struct(
                'step', 46,
                'name', 'urls_that_are_exceptions_of_a_mirror',
                'count', mirror_url_count.exceptions
            )
        ]) as line
    from mirror_url_count

),

counted as (

    select row_line.line
    from row_line
    union all
    select url_line.line
    from url_line
    union all
    select page_line.line
    from page_line
    union all
    select gated_host_line.line
    from gated_host_line
    union all
    select removal_line.line
    from removal_line
    union all
    select hot_line.line
    from hot_line
    union all
    select candidate_line.line
    from candidate_line
    union all
    select verified_line.line
    from verified_line
    union all
    select edge_line.line
    from edge_line
    union all
    select component_line.line
    from component_line
    union all
    select chain_line.line
    from chain_line
    union all
    select cluster_line.line
    from cluster_line
    union all
    select url_edge_line.line
    from url_edge_line
    union all
    select resource_line.line
    from resource_line
    union all
    select mirror_edge_line.line
    from mirror_edge_line
    union all
    select mirror_url_line.line
    from mirror_url_line

)

select
    counted.line['step'] as step,
    counted.line['name'] as name,
    counted.line['count'] as count
from counted
