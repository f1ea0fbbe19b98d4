//! Code shared by the tests of the forge.

pub mod every_board;
