//! Gives the module the stack of a thread of the server: the default for WebAssembly is half of it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family.split(',').any(|name| name == "wasm")) {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=2097152");
    }
}
