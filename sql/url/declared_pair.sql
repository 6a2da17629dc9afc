-- stage:      declared_pair
-- reads:      resolved_declaration, text
-- invariant:  ordered  left_document < right_document
-- cost:       two joins on numbers
-- why:        a declared canonical is verified like any other pair, whether it meets in a bucket
--             or not
-- [generated from src/schema.rs, do not edit]
-- writes:     declared_pair  one row a pair of documents of which one names the other as canonical
-- key:        left_document, right_document
-- column:     left_document   bigint  not null  document with the smaller number
-- column:     right_document  bigint  not null  document with the larger number
-- [end]
with

declared as (

    select distinct
        least(resolved_declaration.document, resolved_declaration.final_document)
            as left_document,
        greatest(resolved_declaration.document, resolved_declaration.final_document)
            as right_document
    from resolved_declaration
    where resolved_declaration.kind = 'canonical'
        and resolved_declaration.refused is null
        and resolved_declaration.document <> resolved_declaration.final_document

)

select
    declared.left_document,
    declared.right_document
from declared
inner join text as left_text
    on declared.left_document = left_text.document
inner join text as right_text
    on declared.right_document = right_text.document
where left_text.simhash is not null
    and right_text.simhash is not null
