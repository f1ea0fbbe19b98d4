//! The archive: the best boards of different niches that the lanes have found so far, and which kinds of start have paid.

use super::start::StartKind;
use super::{ClimbOptions, Peak};
use crate::pack::similarity;
use clearway_rush::Board;
use clearway_util::rng::Rng;
use rand::RngExt;

/// Maximum number of boards.
const CAPACITY: usize = 12;
/// Boards with at least this similarity compete for one niche.
const NICHE: f64 = 0.6;
/// Loss relative to the best board that reduces the reward of an ascent by the factor e.
const LOSS: f64 = 0.05;
/// Factor by which earlier ascents count less than the next one.
const DECAY: f64 = 0.9;
/// Reward and evaluations that every kind of start is credited with, so that none is ever ruled out.
const PRIOR: (f64, f64) = (0.3, 20_000.0);

/// Best boards of the finished ascents of all lanes, and statistics on how these ascents started.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    /// Boards with their fitness, no two of the same niche.
    members: Vec<(u64, Board)>,
    /// By kind of start: the sum of rewards and the number of evaluations, both decayed.
    statistics: [(f64, f64); StartKind::ALL.len()],
    /// Number of peaks added.
    pub peaks: usize,
}

impl Archive {
    /// Adds the peak of an ascent. Its reward is 1 for a board as good as the best so far, less for a worse board, and 0 for
    /// one that is not better than a similar board.
    pub fn add(&mut self, peak: &Peak) {
        let best = self.members.iter().map(|member| member.0).max().unwrap_or(peak.fitness).max(1) as f64;
        let is_new = self.insert(peak.fitness, &peak.board);
        let reward = if is_new { ((peak.fitness as f64 - best) / (LOSS * best)).exp().min(10.0) } else { 0.0 };
        for (kind, (rewards, evaluations)) in StartKind::ALL.iter().zip(&mut self.statistics) {
            (*rewards, *evaluations) = (*rewards * DECAY, *evaluations * DECAY);
            if *kind == peak.start {
                (*rewards, *evaluations) = (*rewards + reward, *evaluations + peak.evaluations as f64);
            }
        }
        self.peaks += 1;
    }

    /// Inserts a board. Returns false if there is a similar board that is as good, or if the archive is full of better boards.
    fn insert(&mut self, fitness: u64, board: &Board) -> bool {
        let (similar, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.members).into_iter().partition(|member| similarity(&member.1, board) >= NICHE);
        if similar.iter().any(|member| member.0 >= fitness) {
            self.members = others.into_iter().chain(similar).collect();
            return false;
        }
        self.members = others;
        self.members.push((fitness, board.clone()));
        // A stable order, so that equally good boards stay in the order of their discovery.
        self.members.sort_by_key(|member| std::cmp::Reverse(member.0));
        self.members.truncate(CAPACITY);
        self.members.iter().any(|member| member.1 == *board)
    }

    /// Chooses the kind of the next start: the more reward per evaluation a kind has brought, the more likely.
    pub fn choose_kind(&self, options: &ClimbOptions, rng: &mut Rng) -> StartKind {
        let weight = |kind: &StartKind| {
            let (rewards, evaluations) = self.statistics[*kind as usize];
            (rewards + PRIOR.0) / (evaluations + PRIOR.1)
        };
        let is_possible =
            |kind: &StartKind| options.kinds.contains(kind) && kind.is_possible(options, self.members.len());
        let kinds: Vec<StartKind> = StartKind::ALL.into_iter().filter(is_possible).collect();
        let mut left = rng.random::<f64>() * kinds.iter().map(weight).sum::<f64>();
        for kind in &kinds {
            left -= weight(kind);
            if left < 0.0 {
                return *kind;
            }
        }
        kinds.last().copied().unwrap_or(StartKind::Random)
    }

    /// Chooses different boards: each is the better of two random ones. There must be enough of them.
    pub fn choose_parents(&self, count: usize, rng: &mut Rng) -> Vec<Board> {
        let mut left: Vec<&(u64, Board)> = self.members.iter().collect();
        let mut parents = Vec::new();
        while parents.len() < count && !left.is_empty() {
            let [one, other] = [0; 2].map(|_| rng.random_range(0..left.len()));
            // The members are sorted: those with a smaller index are better.
            parents.push(left.remove(one.min(other)).1.clone());
        }
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use clearway_rush::suites::Suite;
    use clearway_rush::{Side, formats};
    use clearway_util::rng::stream;

    fn peak(fitness: u64, board: &Board, start: StartKind) -> Peak {
        Peak { fitness, board: board.clone(), lane: 0, ascent: 0, start, evaluations: 1_000, finished: 0 }
    }

    fn boards() -> Vec<Board> {
        Suite::find("hard-8x8").unwrap().puzzles().into_iter().map(|puzzle| puzzle.board).collect()
    }

    #[test]
    fn each_niche_keeps_its_best_board() {
        let (boards, mut archive) = (boards(), Archive::default());
        for (fitness, board) in [(50, &boards[0]), (40, &boards[0]), (70, &boards[1]), (60, &boards[0])] {
            archive.add(&peak(fitness, board, StartKind::Random));
        }
        let kept: Vec<(u64, &Board)> = archive.members.iter().map(|member| (member.0, &member.1)).collect();
        assert_eq!(kept, [(70, &boards[1]), (60, &boards[0])]);
        for (board, fitness) in boards.iter().zip(100..) {
            archive.add(&peak(fitness, board, StartKind::Random));
        }
        assert_eq!(archive.members.len(), CAPACITY);
        assert!(archive.members.iter().all(|member| member.0 >= 100), "the worst boards are dropped");
        let mut rng = stream(1, 0);
        let parents = archive.choose_parents(2, &mut rng);
        assert_ne!(formats::line(&parents[0]), formats::line(&parents[1]));
    }

    #[test]
    fn kinds_that_pay_are_chosen_more_often() {
        let (boards, mut archive) = (boards(), Archive::default());
        let options = ClimbOptions::new(Shape::new(8, 8, Side::Right, None, 0).unwrap());
        let count = |archive: &Archive, kind: StartKind| {
            let chosen = (0..1_000).map(|i| archive.choose_kind(&options, &mut stream(i, 0)));
            chosen.filter(|chosen| *chosen == kind).count()
        };
        assert_eq!(
            count(&archive, StartKind::Kicked) + count(&archive, StartKind::Crossed),
            0,
            "there are no boards yet"
        );
        for (i, board) in boards.iter().enumerate() {
            // Crossed boards are as good as the best; random ones are much worse, and kicked ones bring nothing new.
            archive.add(&Peak { evaluations: 10_000, ..peak(100, board, StartKind::Crossed) });
            archive.add(&Peak { evaluations: 10_000, ..peak(i as u64, board, StartKind::Kicked) });
            archive.add(&Peak { evaluations: 10_000, ..peak(i as u64, &boards[(i + 1) % 18], StartKind::Random) });
        }
        let [random, grown, kicked, crossed] = StartKind::ALL.map(|kind| count(&archive, kind));
        assert_eq!(random + grown + kicked + crossed, 1_000);
        assert!(crossed > 3 * random && crossed > 3 * kicked, "{random} {grown} {kicked} {crossed}");
        assert!(random > 0 && kicked > 0, "{random} {grown} {kicked} {crossed}");
        let only = ClimbOptions { kinds: vec![StartKind::Grown], ..options };
        assert_eq!(archive.choose_kind(&only, &mut stream(0, 0)), StartKind::Grown);
        let walled = Shape::new(8, 8, Side::Right, None, 2).unwrap();
        let impossible = ClimbOptions { kinds: vec![StartKind::Grown], ..ClimbOptions::new(walled) };
        assert_eq!(archive.choose_kind(&impossible, &mut stream(0, 0)), StartKind::Random);
    }
}
