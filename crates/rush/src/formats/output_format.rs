//! Formats that boards can be written in.

use super::Format;
use std::str::FromStr;

/// A format that boards can be written in: one that can also be read, or one that is only written.
///
/// ```
/// use clearway_rush::formats::{Format, OutputFormat};
/// assert_eq!("grid".parse(), Ok(OutputFormat::Board(Format::Grid)));
/// assert_eq!("svg".parse(), Ok(OutputFormat::Svg));
/// let error = "png".parse::<OutputFormat>().unwrap_err();
/// assert!(error.to_string().ends_with("json, tsv, svg, ansi, pddl, pddl-domain"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputFormat {
    /// A format that can be read.
    Board(Format),
    /// A picture; see [`svg`](super::svg).
    Svg,
    /// A drawing for terminals; see [`ansi`](super::ansi).
    Ansi,
    /// A planning problem; see [`pddl`](super::pddl).
    Pddl,
    /// The planning domain, which is the same for all boards.
    PddlDomain,
}

impl OutputFormat {
    const WRITTEN_ONLY: [OutputFormat; 4] =
        [OutputFormat::Svg, OutputFormat::Ansi, OutputFormat::Pddl, OutputFormat::PddlDomain];

    /// Returns all formats.
    pub fn all() -> impl Iterator<Item = OutputFormat> {
        Format::ALL.into_iter().map(OutputFormat::Board).chain(OutputFormat::WRITTEN_ONLY)
    }

    /// Name of the format, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OutputFormat::Board(format) => format.name(),
            OutputFormat::Svg => "svg",
            OutputFormat::Ansi => "ansi",
            OutputFormat::Pddl => "pddl",
            OutputFormat::PddlDomain => "pddl-domain",
        }
    }

    /// Media type of texts in this format.
    pub fn media_type(self) -> &'static str {
        match self {
            OutputFormat::Svg => "image/svg+xml",
            OutputFormat::Board(Format::Json) => "application/json",
            _ => "text/plain",
        }
    }
}

/// A name that is not the name of an output format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format '{name}'; expected one of {}", names())]
#[non_exhaustive]
pub struct UnknownOutputFormat {
    /// The unknown name.
    pub name: String,
}

fn names() -> String {
    OutputFormat::all().map(OutputFormat::name).collect::<Vec<_>>().join(", ")
}

impl FromStr for OutputFormat {
    type Err = UnknownOutputFormat;

    fn from_str(name: &str) -> Result<OutputFormat, UnknownOutputFormat> {
        let format = OutputFormat::all().find(|format| format.name() == name);
        format.ok_or_else(|| UnknownOutputFormat { name: name.to_owned() })
    }
}
