//! Texts by name: those embedded in the program, and files.

use std::fs::File;
use std::io::{self, Read};

/// A text embedded in the program, such as a policy or a tile program.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Name that users type.
    pub name: &'static str,
    /// Returns the content, in the format of a file.
    pub text: fn() -> &'static str,
}

impl Shipped {
    /// Finds a text by its name.
    pub fn find(all: &[Shipped], name: &str) -> Option<Shipped> {
        all.iter().find(|shipped| shipped.name == name).copied()
    }

    /// Returns the end of an error message about a missing file: the names that may have been meant, unless `name` looks like a path.
    ///
    /// ```
    /// use clearway_util::library::Shipped;
    /// let all = [Shipped { name: "best", text: || "x + 1" }, Shipped { name: "small", text: || "x" }];
    /// assert_eq!(Shipped::hint(&all, "formulas", "bets"), "; the formulas that come with clearway are best, small");
    /// assert_eq!(Shipped::hint(&all, "formulas", "bets.txt"), "");
    /// ```
    pub fn hint(all: &[Shipped], what: &str, name: &str) -> String {
        if name.contains(['/', '\\', '.']) {
            return String::new();
        }
        let names: Vec<&str> = all.iter().map(|shipped| shipped.name).collect();
        format!("; the {what} that come with clearway are {}", names.join(", "))
    }
}

/// Reads at most `longest + 1` bytes of a file, so that a caller can tell that it is too long. Invalid UTF-8 is replaced, so parsing
/// fails.
pub fn read(path: &str, longest: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
