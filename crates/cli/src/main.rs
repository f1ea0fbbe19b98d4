//! The program `clearway`.

fn main() {
    clearway_cli::main();
}
