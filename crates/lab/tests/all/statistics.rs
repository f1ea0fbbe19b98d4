//! The statistics, compared with `SciPy` and by properties that hold for all samples.

#![allow(clippy::float_cmp, reason = "sums of ranks, and results of the same operations, are exact")]

use clearway_lab::statistics::{Bootstrap, Summary, holm, mann_whitney, median, quantile, sign_test, signed_rank};
use proptest::prelude::*;

/// Values that `SciPy` computed; `values.py` beside the file has the calls.
const SCIPY: &str = include_str!("../scipy/values.tsv");

struct Case {
    kind: &'static str,
    samples: [Vec<f64>; 2],
    results: Vec<f64>,
}

fn numbers(text: &str) -> Vec<f64> {
    if text == "-" { Vec::new() } else { text.split(',').map(|number| number.parse().unwrap()).collect() }
}

fn cases(kind: &str) -> Vec<Case> {
    let case = |line: &'static str| {
        let mut fields = line.split('\t');
        let kind = fields.next().unwrap();
        let samples = [fields.next().unwrap(), fields.next().unwrap()].map(numbers);
        Case { kind, samples, results: fields.map(|field| field.parse().unwrap()).collect() }
    };
    let lines = SCIPY.lines().filter(|line| !line.starts_with('#'));
    let cases: Vec<Case> = lines.map(case).filter(|case| case.kind == kind).collect();
    assert!(cases.len() >= 3, "{kind}");
    cases
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 + 1e-9 * expected.abs(), "{found} instead of {expected}");
}

#[test]
fn signed_ranks_agree_with_scipy() {
    let mut exact = 0;
    for Case { samples: [differences, _], results, .. } in cases("wilcoxon") {
        let test = signed_rank(&differences).unwrap();
        assert_near(test.statistic(), results[0]);
        assert_near(test.p, results[1]);
        exact += usize::from(test.is_exact);
    }
    let all = cases("wilcoxon").len();
    assert!(exact > all / 4 && exact < 3 * all / 4, "{exact} of {all} are exact");
}

#[test]
fn mann_whitney_agrees_with_scipy() {
    let mut exact = 0;
    for Case { samples: [first, second], results, .. } in cases("mann-whitney") {
        let test = mann_whitney(&first, &second).unwrap();
        assert_near(test.u, results[0]);
        assert_near(test.p, results[1]);
        assert_near(test.a12, results[0] / (first.len() * second.len()) as f64);
        exact += usize::from(test.is_exact);
    }
    let all = cases("mann-whitney").len();
    assert!(exact > all / 5 && exact < 4 * all / 5, "{exact} of {all} are exact");
}

#[test]
fn quartiles_and_the_sign_test_agree_with_scipy() {
    for Case { samples: [values, _], results, .. } in cases("quartiles") {
        let summary = Summary::new(&values).unwrap();
        let found = [summary.quartiles[0], summary.median, summary.quartiles[1]];
        found.into_iter().zip(results).for_each(|(found, expected)| assert_near(found, expected));
    }
    for Case { samples: [first, second], results, .. } in cases("sign") {
        assert_near(sign_test(first[0] as usize, second[0] as usize), results[0]);
    }
}

/// The resamples differ, so the ends may be other values of the sample, but not far away.
#[test]
fn bootstrap_intervals_are_those_of_scipy_up_to_the_resamples() {
    for Case { samples: [values, _], results, .. } in cases("bootstrap") {
        let found = Bootstrap::default().interval(&values, median).unwrap();
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let place = |value: f64| sorted.iter().filter(|&&one| one < value).count();
        for (end, expected) in [found.low, found.high].into_iter().zip(results) {
            assert!(place(end).abs_diff(place(expected)) <= 1, "{end} instead of {expected}");
        }
    }
}

/// Samples in which some values are equal.
fn sample(most: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-40i32..40).prop_map(|number| f64::from(number) / 4.0), 1..most)
}

proptest! {
    #[test]
    fn signed_ranks_are_symmetric(differences in sample(70)) {
        let test = signed_rank(&differences).unwrap();
        let negated: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        let other = signed_rank(&negated).unwrap();
        let n = test.count as f64;
        prop_assert_eq!((test.positive, test.p), (other.negative, other.p));
        prop_assert_eq!(test.positive + test.negative, n * (n + 1.0) / 2.0);
        prop_assert!((0.0..=1.0).contains(&test.p) && test.effect().abs() <= 1.0);
        prop_assert_eq!(test.effect(), -other.effect());
    }

    #[test]
    fn mann_whitney_is_symmetric((first, second) in (sample(30), sample(30))) {
        let (test, other) = (mann_whitney(&first, &second).unwrap(), mann_whitney(&second, &first).unwrap());
        prop_assert_eq!(test.u + other.u, (first.len() * second.len()) as f64);
        prop_assert!((test.p - other.p).abs() < 1e-12 && (test.a12 + other.a12 - 1.0).abs() < 1e-12);
        prop_assert!((0.0..=1.0).contains(&test.p) && (0.0..=1.0).contains(&test.a12));
        let greater = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        let wins: f64 = greater.map(|(a, b)| if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 }).sum();
        prop_assert_eq!(test.u, wins);
        let shifted: Vec<f64> = first.iter().map(|value| value + 1000.0).collect();
        prop_assert_eq!(mann_whitney(&shifted, &second).unwrap().a12, 1.0);
    }

    #[test]
    fn summaries_are_ordered(values in sample(40)) {
        let Summary { count, min, quartiles: [lower, upper], median, max, mean } = Summary::new(&values).unwrap();
        prop_assert_eq!(count, values.len());
        prop_assert!(min <= lower && lower <= median && median <= upper && upper <= max && min <= mean && mean <= max);
    }

    #[test]
    fn bootstrap_intervals_are_inside_the_sample_and_repeatable(values in sample(20), seed in 0u64..9) {
        let bootstrap = Bootstrap { resamples: 200, seed, ..Bootstrap::default() };
        let interval = bootstrap.interval(&values, median).unwrap();
        let Summary { min, max, .. } = Summary::new(&values).unwrap();
        prop_assert!(min <= interval.low && interval.low <= interval.high && interval.high <= max);
        prop_assert_eq!(bootstrap.interval(&values, median).unwrap(), interval);
        let wider = Bootstrap { confidence: 0.99, ..bootstrap }.interval(&values, median).unwrap();
        prop_assert!(wider.low <= interval.low && interval.high <= wider.high);
    }

    #[test]
    fn adjusted_p_values_keep_their_order(p_values in prop::collection::vec(0.0f64..1.0, 0..12)) {
        let adjusted = holm(&p_values);
        prop_assert_eq!(adjusted.len(), p_values.len());
        for (one, p) in adjusted.iter().zip(&p_values) {
            prop_assert!(one >= p && *one <= (p * p_values.len() as f64).min(1.0));
            for (other, q) in adjusted.iter().zip(&p_values) {
                prop_assert!(p > q || one <= other);
            }
        }
    }
}

#[test]
fn samples_without_information_have_no_evidence() {
    assert_eq!(signed_rank(&[]), None);
    assert_eq!(mann_whitney(&[], &[1.0]), None);
    assert_eq!(Bootstrap::default().interval(&[], median), None);
    assert_eq!(signed_rank(&[0.0; 60]).map(|test| (test.count, test.p, test.effect())), Some((0, 1.0, 0.0)));
    assert_eq!(signed_rank(&[0.0; 3]).map(|test| test.p), Some(1.0));
    assert!(signed_rank(&[1.0, 2.0]).unwrap().statistic().is_sign_positive(), "not a negative zero");
    assert_eq!(mann_whitney(&[2.0; 9], &[2.0; 9]).map(|test| (test.p, test.a12)), Some((1.0, 0.5)));
    assert_eq!(quantile(&[3.0], 0.7), 3.0);
    assert_eq!(holm(&[]), Vec::<f64>::new());
}
