//! Programs by name: those that come with the program, and files.

use crate::program::LONGEST_TEXT;
use crate::{Fault, Program};
use clearway_gp::library::{self, Shipped};
use std::io;

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
    #[error("cannot read {name}: {error}{}", Shipped::hint(SHIPPED, "programs", name))]
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
        let text = match Shipped::find(shipped, &name) {
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

/// The text of a file without anything that could command a terminal: it is shown where it is at fault.
fn read(path: &str) -> io::Result<String> {
    let text = library::read(path, LONGEST_TEXT)?;
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
