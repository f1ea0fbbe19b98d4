//! The records: what the command line prints and a server answers with.

use clearway_forge::grade::Grader;
use clearway_lab::records::{AnalysisRecord, GradeRecord, SolveRecord, SuiteRecord, VerifyRecord};
use clearway_lab::{Algorithm, solve};
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, Solution, Solver, formats};
use clearway_search::Limits;
use serde_json::{Value, json};

const BOARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

fn of(record: &impl serde::Serialize) -> Value {
    serde_json::to_value(record).unwrap()
}

#[test]
fn an_answer_says_who_gave_it_and_what_is_proven() {
    let board = formats::read_one(BOARD, None).unwrap().board;
    let (mut solver, limits) = (Solver::new(), Limits::default());
    let exact = solve(None, &mut solver, &board, Metric::Steps, &limits);
    let analysis = solver.analyze(&board, Metric::Steps, &limits);
    let record = of(&SolveRecord::new(Some("one"), &board, Metric::Steps, &exact, Some(&analysis)));
    assert_eq!((&record["name"], &record["board"], &record["steps"]), (&json!("one"), &json!(BOARD), &json!(16)));
    assert_eq!((&record["optimal"], &record["algorithm"]), (&json!(true), &json!("astar(blockers)")));
    assert_eq!(record["analysis"], of(&AnalysisRecord::new(&analysis)));
    assert!(record.get("limit").is_none());
    let greedy: Algorithm = "greedy(h1)".parse().unwrap();
    let found = solve(Some(&greedy), &mut solver, &board, Metric::Moves, &limits);
    let record = of(&SolveRecord::new(None, &board, Metric::Moves, &found, None));
    assert_eq!((&record["optimal"], &record["lower_bound"], &record["name"]), (&json!(false), &json!(1), &Value::Null));
    assert_eq!(record["algorithm"], json!("greedy(blockers-lower-bound)"));
    let few = Limits { nodes: Some(1), ..Limits::default() };
    let ended = solve(Some(&greedy), &mut solver, &board, Metric::Moves, &few);
    let record = of(&SolveRecord::new(None, &board, Metric::Moves, &ended, None));
    assert_eq!(
        (&record["status"], &record["limit"], &record["solution"]),
        (&json!("limit"), &json!("nodes"), &Value::Null)
    );
}

#[test]
fn moves_are_replayed_and_grades_have_their_solutions() {
    let board = formats::read_one(BOARD, None).unwrap().board;
    let graded = Grader::new().without_machine().grade(&board, &mut Solver::new(), &Limits::default());
    let grade = of(&GradeRecord::new(None, &board, &graded));
    assert_eq!((&grade["level"], &grade["moves"]), (&json!("beginner"), &json!(8)));
    let moves: Vec<&str> = grade["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let solution: Solution = moves.join(" ").parse().unwrap();
    let verified = of(&VerifyRecord::new(None, &board, &solution.0));
    assert_eq!((&verified["solved"], &verified["moves"], verified.get("failed")), (&json!(true), &json!(8), None));
    let refused = of(&VerifyRecord::new(None, &board, &"A+5".parse::<Solution>().unwrap().0));
    assert_eq!((&refused["legal"], &refused["failed"], &refused["move"]), (&json!(false), &json!(1), &json!("A+5")));
    assert_eq!(of(&SuiteRecord::new(Suite::find("cards").unwrap()))["boards"], json!(40));
}

/// Every field of a schema, with those of what it refers to and is made of, has a description.
#[cfg(feature = "openapi")]
#[test]
fn every_field_is_described() {
    use clearway_lab::{Daily, Graph, Hint, Trace, compare};
    use utoipa::{PartialSchema, ToSchema};

    fn check(name: &str, schema: &Value, fields: &mut usize) {
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            check(name, part, fields);
        }
        for (field, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            *fields += 1;
            let is_described = |schema: &Value| schema["description"].as_str().is_some_and(|text| !text.is_empty());
            // What may be null and is a record of its own is described there.
            let parts = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            assert!(parts.chain([schema]).any(is_described), "{name}.{field}: {schema}");
        }
    }

    fn all<T: ToSchema + PartialSchema>(least: usize) {
        let mut schemas = vec![(T::name().to_string(), T::schema())];
        T::schemas(&mut schemas);
        let mut fields = 0;
        for (name, schema) in schemas {
            check(&name, &serde_json::to_value(schema).unwrap(), &mut fields);
        }
        assert!(fields >= least, "{}: {fields}", T::name());
    }

    all::<SolveRecord>(15);
    all::<AnalysisRecord>(9);
    all::<GradeRecord>(25);
    all::<VerifyRecord>(9);
    all::<SuiteRecord>(3);
    all::<compare::Record>(20);
    all::<Hint>(11);
    all::<Graph>(15);
    all::<Trace>(20);
    all::<Daily>(5);
}
