//! The program `clearway`.

fn main() {
    clearway_cli::main(std::env::args_os().skip(1));
}
