//! Every property holds for the seed corpus of its target, and all files in `fuzz/` belong to an existing target.

use clearway_properties::TARGETS;
use clearway_properties::certificates::accepted;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum size of a corpus in bytes: seeds only show the fuzzer the form of inputs.
const MAX_BYTES: u64 = 16 << 10;

fn fuzz(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(name)
}

/// Returns the file names in a folder, without their extensions.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(fuzz(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

#[test]
fn properties_hold_for_the_seeds() {
    for target in TARGETS {
        let mut bytes = 0;
        for seed in fs::read_dir(fuzz("seeds").join(target.name)).unwrap() {
            let path = seed.unwrap().path();
            let input = fs::read(&path).unwrap();
            bytes += input.len() as u64;
            println!("{}", path.display());
            (target.check)(&input);
            // Truncated inputs, and bytes that are not valid UTF-8.
            (target.check)(&input[..input.len() / 2]);
            (target.check)(&[&input, b"\xff".as_slice()].concat());
        }
        assert!((1..=MAX_BYTES).contains(&bytes), "{}: {bytes} bytes of seeds", target.name);
    }
}

#[test]
fn every_target_has_a_program_and_seeds() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(names("fuzz_targets"), targets);
    assert_eq!(names("seeds"), targets);
    assert!(names("dictionaries").is_subset(&targets));
    let manifest = fs::read_to_string(fuzz("Cargo.toml")).unwrap();
    let programs =
        manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""));
    assert_eq!(programs.map(ToOwned::to_owned).collect::<BTreeSet<_>>(), targets);
}

#[test]
fn seeds_of_certificates_are_accepted_until_they_are_changed() {
    for seed in fs::read_dir(fuzz("seeds/certificates")).unwrap() {
        let path = seed.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let claim = accepted(&fs::read(&path).unwrap());
        assert_eq!(claim.is_some(), !name.starts_with("wrong"), "{name}: {claim:?}");
    }
}
