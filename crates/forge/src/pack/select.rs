//! Which of the puzzles found go into a pack: as many of each length as of any other, as far as there are, and of each
//! length those that are least like the rest of the pack.

use super::likeness::Makeup;
use std::collections::BTreeMap;

/// About how many pairs of puzzles are compared for a pack. That is enough for a thousand puzzles of ten times as many;
/// larger packs are compared in part, or it would take hours.
const COMPARISONS: usize = 1 << 24;

/// A puzzle that may go into the pack.
pub(super) struct Candidate {
    pub moves: u32,
    pub makeup: Makeup,
}

/// The indices of the puzzles that go into a pack of at most `count`, in no order that means anything.
pub(super) fn select(candidates: &[Candidate], count: usize) -> Vec<usize> {
    select_within(COMPARISONS, candidates, count)
}

/// Compares every puzzle that is taken with all others if that takes at most so many comparisons. If not, only the first
/// few of each length are compared, with those of the same length; after them come the puzzles that are least like them.
fn select_within(comparisons: usize, candidates: &[Candidate], count: usize) -> Vec<usize> {
    let mut by_length: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        by_length.entry(candidate.moves).or_default().push(index);
    }
    let quotas = quotas(&by_length.iter().map(|(&moves, found)| (moves, found.len())).collect(), count);
    // Lengths of which most must be taken come first: those with a choice then keep away from them.
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
            // Of several that are as unlike the rest, the one found first.
            let place = (0..left.len()).reduce(|a, b| if nearest[left[b]] < nearest[left[a]] { b } else { a });
            let Some(index) = place.map(|place| left.remove(place)) else { break };
            for &other in if is_small { &all } else { &left } {
                let likeness = candidates[index].makeup.likeness(&candidates[other].makeup);
                nearest[other] = nearest[other].max(likeness);
            }
            chosen.push(index);
        }
        left.sort_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
        chosen.extend(left.into_iter().take(quota.saturating_sub(most_compared)));
    }
    chosen
}

/// How many to take of each length: the same number of all, or all there are where those are fewer. What is left over
/// goes to lengths at equal distances, from the shortest to the longest.
pub(super) fn quotas(found: &BTreeMap<u32, usize>, count: usize) -> BTreeMap<u32, usize> {
    let of_all = |level: usize| found.values().map(|&n| n.min(level)).sum::<usize>();
    // The highest level that asks for no more than the count.
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
    fn of_one_length_the_most_different_are_taken() {
        let boards = [
            "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
            ".BB..CD..E.CDAAE.CD..E..F...GGF.HHH.",
            "B..C..B..C..BAAC.....DDD......EEE...",
        ];
        let candidates = boards.map(|text| {
            let board = formats::read_one(text, None).unwrap().board;
            Candidate { moves: 8, makeup: Makeup::of(&board) }
        });
        assert_eq!(select(&candidates, 2), [0, 2]);
        assert_eq!(select(&candidates, 3), [0, 2, 1]);
    }

    #[test]
    fn large_packs_are_compared_in_part() {
        let boards = [
            "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
            ".BB..CD..E.CDAAE.CD..E..F...GGF.HHH.",
            "B..C..B..C..BAAC.....DDD......EEE...",
        ];
        let makeups = boards.map(|text| Makeup::of(&formats::read_one(text, None).unwrap().board));
        // Of 8 moves there are just as many as are taken, of 9 there is a choice.
        let of = |moves: u32, kinds: &'static [usize]| {
            let makeups = &makeups;
            kinds.iter().map(move |&kind| Candidate { moves, makeup: makeups[kind].clone() })
        };
        let candidates: Vec<Candidate> = of(8, &[0, 0, 0]).chain(of(9, &[0, 1, 0, 2, 1, 2])).collect();
        // One comparison for each: the rest of 9 moves is what is least like the first.
        assert_eq!(select_within(candidates.len(), &candidates, 6), [0, 1, 2, 3, 6, 8]);
        assert_eq!(select_within(0, &candidates, 6), [0, 1, 2, 3, 4, 5]);
        let many: Vec<Candidate> =
            (0..40_000).map(|i| Candidate { moves: i % 7, makeup: makeups[0].clone() }).collect();
        assert_eq!(select_within(1 << 20, &many, 30_000).len(), 30_000);
    }
}
