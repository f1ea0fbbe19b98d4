//! Programs by name: those that come with the program, and files.

use crate::program::LONGEST_TEXT;
use crate::{Fault, Program};
use std::fs::File;
use std::io::{self, Read};

/// A program that comes with clearway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The programs that come with clearway, each bred for the frame in its name.
pub static SHIPPED: &[Shipped] = &[
    Shipped { name: "tiles-3x3", text: include_str!("../../../policies/tiles-3x3.program") },
    Shipped { name: "tiles-4x4", text: include_str!("../../../policies/tiles-4x4.program") },
];

/// A program and what it is called: the name of a shipped program, or a file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedProgram {
    /// The name or the path.
    pub name: String,
    /// The program.
    pub program: Program,
}

/// Why there is no program of a name.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such file, or it cannot be read.
    #[error("cannot read {name}: {error}{}", shipped_hint(name))]
    File {
        /// The file.
        name: String,
        /// Why not.
        error: io::Error,
    },
    /// The file holds no program.
    #[error("{name}: {fault}")]
    Broken {
        /// The file.
        name: String,
        /// Its text, without anything that could command a terminal.
        text: String,
        /// What is wrong with it.
        fault: Fault,
    },
}

fn shipped_hint(name: &str) -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
    if names.is_empty() || name.contains(['/', '\\', '.']) {
        return String::new();
    }
    format!("; the programs that come with clearway are {}", names.join(", "))
}

impl NamedProgram {
    /// The shipped program of that name, or the one in a file.
    ///
    /// ```
    /// use clearway_tiles::library::NamedProgram;
    /// let error = NamedProgram::open("no/such.program").unwrap_err();
    /// assert!(error.to_string().starts_with("cannot read no/such.program: "));
    /// ```
    pub fn open(name: &str) -> Result<NamedProgram, OpenError> {
        NamedProgram::among(SHIPPED, name)
    }

    fn among(shipped: &[Shipped], name: &str) -> Result<NamedProgram, OpenError> {
        let name = name.to_owned();
        let text = match shipped.iter().find(|shipped| shipped.name == name) {
            Some(shipped) => shipped.text.to_owned(),
            None => match read(&name) {
                Ok(text) => text,
                Err(error) => return Err(OpenError::File { name, error }),
            },
        };
        match Program::parse(&text) {
            Ok(program) => Ok(NamedProgram { name, program }),
            Err(fault) => Err(OpenError::Broken { name, text, fault }),
        }
    }
}

/// The text of a file, as far as a program may be long. What is no text becomes something that no program holds.
fn read(path: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shipped_program_is_found_by_its_name() {
        let shipped = [Shipped { name: "mine", text: "run: once do\n(if u d)\n" }];
        let found = NamedProgram::among(&shipped, "mine").unwrap();
        assert_eq!((found.name.as_str(), found.program), ("mine", Program::parse(shipped[0].text).unwrap()));
        assert!(matches!(NamedProgram::among(&shipped, "yours"), Err(OpenError::File { .. })));
    }

    #[test]
    fn what_comes_with_clearway_is_whole() {
        for shipped in SHIPPED {
            let found = NamedProgram::open(shipped.name).unwrap();
            assert!(found.program.about.contains("clearway tiles evolve"), "{} says how it was bred", shipped.name);
        }
    }
}
