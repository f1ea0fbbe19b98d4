//! Finds the book, whose chapters the page shows. `docs` is a link to the book of the repository, and a folder in a package;
//! where version control does not create links, as on most Windows machines, the book is found in the repository.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the package");
    let book = ["docs", "../../docs"].map(|folder| Path::new(&root).join(folder));
    let book = book.iter().find(|folder| folder.join("SUMMARY.md").is_file()).expect("the book is complete");
    println!("cargo::rustc-env=CLEARWAY_BOOK={}", book.display());
}
