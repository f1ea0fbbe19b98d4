//! Policies: their text, their compiled form, those that are shipped, their training.

mod common;
mod programs;
mod shipped;
mod text;
mod training;
