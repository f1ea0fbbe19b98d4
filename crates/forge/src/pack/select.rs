//! Selects the puzzles of a pack: of each level the ordered number, if levels were ordered; the same number of each length, as far
//! as there are enough; and of each length those that are least similar to the rest of the pack.

use super::PackRequest;
use super::similarity::VehicleProfile;
use crate::grade::Level;
use std::collections::BTreeMap;

/// Approximate limit on the number of pairs of puzzles that are compared. It is enough to select a thousand puzzles from ten
/// thousand; for larger packs only some pairs are compared, because all would take hours.
const COMPARISONS: usize = 1 << 24;

/// Puzzle that may be selected for the pack.
pub(super) struct Candidate {
    pub level: Level,
    pub moves: u32,
    pub profile: VehicleProfile,
}

/// Level, if levels were ordered, and number of moves of the puzzles that a quota holds for.
type Group = (Option<Level>, u32);

/// Number of puzzles to select from each group.
pub(super) struct Quotas {
    has_levels: bool,
    of_group: BTreeMap<Group, usize>,
}

impl Quotas {
    /// Returns the quotas that an order has for these puzzles: those of each level are spread evenly over its lengths.
    pub fn new(candidates: &[Candidate], order: &PackRequest) -> Quotas {
        let mut quotas = Quotas { has_levels: !order.levels.is_empty(), of_group: BTreeMap::new() };
        let mut found: BTreeMap<Option<Level>, BTreeMap<u32, usize>> = BTreeMap::new();
        for candidate in candidates {
            let (level, moves) = quotas.group(candidate);
            *found.entry(level).or_default().entry(moves).or_default() += 1;
        }
        for (level, found) in found {
            let count = level.map_or(order.count, |level| order.levels.get(&level).copied().unwrap_or(0));
            let spread = even_spread(&found, count).into_iter();
            quotas.of_group.extend(spread.map(|(moves, quota)| ((level, moves), quota)));
        }
        quotas
    }

    fn group(&self, candidate: &Candidate) -> Group {
        (self.has_levels.then_some(candidate.level), candidate.moves)
    }

    fn quota(&self, group: Group) -> usize {
        self.of_group.get(&group).copied().unwrap_or(0)
    }
}

/// Selects puzzles by their quotas, and returns their indices in no particular order.
pub(super) fn select(candidates: &[Candidate], quotas: &Quotas) -> Vec<usize> {
    select_within(COMPARISONS, candidates, quotas)
}

/// Compares every selected puzzle with all others if that takes at most this number of comparisons. Otherwise, only the first
/// few selected puzzles of each group are compared, with those of the same group; the remaining ones are those least similar
/// to them.
fn select_within(comparisons: usize, candidates: &[Candidate], quotas: &Quotas) -> Vec<usize> {
    let mut by_group: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        by_group.entry(quotas.group(candidate)).or_default().push(index);
    }
    // Groups with the fewest alternatives come first, so that the others can avoid puzzles similar to them.
    let mut groups: Vec<(Group, Vec<usize>)> = by_group.into_iter().collect();
    groups.sort_by_key(|(group, found)| (found.len() - quotas.quota(*group), *group));
    let count: usize = quotas.of_group.values().sum();
    let is_small = count.saturating_mul(candidates.len()) <= comparisons;
    let most_compared = if is_small { count } else { comparisons / candidates.len() };
    let all: Vec<usize> = (0..candidates.len()).collect();
    let mut nearest = vec![0.0f64; candidates.len()];
    let mut chosen = Vec::new();
    for (group, mut left) in groups {
        let quota = quotas.quota(group);
        if !is_small && quota == left.len() {
            chosen.append(&mut left);
            continue;
        }
        for _ in 0..quota.min(most_compared) {
            // Of several puzzles with the same similarity, take the one found first.
            let place = (0..left.len()).reduce(|a, b| if nearest[left[b]] < nearest[left[a]] { b } else { a });
            let Some(index) = place.map(|place| left.remove(place)) else { break };
            for &other in if is_small { &all } else { &left } {
                let similarity = candidates[index].profile.similarity(&candidates[other].profile);
                nearest[other] = nearest[other].max(similarity);
            }
            chosen.push(index);
        }
        left.sort_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
        chosen.extend(left.into_iter().take(quota.saturating_sub(most_compared)));
    }
    chosen
}

/// Returns the number of puzzles to select for each length: the same number for all, or all that were found if those are fewer.
/// The remainder is distributed over lengths at equal distances, from the shortest to the longest.
fn even_spread(found: &BTreeMap<u32, usize>, count: usize) -> BTreeMap<u32, usize> {
    let of_all = |level: usize| found.values().map(|&n| n.min(level)).sum::<usize>();
    // Binary search for the highest number per length that does not exceed the count in total.
    let most = found.values().copied().max().unwrap_or(0);
    let (mut low, mut high) = (0, most);
    while low < high {
        let level = (low + high).div_ceil(2);
        if of_all(level) <= count { low = level } else { high = level - 1 }
    }
    let mut quotas: BTreeMap<u32, usize> = found.iter().map(|(&moves, &n)| (moves, n.min(low))).collect();
    let more: Vec<u32> = quotas.iter().filter(|(moves, quota)| **quota < found[*moves]).map(|(&m, _)| m).collect();
    let left = (count - of_all(low)).min(more.len());
    for i in 0..left {
        let place = if left == 1 { more.len() / 2 } else { i * (more.len() - 1) / (left - 1) };
        *quotas.entry(more[place]).or_default() += 1;
    }
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use clearway_rush::{Side, formats};

    const BOARDS: [&str; 3] = [
        "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
        ".BB..CD..E.CDAAE.CD..E..F...GGF.HHH.",
        "B..C..B..C..BAAC.....DDD......EEE...",
    ];

    fn profiles() -> [VehicleProfile; 3] {
        BOARDS.map(|text| VehicleProfile::new(&formats::read_one(text, None).unwrap().board))
    }

    fn candidate(level: Level, moves: u32, profile: &VehicleProfile) -> Candidate {
        Candidate { level, moves, profile: profile.clone() }
    }

    fn order(count: usize) -> PackRequest {
        PackRequest::new(Shape::new(6, 6, Side::Right, None, 0).unwrap(), 1..=60, count, 1)
    }

    fn select_some(candidates: &[Candidate], count: usize) -> Vec<usize> {
        select(candidates, &Quotas::new(candidates, &order(count)))
    }

    fn spread(found: &[usize], count: usize) -> Vec<usize> {
        even_spread(&(8..).zip(found.iter().copied()).collect(), count).into_values().collect()
    }

    #[test]
    fn lengths_get_equal_shares_as_far_as_there_are_puzzles() {
        assert_eq!(spread(&[9, 9, 9], 9), [3, 3, 3]);
        assert_eq!(spread(&[9, 9, 9], 10), [3, 4, 3]);
        assert_eq!(spread(&[9, 9, 9], 11), [4, 3, 4]);
        assert_eq!(spread(&[9, 1, 9, 9, 9, 9, 9], 3), [1, 0, 0, 1, 0, 0, 1]);
        assert_eq!(spread(&[9, 9, 1], 9), [4, 4, 1]);
        assert_eq!(spread(&[9, 9, 0], 9), [4, 5, 0]);
        assert_eq!(spread(&[2, 1, 1], 9), [2, 1, 1]);
        assert_eq!(spread(&[], 9), Vec::<usize>::new());
        assert_eq!(spread(&[5, 5], 0), [0, 0]);
    }

    #[test]
    fn the_least_similar_puzzles_of_a_length_are_selected() {
        let candidates = profiles().map(|profile| candidate(Level::Beginner, 8, &profile));
        assert_eq!(select_some(&candidates, 2), [0, 2]);
        assert_eq!(select_some(&candidates, 3), [0, 2, 1]);
    }

    #[test]
    fn each_level_gets_its_number_spread_over_its_lengths() {
        let profiles = profiles();
        let levels = [Level::Beginner, Level::Expert, Level::Fiendish];
        let candidates: Vec<Candidate> =
            (0..36).map(|i| candidate(levels[i % 3], (i / 3 % 4) as u32, &profiles[i % 3])).collect();
        let order = order(1).with_levels([(Level::Beginner, 4), (Level::Expert, 8), (Level::Advanced, 3)].into());
        let selected = select(&candidates, &Quotas::new(&candidates, &order));
        let count = |level: Level, moves: u32| {
            selected.iter().filter(|&&i| candidates[i].level == level && candidates[i].moves == moves).count()
        };
        for moves in 0..4 {
            assert_eq!(levels.map(|level| count(level, moves)), [1, 2, 0], "of {moves} moves");
        }
    }

    #[test]
    fn large_packs_are_compared_partially() {
        let profiles = profiles();
        // All puzzles of 8 moves are selected; of those of 9 moves there is a choice.
        let of = |moves: u32, kinds: &'static [usize]| {
            let profiles = &profiles;
            kinds.iter().map(move |&kind| candidate(Level::Beginner, moves, &profiles[kind]))
        };
        let candidates: Vec<Candidate> = of(8, &[0, 0, 0]).chain(of(9, &[0, 1, 0, 2, 1, 2])).collect();
        let quotas = Quotas::new(&candidates, &order(6));
        // One comparison for each: the other puzzles of 9 moves are those least similar to the first.
        assert_eq!(select_within(candidates.len(), &candidates, &quotas), [0, 1, 2, 3, 6, 8]);
        assert_eq!(select_within(0, &candidates, &quotas), [0, 1, 2, 3, 4, 5]);
        let many: Vec<Candidate> = (0..40_000).map(|i| candidate(Level::Beginner, i % 7, &profiles[0])).collect();
        assert_eq!(select_within(1 << 20, &many, &Quotas::new(&many, &order(30_000))).len(), 30_000);
    }
}
