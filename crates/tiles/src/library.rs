//! Programs by name: the shipped ones, and files.

use crate::Program;
use crate::program::MAX_TEXT_LENGTH;
use clearway_util::library::{self, Shipped};
use clearway_util::syntax::ParseError;
use std::io;

/// The programs that are compiled into clearway, each evolved for the board size in its name.
pub static SHIPPED: &[Shipped] = &[
    Shipped { name: "tiles-3x3", text: || include_str!("../programs/tiles-3x3.program") },
    Shipped { name: "tiles-4x4", text: || include_str!("../programs/tiles-4x4.program") },
];

/// A program with its name: that of a shipped program, or the path of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedProgram {
    /// Name of the shipped program, or path of the file.
    pub name: String,
    /// Parsed text of the program.
    pub program: Program,
}

/// Error on opening a program by name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenProgramError {
    /// The name is not a shipped program, and there is no readable file of this path.
    #[error("cannot read {name}: {error}{}", Shipped::hint(SHIPPED, "programs", name))]
    File {
        /// Name or path that was given.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The file does not contain a valid program.
    #[error("{name}: {}", error.message)]
    Malformed {
        /// Path of the file.
        name: String,
        /// The syntax error.
        #[source]
        error: Box<ParseError>,
    },
}

impl NamedProgram {
    /// Opens the shipped program of this name, or else the file of this path.
    ///
    /// ```
    /// use clearway_tiles::library::NamedProgram;
    /// let error = NamedProgram::open("no/such.program").unwrap_err();
    /// assert!(error.to_string().starts_with("cannot read no/such.program: "));
    /// ```
    pub fn open(name: &str) -> Result<NamedProgram, OpenProgramError> {
        NamedProgram::open_from(SHIPPED, name)
    }

    fn open_from(shipped: &[Shipped], name: &str) -> Result<NamedProgram, OpenProgramError> {
        let name = name.to_owned();
        let text = match Shipped::find(shipped, &name) {
            Some(shipped) => (shipped.text)().to_owned(),
            None => match read(&name) {
                Ok(text) => text,
                Err(error) => return Err(OpenProgramError::File { name, error }),
            },
        };
        match Program::parse(&text) {
            Ok(program) => Ok(NamedProgram { name, program }),
            Err(error) => {
                let error = Box::new(ParseError::new(&text, error, &name));
                Err(OpenProgramError::Malformed { name, error })
            }
        }
    }
}

/// Reads a file with control characters replaced by spaces, because errors show parts of it on a terminal.
fn read(path: &str) -> io::Result<String> {
    let text = library::read(path, MAX_TEXT_LENGTH)?;
    Ok(text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shipped_program_is_found_by_its_name() {
        let shipped = [Shipped { name: "mine", text: || "run: once do\n(if u d)\n" }];
        let found = NamedProgram::open_from(&shipped, "mine").unwrap();
        assert_eq!((found.name.as_str(), found.program), ("mine", Program::parse((shipped[0].text)()).unwrap()));
        assert!(matches!(NamedProgram::open_from(&shipped, "yours"), Err(OpenProgramError::File { .. })));
    }

    #[test]
    fn shipped_programs_are_valid() {
        for shipped in SHIPPED {
            let found = NamedProgram::open(shipped.name).unwrap();
            assert!(
                found.program.about.contains("clearway tiles evolve"),
                "the description of {} has the command that evolved it",
                shipped.name
            );
        }
    }
}
