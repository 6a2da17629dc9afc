//! `stages`, `methods`, `tables`, `parameters`: the lists that everything else follows from.

use super::print;
use crate::error::Result;
use crate::kernels::url::known_parameters;
use crate::method::METHODS;
use crate::schema::{Layout, TABLES};
use crate::stages::STAGES;

pub(super) fn stages() -> Result<()> {
    print::line("stage                 level     reads -> writes; parameters")?;
    for stage in STAGES.iter() {
        let reads: Vec<_> = stage.reads().collect();
        let params: Vec<_> =
            stage.head.params.iter().map(|(name, _, _)| format!("${name}")).collect();
        let params = if params.is_empty() { "none".to_owned() } else { params.join(" ") };
        print::line(&format!(
            "{:<20}  {:<8}  {} -> {}; {params}",
            stage.name,
            stage.level(),
            reads.join(", "),
            stage.table.name
        ))?;
    }
    Ok(())
}

pub(super) fn methods() -> Result<()> {
    for method in METHODS {
        let functions: Vec<_> = method.functions.iter().map(|(_, name)| *name).collect();
        print::line(&format!(
            "{}  (role {}, since {})",
            method.versioned(),
            method.role,
            method.since
        ))?;
        print::line(&format!("    {}", method.meaning))?;
        if !method.change.is_empty() {
            print::line(&format!("    change: {}", method.change))?;
        }
        if !functions.is_empty() {
            print::line(&format!("    functions: {}", functions.join(", ")))?;
        }
    }
    Ok(())
}

pub(super) fn tables() -> Result<()> {
    for table in TABLES {
        let kind = if table.layout == Layout::Published { "published" } else { "between stages" };
        print::line(&format!("{}  ({kind}): {}", table.name, table.grain))?;
        for column in table.columns {
            let key = if table.key.contains(&column.name) { "key" } else { "" };
            let null = if column.nullable { "null" } else { "" };
            print::line(&format!(
                "    {:<24} {:<10} {key:<3} {null:<4} {}",
                column.name,
                column.kind.sql(),
                column.meaning
            ))?;
        }
    }
    Ok(())
}

pub(super) fn parameters() -> Result<()> {
    for (name, rule, source) in known_parameters() {
        print::line(&format!("{name:<24} {:<9} {source}", rule.name()))?;
    }
    Ok(())
}
