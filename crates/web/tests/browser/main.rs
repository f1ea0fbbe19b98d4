//! The page in a real Chromium: what a person does with mouse, finger and keyboard, and what they then see.
//!
//! Needs the Debian packages `chromium` and `chromium-driver`. Screenshots are left in `target/screenshots`.

mod chromedriver;
#[path = "../all/common/mod.rs"]
mod common;
mod driver;

mod access;
mod compare;
mod edit;
mod evolve;
mod explore;
mod forge;
mod links;
mod play;
mod screens;
