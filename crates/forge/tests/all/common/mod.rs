//! What the tests of the forge share.

pub mod every_board;
