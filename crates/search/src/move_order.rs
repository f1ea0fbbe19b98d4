//! The order in which a search generates the successors of a state.

use crate::spec::words;

/// Order of the successors of a state. It changes which of several equally good nodes a search expands first, and with it the
/// counts, but not what the search proves. A domain that has only one order ignores it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveOrder {
    /// The order of [`Domain::moves`](crate::Domain::moves).
    #[default]
    Standard,
    /// The order of the IT3105 report (Henriksen, Vallestad, 2017).
    It3105,
    /// The order of the Traffic Jam report (Chen, 2016).
    TrafficJam,
}

words! { MoveOrder { Standard => "standard", It3105 => "it3105", TrafficJam => "traffic-jam" } }
