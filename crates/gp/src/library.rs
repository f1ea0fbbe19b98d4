//! What was bred is kept as text. Texts by name: those that come with the program, and files.

use std::fs::File;
use std::io::{self, Read};

/// A text that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

impl Shipped {
    /// The one of a name.
    pub fn find(all: &[Shipped], name: &str) -> Option<Shipped> {
        all.iter().find(|shipped| shipped.name == name).copied()
    }

    /// What is said of them where there is no file of a name, which may have been meant for one of them.
    ///
    /// ```
    /// use clearway_gp::library::Shipped;
    /// let all = [Shipped { name: "best", text: "x + 1" }, Shipped { name: "small", text: "x" }];
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

/// The text of a file, up to one byte more than it may have. What is no text becomes something that no reader takes.
pub fn read(path: &str, longest: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
