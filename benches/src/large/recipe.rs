//! Random dense boards of 9x9 to 16x16: eleven kinds, each a size and a density, and thirty boards of each.

use clearway_forge::dense::Density;
use clearway_rush::formats::Puzzle;
use clearway_util::rng::stream;

/// Number of boards of each kind.
pub const BOARDS_PER_KIND: usize = 30;

/// All kinds.
pub const KINDS: [Density; 11] = [
    Density { side: 9, percent: 75 },
    Density { side: 9, percent: 85 },
    Density { side: 10, percent: 75 },
    Density { side: 10, percent: 82 },
    Density { side: 11, percent: 75 },
    Density { side: 11, percent: 80 },
    Density { side: 12, percent: 72 },
    Density { side: 12, percent: 78 },
    Density { side: 13, percent: 72 },
    Density { side: 14, percent: 70 },
    Density { side: 16, percent: 50 },
];

/// Generates all boards, kind by kind. Every board has a random stream of its own, so that it does not depend on the others.
/// Nothing is known about their solutions; some have none.
pub fn boards(seed: u64) -> Vec<Puzzle> {
    let of_kind = |(index, &kind): (usize, &Density)| {
        (0..BOARDS_PER_KIND).map(move |number| {
            let mut rng = stream(seed, (index * BOARDS_PER_KIND + number) as u64);
            Puzzle { name: Some(format!("{kind}-{:02}", number + 1)), ..Puzzle::new(kind.board(&mut rng)) }
        })
    };
    KINDS.iter().enumerate().flat_map(of_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::hash;
    use super::*;

    #[test]
    fn boards_are_named_after_their_kinds() {
        let puzzles = boards(1);
        assert_eq!(puzzles.len(), KINDS.len() * BOARDS_PER_KIND);
        for (index, puzzle) in puzzles.iter().enumerate() {
            let (name, Density { side, percent }) = (puzzle.name.as_deref().unwrap(), KINDS[index / BOARDS_PER_KIND]);
            assert!(name.starts_with(&format!("{side}x{side}-{percent}-")), "{name}");
            assert_eq!(puzzle.board.width(), side, "{name}");
        }
    }

    #[test]
    fn boards_depend_on_the_seed_alone() {
        assert_eq!(hash(&boards(1)), 13_307_288_596_310_475_038);
        assert_ne!(hash(&boards(1)), hash(&boards(2)));
    }
}
