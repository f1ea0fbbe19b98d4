//! The suites of boards that come with the program.
