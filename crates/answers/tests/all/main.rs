//! Tests of answers about boards: records, hints, graphs and traces.

mod common;
mod daily;
mod graph;
mod hint;
mod optimal;
mod records;
mod trace;
mod tutorial;
