//! Pure functions over slices and strings: what the project exists for.
//!
//! Kernels know no Arrow, no NULL, no files, no clock and no randomness.

pub mod banding;
pub mod boilerplate;
pub mod caught;
pub mod cluster;
pub mod components;
pub mod difference;
pub mod fingerprint;
pub mod gate;
pub mod guard;
pub mod html;
pub mod id;
pub mod minhash;
pub mod mirror;
pub mod mix;
pub mod product;
pub mod shingle;
pub mod simd;
pub mod simhash;
pub mod text;
pub mod url;
