//! Tests of the report on a run that evolves policies.

use clearway_gp::{Generation, Operator, OperatorSuccess};
use clearway_lab::compare::Contestant;
use clearway_lab::evaluation::{EvaluationSearch, TestResult, measure, standard, suite};
use clearway_lab::evolve::{LoggedGeneration, PolicyReport};
use clearway_search::Limits;

fn logged(generation: u32) -> LoggedGeneration {
    let x = f64::from(generation);
    let generation = Generation {
        generation,
        individuals: 60,
        best: 70.0 - 40.0 / (1.0 + x),
        mean: 55.0 - 50.0 / (1.0 + x / 2.0),
        quartiles: [30.0 - 30.0 / (1.0 + x), 45.0, 60.0 - 30.0 / (1.0 + x)],
        best_size: 30 + generation % 7,
        best_depth: 4,
        mean_size: 40.0 + x,
        mean_depth: 4.5,
        uniqueness: 0.9,
        cached: 20,
        nodes: 1_000_000,
        evaluations: 80,
        seconds: 1.5,
    };
    LoggedGeneration {
        test_nodes_percent: generation.generation.is_multiple_of(5).then_some(30.0 - x / 10.0),
        generation,
        ..LoggedGeneration::default()
    }
}

fn tested(name: &str, boards: usize) -> TestResult {
    let mut columns = standard();
    columns.push(Contestant {
        label: "GP <1>".to_owned(),
        algorithm: EvaluationSearch::Memo.expression("3*h1").parse().unwrap(),
    });
    let boards = suite(name).unwrap()[..boards].to_vec();
    let table = measure(boards, columns, 2, &Limits::default(), |_| {});
    TestResult { boards: name.to_owned(), table, policy: "GP <1>".to_owned() }
}

fn parsed(page: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(page, options).unwrap()
}

fn report<'a>(generations: &'a [LoggedGeneration], tests: &'a [TestResult]) -> PolicyReport<'a> {
    PolicyReport {
        title: "A policy for 6x6, seed 1",
        score: "nodes saved, % of the baseline's",
        generations,
        tests,
        drawing: "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\"><text y=\"15\">if</text></svg>",
        policy: "if h1 <= 2 & h3 >= 1 then h1\ndefault 3 * h1\n",
        configuration: "seed = 1\n[search]\nsearch = \"ida(policy, prune, increment=5)\"\n",
        command: "clearway evolve --seed 1 --out <DIR>",
        time_plot: "",
    }
}

#[test]
fn a_report_is_complete_and_self_contained() {
    let generations: Vec<LoggedGeneration> = (0..40).map(logged).collect();
    let tests = [tested("cards", 6), tested("test-6x6", 3)];
    let page = report(&generations, &tests).to_html();
    let document = parsed(&page);
    let count = |tag: &str| document.descendants().filter(|node| node.tag_name().name() == tag).count();
    assert_eq!(count("svg"), 5 + 2 + 1, "the plots, a scatter for each set of boards, the drawing");
    assert_eq!((count("table"), count("circle")), (2, 6 + 3));
    let classed = |class: &str| document.descendants().filter(|node| node.attribute("class") == Some(class)).count();
    assert_eq!((classed("place"), classed("ours"), classed("band s1")), (4 * 40 + 8, 2, 2));
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for expected in [
        "A policy for 6x6, seed 1",
        "if h1 <= 2 & h3 >= 1 then h1\ndefault 3 * h1",
        "clearway evolve --seed 1 --out <DIR>",
        "seed = 1\n[search]\nsearch = \"ida(policy, prune, increment=5)\"",
        "40,000,000",
        "1 min 0 s",
    ] {
        assert!(texts.contains(&expected), "{expected}");
    }
    for reference in ["src=", "href=", "@import", "url(", "<script"] {
        assert!(!page.contains(reference), "{reference}");
    }
}

#[test]
fn a_report_can_be_written_before_the_end() {
    let svgs = |report: &PolicyReport| {
        let page = report.to_html();
        parsed(&page).descendants().filter(|node| node.tag_name().name() == "svg").count()
    };
    assert_eq!(svgs(&report(&[logged(0)], &[])), 5 + 1, "five plots and the drawing");
    assert_eq!(svgs(&report(&[logged(1)], &[])), 4 + 1, "not tested yet");
    assert_eq!(svgs(&PolicyReport { drawing: "", ..report(&[], &[]) }), 4);
}

#[test]
fn outliers_do_not_determine_the_scale() {
    let mut generations: Vec<LoggedGeneration> = (0..40).map(logged).collect();
    let page = report(&generations, &[]).to_html();
    assert!(!page.contains("off the scale"));
    generations[3].generation.mean = -90_000.0;
    generations[3].generation.quartiles[0] = -40_000.0;
    let page = report(&generations, &[]).to_html();
    let document = parsed(&page);
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"Values off the scale are drawn at the edge."));
    // The axis starts below the median lower quartile of 28 and the first best score of 30.
    let axis = texts.iter().filter_map(|text| text.parse::<f64>().ok()).fold(0.0, f64::min);
    assert!((-50.0..=0.0).contains(&axis), "{axis}");
}

#[test]
fn a_log_line_is_flat_and_round_trips() {
    for line in [logged(0), logged(1)] {
        let json = serde_json::to_string(&line).unwrap();
        assert!(json.starts_with("{\"generation\":") && json.contains("\"best-size\":"), "{json}");
        assert_eq!(json.contains("test-nodes-percent"), line.test_nodes_percent.is_some());
        assert_eq!(serde_json::from_str::<LoggedGeneration>(&json).unwrap(), line);
    }
}

#[test]
fn telemetry_is_plotted_where_it_is_logged() {
    let with_telemetry = |number: u32| LoggedGeneration {
        new_sample: number.is_multiple_of(10),
        behaviours: Some(40),
        operators: vec![OperatorSuccess { operator: Operator::SubtreeCrossover, children: 20, better: 3 }],
        terminals: [("blockers".to_owned(), 30), ("g".to_owned(), 60)].into(),
        ..logged(number)
    };
    let generations: Vec<LoggedGeneration> = (0..100).map(with_telemetry).collect();
    let json = serde_json::to_string(&generations[10]).unwrap();
    assert!(json.contains("\"new-sample\":true") && json.contains("\"operator\":\"subtree-crossover\""), "{json}");
    assert_eq!(serde_json::from_str::<LoggedGeneration>(&json).unwrap(), generations[10]);
    let page = report(&generations, &[]).to_html();
    let document = parsed(&page);
    assert_eq!(document.descendants().filter(|node| node.tag_name().name() == "svg").count(), 5 + 3 + 1);
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for expected in ["Diversity", "Success of operators", "subtree crossover", "Heuristics in use", "blockers"] {
        assert!(texts.contains(&expected), "{expected}");
    }
    let marks = document.descendants().find(|node| node.attribute("class") == Some("mark")).unwrap();
    assert_eq!(marks.attribute("d").unwrap().matches('M').count(), 10, "a mark for each new sample");
    assert!(texts.iter().any(|text| text.contains("66.67") && text.contains("distinct results")), "40 of 60");
}
