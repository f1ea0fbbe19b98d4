//! The program as its users meet it: every command, in a process of its own.

mod algorithm_table;
mod closed_stderr;
mod common;
mod compare;
mod convert;
mod docs;
mod evolve;
mod examples;
mod forge_backward;
mod forge_climb;
mod forge_enumerate;
mod forge_pack;
mod forge_random;
mod grade;
mod policy;
mod policy_test;
mod program;
mod repro;
mod serve;
mod show;
mod solve;
mod stream;
mod tiles;
mod tiles_evolve;
mod verify;
