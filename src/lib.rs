//! Selfsame decides what is the same thing in a web crawl.
//!
//! It reads columnar snapshots and writes, as Parquet, one answer for every URL with the evidence
//! that led there. Identity is a graph on nested levels, and on every level the same recipe runs:
//!
//! ```text
//! signal  ->  edge  ->  component  ->  group  ->  choice
//! ```
//!
//! # The map
//!
//! ```text
//! 5 commands   cli                  what people type
//! 4 engine     engine               reads, plans, writes, publishes
//! 3 stages     job, stages          what is computed, in SQL files and a few operators
//! 2 functions  udf                  kernels as SQL functions
//! 1 kernels    kernels              pure functions over slices and strings
//! 0 facts      method schema error  every method, table and fault
//! ```
//!
//! A lower floor never names a higher one; a test reads the sources and enforces it.
//!
//! What is absent, always:
//!
//! * Kernels know no NULL. A NULL row never reaches them; an adapter answers NULL for it.
//! * No SQL text is built at run time. Values enter as bound parameters, tables by logical name.
//! * Functions have no state. On a cluster a function is found again by name alone, so all that
//!   matters is in the name or the arguments.
//! * No result depends on the number of threads, partitions or machines, or on the order of rows.
//!   Ties are broken by key.
//!
//! # Where to start
//!
//! [`schema::TABLES`] says what comes out, [`method::METHODS`] what decides it,
//! [`stages::STAGES`] in which order, and [`engine::run::Runner`] how. Who only wants the functions
//! in a DataFusion session of their own takes [`udf::register_all`].

pub mod cli;
pub mod engine;
pub mod error;
pub mod job;
pub mod kernels;
pub mod method;
pub mod schema;
pub mod stages;
pub mod udf;
