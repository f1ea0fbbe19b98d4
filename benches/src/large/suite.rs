//! The suite `large`: the choice of its boards, and their lengths according to the measurements.

use super::record::Measurement;
use super::table::Log;
use clearway_rush::Metric;
use clearway_rush::formats::KnownLength;
use std::cmp::Reverse;

/// Number of boards of each kind. Boards of 10x10 and 12x12 are preferred, because most of them are hard and can be proven.
const QUOTAS: [(&str, usize); 11] = [
    ("9x9-75", 3),
    ("9x9-85", 5),
    ("10x10-75", 8),
    ("10x10-82", 9),
    ("11x11-75", 5),
    ("11x11-80", 5),
    ("12x12-72", 8),
    ("12x12-78", 8),
    ("13x13-72", 3),
    ("14x14-70", 3),
    ("16x16-50", 3),
];

/// Chooses solvable boards that take long to prove, in the order of the measurements. At most a third of the boards of a kind have
/// no proof.
pub fn choose(records: &[Measurement]) -> Vec<&Measurement> {
    let mut chosen = Vec::new();
    for (kind, quota) in QUOTAS {
        let of_kind = || records.iter().filter(|record| record.kind == kind && record.length.is_some());
        let mut proven: Vec<&Measurement> = of_kind().filter(|record| record.is_proven_optimal()).collect();
        // Times vary from run to run; the work of the engines does not.
        proven.sort_by_key(|record| (Reverse(record.conflicts), Reverse(record.expanded)));
        let mut open: Vec<&Measurement> = of_kind().filter(|record| !record.is_proven_optimal()).collect();
        open.sort_by_key(|record| record.length.map(|length| length - record.lower_bound));
        open.truncate((quota / 3).max(quota.saturating_sub(proven.len())));
        proven.truncate(quota - open.len().min(quota));
        chosen.extend(open.into_iter().take(quota).chain(proven));
    }
    chosen.sort_by_key(|record| records.iter().position(|other| other.name == record.name));
    chosen
}

/// Length of the best plan of a board in all logs of a metric. It is the optimum if one of them proves a bound that meets it.
pub fn best_length(logs: &[Log], metric: Metric, name: &str) -> Option<KnownLength> {
    let of_metric = logs.iter().filter(|(header, _)| header.metric == metric.as_str());
    let records: Vec<&Measurement> = of_metric.flat_map(|(_, records)| records).filter(|r| r.name == name).collect();
    let length = records.iter().filter_map(|record| record.length).min()?;
    let is_proven = records.iter().any(|record| record.lower_bound >= length);
    Some(if is_proven { KnownLength::Exactly(length) } else { KnownLength::AtMost(length) })
}

/// First line of the table of proofs.
pub const PROOFS_HEADER: &str = "name\tmoves\tat least\tbound by\tfound by\tplan";

/// Line of a board in the table of proofs, from its measurements: the length of the best plan, the best bound, the engines behind
/// both, and the plan. Of equal bounds and plans, the first counts; of equal bounds, one whose engine is known.
pub fn proof(records: &[&Measurement]) -> Option<String> {
    let planned = records.iter().min_by_key(|record| record.length.unwrap_or(u32::MAX))?;
    let bounded = records.iter().min_by_key(|record| (Reverse(record.lower_bound), record.bound_by.is_none()))?;
    let length = planned.length.map_or_else(|| "-".to_owned(), |length| length.to_string());
    let [bound_by, found_by, plan] =
        [&bounded.bound_by, &planned.found_by, &planned.plan].map(|text| text.as_deref().unwrap_or("-"));
    Some(format!("{}\t{length}\t{}\t{bound_by}\t{found_by}\t{plan}", planned.name, bounded.lower_bound))
}

#[cfg(test)]
mod tests {
    use super::super::recipe;
    use super::super::record::Header;
    use super::super::record::tests::record;
    use super::*;
    use clearway_rush::suites::Suite;
    use clearway_rush::{Solution, replay};

    #[test]
    fn the_recorded_proofs_match_the_suite() {
        let table = include_str!("../../../results/large-suite.tsv");
        let mut lines = table.lines().skip_while(|line| line.starts_with('#'));
        assert_eq!(lines.next(), Some(PROOFS_HEADER));
        let puzzles = Suite::find("large").expect("the suite").puzzles();
        let lines: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
        assert_eq!(lines.len(), puzzles.len());
        for (line, puzzle) in lines.iter().zip(puzzles) {
            let [name, moves, bound, bound_by, found_by, plan] = line[..] else { panic!("{line:?}") };
            assert_eq!(Some(name), puzzle.name.as_deref());
            let (moves, bound): (u32, u32) = (moves.parse().expect(name), bound.parse().expect(name));
            assert!(bound_by != "-" && found_by != "-", "{name}");
            match puzzle.moves.expect(name) {
                KnownLength::Exactly(length) => assert_eq!((moves, bound), (length, length), "{name}"),
                KnownLength::AtMost(length) => assert!(bound < moves && moves == length, "{name}"),
            }
            let plan: Solution = plan.parse().expect(name);
            let check = replay(&puzzle.board, &plan.0).expect(name);
            assert!(check.solved && check.moves == moves, "{name}");
        }
    }

    #[test]
    fn a_proof_is_the_best_of_several_measurements() {
        let record = |length, lower_bound, bound_by: Option<&str>, found_by: &str| Measurement {
            lower_bound,
            bound_by: bound_by.map(str::to_owned),
            found_by: Some(found_by.to_owned()),
            ..record("a", Some((0.5, length)), None)
        };
        let old = record(11, 9, None, "layers");
        let new = record(12, 9, Some("subset"), "abstraction");
        let weak = record(11, 8, Some("astar"), "abstraction");
        assert_eq!(proof(&[&old]).unwrap(), "a\t11\t9\t-\tlayers\tA+4");
        assert_eq!(proof(&[&old, &new, &weak]).unwrap(), "a\t11\t9\tsubset\tlayers\tA+4");
        assert_eq!(proof(&[]), None);
    }

    #[test]
    fn quotas_cover_every_kind() {
        assert_eq!(QUOTAS.map(|(kind, _)| kind.to_owned()), recipe::KINDS.map(|kind| kind.to_string()));
        assert_eq!(QUOTAS.iter().map(|(_, quota)| quota).sum::<usize>(), 60);
    }

    #[test]
    fn hard_boards_are_preferred() {
        let mut records: Vec<Measurement> =
            (0..9).map(|i| record(&i.to_string(), Some((0.5, 10)), (i > 2).then_some(1.0))).collect();
        for (index, record) in records.iter_mut().enumerate() {
            record.conflicts = index as u64;
        }
        records.push(record("unsolvable", None, Some(0.5)));
        let names: Vec<&str> = choose(&records).iter().map(|record| record.name.as_str()).collect();
        assert_eq!(names, ["0", "7", "8"]);
    }

    #[test]
    fn the_best_length_is_proven_by_any_log() {
        let log = |metric, length, lower_bound| {
            let record = Measurement { lower_bound, ..record("a", Some((0.5, length)), None) };
            (Header::new("recipe", 1, "portfolio", metric, 60.0, 3_000), vec![record])
        };
        let mut logs = vec![log(Metric::Moves, 12, 9), log(Metric::Steps, 5, 5), log(Metric::Moves, 11, 10)];
        assert_eq!(best_length(&logs, Metric::Moves, "a"), Some(KnownLength::AtMost(11)));
        logs.push(log(Metric::Moves, 13, 11));
        assert_eq!(best_length(&logs, Metric::Moves, "a"), Some(KnownLength::Exactly(11)));
        assert_eq!(best_length(&logs, Metric::Steps, "a"), Some(KnownLength::Exactly(5)));
        assert_eq!(best_length(&logs, Metric::Steps, "b"), None);
    }
}
