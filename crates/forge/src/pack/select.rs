//! Selects the puzzles of a pack: the same number of each length, as far as there are enough, and of each length those that are
//! least similar to the rest of the pack.

use super::similarity::VehicleProfile;
use std::collections::BTreeMap;

/// Approximate limit on the number of pairs of puzzles that are compared. It is enough to select a thousand puzzles from ten
/// thousand; for larger packs only some pairs are compared, because all would take hours.
const COMPARISONS: usize = 1 << 24;

/// Puzzle that may be selected for the pack.
pub(super) struct Candidate {
    pub moves: u32,
    pub profile: VehicleProfile,
}

/// Selects at most `count` puzzles, and returns their indices in no particular order.
pub(super) fn select(candidates: &[Candidate], count: usize) -> Vec<usize> {
    select_within(COMPARISONS, candidates, count)
}

/// Compares every selected puzzle with all others if that takes at most this number of comparisons. Otherwise, only the first
/// few selected puzzles of each length are compared, with those of the same length; the remaining ones are those least similar
/// to them.
fn select_within(comparisons: usize, candidates: &[Candidate], count: usize) -> Vec<usize> {
    let mut by_length: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        by_length.entry(candidate.moves).or_default().push(index);
    }
    let quotas = quotas(&by_length.iter().map(|(&moves, found)| (moves, found.len())).collect(), count);
    // Lengths with the fewest alternatives come first, so that the others can avoid puzzles similar to them.
    let mut lengths: Vec<(&u32, &Vec<usize>)> = by_length.iter().collect();
    lengths.sort_by_key(|(moves, found)| (found.len() - quotas[*moves], **moves));
    let is_small = count.min(candidates.len()).saturating_mul(candidates.len()) <= comparisons;
    let most_compared = if is_small { count } else { comparisons / candidates.len() };
    let all: Vec<usize> = (0..candidates.len()).collect();
    let mut nearest = vec![0.0f64; candidates.len()];
    let mut chosen = Vec::new();
    for (moves, found) in lengths {
        let (mut left, quota) = (found.clone(), quotas[moves]);
        if !is_small && quota == found.len() {
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
pub(super) fn quotas(found: &BTreeMap<u32, usize>, count: usize) -> BTreeMap<u32, usize> {
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
    use clearway_rush::formats;

    fn quotas_of(found: &[usize], count: usize) -> Vec<usize> {
        quotas(&(8..).zip(found.iter().copied()).collect(), count).into_values().collect()
    }

    #[test]
    fn lengths_get_equal_shares_as_far_as_there_are_puzzles() {
        assert_eq!(quotas_of(&[9, 9, 9], 9), [3, 3, 3]);
        assert_eq!(quotas_of(&[9, 9, 9], 10), [3, 4, 3]);
        assert_eq!(quotas_of(&[9, 9, 9], 11), [4, 3, 4]);
        assert_eq!(quotas_of(&[9, 1, 9, 9, 9, 9, 9], 3), [1, 0, 0, 1, 0, 0, 1]);
        assert_eq!(quotas_of(&[9, 9, 1], 9), [4, 4, 1]);
        assert_eq!(quotas_of(&[9, 9, 0], 9), [4, 5, 0]);
        assert_eq!(quotas_of(&[2, 1, 1], 9), [2, 1, 1]);
        assert_eq!(quotas_of(&[], 9), Vec::<usize>::new());
        assert_eq!(quotas_of(&[5, 5], 0), [0, 0]);
    }

    #[test]
    fn the_least_similar_puzzles_of_a_length_are_selected() {
        let boards = [
            "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
            ".BB..CD..E.CDAAE.CD..E..F...GGF.HHH.",
            "B..C..B..C..BAAC.....DDD......EEE...",
        ];
        let candidates = boards.map(|text| {
            let board = formats::read_one(text, None).unwrap().board;
            Candidate { moves: 8, profile: VehicleProfile::new(&board) }
        });
        assert_eq!(select(&candidates, 2), [0, 2]);
        assert_eq!(select(&candidates, 3), [0, 2, 1]);
    }

    #[test]
    fn large_packs_are_compared_partially() {
        let boards = [
            "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
            ".BB..CD..E.CDAAE.CD..E..F...GGF.HHH.",
            "B..C..B..C..BAAC.....DDD......EEE...",
        ];
        let profiles = boards.map(|text| VehicleProfile::new(&formats::read_one(text, None).unwrap().board));
        // All puzzles of 8 moves are selected; of those of 9 moves there is a choice.
        let of = |moves: u32, kinds: &'static [usize]| {
            let profiles = &profiles;
            kinds.iter().map(move |&kind| Candidate { moves, profile: profiles[kind].clone() })
        };
        let candidates: Vec<Candidate> = of(8, &[0, 0, 0]).chain(of(9, &[0, 1, 0, 2, 1, 2])).collect();
        // One comparison for each: the other puzzles of 9 moves are those least similar to the first.
        assert_eq!(select_within(candidates.len(), &candidates, 6), [0, 1, 2, 3, 6, 8]);
        assert_eq!(select_within(0, &candidates, 6), [0, 1, 2, 3, 4, 5]);
        let many: Vec<Candidate> =
            (0..40_000).map(|i| Candidate { moves: i % 7, profile: profiles[0].clone() }).collect();
        assert_eq!(select_within(1 << 20, &many, 30_000).len(), 30_000);
    }
}
