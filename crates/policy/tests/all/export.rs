//! Exported policies have the values of the compiled ones. The exported code is compiled or interpreted, and run.

use crate::common::policies;
use clearway_policy::terminals::TERMINALS;
use clearway_policy::{CompiledPolicy, Language, NamedPolicy, Policy, SHIPPED, export};
use clearway_util::rng::stream;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::RngExt;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shipped policies, random ones, and some whose rules can be decided or that have no heuristic.
fn all_policies() -> Vec<Policy> {
    let special = [
        "DEFAULT 3",
        "DEFAULT 0*h1 + 0*h1",
        "IF 0 >= 1 THEN h1 IF h1 >= 0 THEN 2*h2 DEFAULT h3",
        "IF h1 >= h2 OR (h1 <= 0.5 AND 0 <= 1) THEN h1 - 7*h2 IF h1 <= 0.2 OR h3 >= 0 THEN -h1 DEFAULT h1*h2*h3 - 1",
        "IF is-releasing-move AND (g <= 0.3 OR mobility >= 0.25) THEN h1*1e9*h1*1e9*h1 DEFAULT -1*h1*h1",
    ];
    let mut runner = TestRunner::deterministic();
    let random = (0..40).map(|_| policies().new_tree(&mut runner).unwrap().current());
    let shipped = SHIPPED.iter().map(|shipped| Policy::clone(&NamedPolicy::shipped(shipped.name).unwrap().policy));
    shipped.chain(special.iter().map(|text| text.parse().unwrap())).chain(random.collect::<Vec<_>>()).collect()
}

/// Values of all heuristics at random states, of which some are infinite.
fn samples() -> Vec<Vec<f64>> {
    let sample = |number: u64| {
        let mut rng = stream(20, number);
        let value = |terminal: &clearway_policy::terminals::Terminal| match rng.random_range(0..12) {
            0 => f64::INFINITY,
            1 => 1e300,
            2..5 => rng.random_range(0.0..terminal.most),
            _ => f64::from(rng.random_range(0..2 * terminal.most as u32 + 1)),
        };
        TERMINALS.iter().map(value).collect()
    };
    (0..100).map(sample).collect()
}

/// The values of all policies at all samples, a line each.
fn expected(policies: &[Policy], samples: &[Vec<f64>]) -> Vec<f64> {
    let value = |program: &CompiledPolicy, sample: &Vec<f64>| program.value(&mut |terminal: usize| sample[terminal]);
    let programs: Vec<CompiledPolicy> = policies.iter().map(CompiledPolicy::new).collect();
    programs.iter().flat_map(|program| samples.iter().map(move |sample| value(program, sample))).collect()
}

/// Heuristics of the compiled policy that an exported module declares, with their names there.
fn used(policy: &Policy, declaration: impl Fn(&str) -> String, module: &str) -> Vec<(usize, String)> {
    let terminals = CompiledPolicy::new(policy).terminals().to_vec();
    let named = terminals.into_iter().map(|terminal| (terminal, TERMINALS[terminal].name.replace('-', "_")));
    named.filter(|(_, name)| module.contains(&declaration(name))).collect()
}

/// Runs a command in a folder and parses the numbers that it prints.
fn run(command: &mut Command, folder: &Path) -> Vec<f64> {
    let output = command.current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| f64::from_bits(line.parse().unwrap())).collect()
}

#[track_caller]
fn assert_same(found: &[f64], policies: &[Policy], samples: &[Vec<f64>]) {
    let expected = expected(policies, samples);
    assert_eq!(found.len(), expected.len());
    for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
        // The sign of zero may differ.
        let same = found.to_bits() == expected.to_bits() || *found == 0.0 && *expected == 0.0;
        assert!(same, "{found} instead of {expected} for {}", policies[place / samples.len()]);
    }
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn exported_rust_has_the_same_values() {
    let (policies, samples, folder) = (all_policies(), samples(), folder("export-rust"));
    let mut main = String::new();
    let mut calls = String::new();
    for (number, policy) in policies.iter().enumerate() {
        let module = export(policy, "tested", Language::Rust);
        fs::write(folder.join(format!("p{number}.rs")), &module).unwrap();
        let fields = used(policy, |name| format!("pub {name}: f64,"), &module)
            .into_iter()
            .map(|(terminal, name)| format!("{name}: s[{terminal}]"));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let _ = writeln!(main, "mod p{number};");
        let _ = writeln!(
            calls,
            "    for s in &samples {{ let _ = s; println!(\"{{}}\", p{number}::estimate(&p{number}::Heuristics {{ {fields} }}).to_bits()); }}"
        );
    }
    let bits: Vec<Vec<u64>> =
        samples.iter().map(|sample| sample.iter().map(|value| value.to_bits()).collect()).collect();
    let _ = write!(
        main,
        "fn main() {{\n    let samples: Vec<Vec<f64>> = [{}].iter().map(|s| s.iter().map(|&b: &u64| f64::from_bits(b)).collect()).collect();\n{calls}}}\n",
        bits.iter().map(|sample| format!("{sample:?}")).collect::<Vec<_>>().join(", ")
    );
    fs::write(folder.join("main.rs"), main).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiled =
        Command::new(rustc).args(["--edition", "2021", "-D", "warnings", "main.rs"]).current_dir(&folder).output();
    let compiled = compiled.unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert_same(&run(&mut Command::new(folder.join("main")), &folder), &policies, &samples);
}

#[test]
#[ignore = "needs Python: ./check runs it"]
fn exported_python_has_the_same_values() {
    let (policies, samples, folder) = (all_policies(), samples(), folder("export-python"));
    let mut main = String::from("import struct\n");
    let mut calls = String::new();
    for (number, policy) in policies.iter().enumerate() {
        let module = export(policy, "tested", Language::Python);
        fs::write(folder.join(format!("p{number}.py")), &module).unwrap();
        let arguments = used(policy, |name| format!(" {name}: float"), &module)
            .into_iter()
            .map(|(terminal, name)| format!("{name}=s[{terminal}]"));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let _ = writeln!(main, "import p{number}");
        let _ = writeln!(calls, "for s in samples:\n    show(p{number}.estimate({arguments}))");
    }
    let numbers: Vec<String> = samples
        .iter()
        .flatten()
        .map(|value| if value.is_infinite() { "float('inf')".to_owned() } else { format!("{value:?}") })
        .collect();
    let samples_text: Vec<String> =
        numbers.chunks(TERMINALS.len()).map(|sample| format!("[{}]", sample.join(", "))).collect();
    main += "def show(value):\n    print(struct.unpack('<Q', struct.pack('<d', value))[0])\n";
    let _ = write!(main, "samples = [{}]\n{calls}", samples_text.join(",\n"));
    fs::write(folder.join("main.py"), main).unwrap();
    assert_same(&run(Command::new("python3").arg("main.py"), &folder), &policies, &samples);
}
