//! Tests of the records of the command line and the server API.

use clearway_answers::records::{AnalysisRecord, GradeRecord, SolveRecord, SuiteRecord, VerifyRecord};
use clearway_answers::{SolveMethod, solve};
use clearway_forge::grade::Grader;
use clearway_lab::ConfiguredAlgorithm;
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, Solution, Solver, formats};
use clearway_search::Limits;
use serde_json::{Value, json};

const BOARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

fn json_of(record: &impl serde::Serialize) -> Value {
    serde_json::to_value(record).unwrap()
}

#[test]
fn a_record_names_the_algorithm_and_whether_it_is_optimal() {
    let board = formats::read_one(BOARD, None).unwrap().board;
    let (mut solver, limits) = (Solver::new(), Limits::default());
    let exact = solve(&SolveMethod::default(), &mut solver, &board, Metric::Steps, &limits, &mut |_| {});
    let analysis = solver.analyze(&board, Metric::Steps, &limits);
    let record = json_of(&SolveRecord::new(Some("one"), &board, Metric::Steps, &exact, Some(&analysis)));
    assert_eq!((&record["name"], &record["board"], &record["steps"]), (&json!("one"), &json!(BOARD), &json!(16)));
    assert_eq!((&record["optimal"], &record["algorithm"]), (&json!(true), &json!("astar(blockers)")));
    assert_eq!(record["analysis"], json_of(&AnalysisRecord::new(&analysis)));
    assert!(record.get("limit").is_none());
    let greedy = SolveMethod::from("greedy(h1)".parse::<ConfiguredAlgorithm>().unwrap());
    let outcome = solve(&greedy, &mut solver, &board, Metric::Moves, &limits, &mut |_| {});
    let record = json_of(&SolveRecord::new(None, &board, Metric::Moves, &outcome, None));
    assert_eq!((&record["optimal"], &record["lower_bound"], &record["name"]), (&json!(false), &json!(1), &Value::Null));
    assert_eq!(record["algorithm"], json!("greedy(blockers-lower-bound)"));
    let few = Limits { nodes: Some(1), ..Limits::default() };
    let stopped = solve(&greedy, &mut solver, &board, Metric::Moves, &few, &mut |_| {});
    let record = json_of(&SolveRecord::new(None, &board, Metric::Moves, &stopped, None));
    assert_eq!(
        (&record["status"], &record["limit"], &record["solution"]),
        (&json!("limit"), &json!("nodes"), &Value::Null)
    );
}

#[test]
fn the_solution_of_a_grade_verifies_and_an_illegal_move_does_not() {
    let board = formats::read_one(BOARD, None).unwrap().board;
    let graded = Grader::new().without_machine().grade(&board, &mut Solver::new(), &Limits::default());
    let grade = json_of(&GradeRecord::new(None, &board, &graded));
    assert_eq!((&grade["level"], &grade["moves"]), (&json!("beginner"), &json!(8)));
    let moves: Vec<&str> = grade["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let solution: Solution = moves.join(" ").parse().unwrap();
    let verified = json_of(&VerifyRecord::new(None, &board, &solution.0));
    assert_eq!((&verified["solved"], &verified["moves"], verified.get("failed")), (&json!(true), &json!(8), None));
    let illegal = json_of(&VerifyRecord::new(None, &board, &"A+5".parse::<Solution>().unwrap().0));
    assert_eq!((&illegal["legal"], &illegal["failed"], &illegal["move"]), (&json!(false), &json!(1), &json!("A+5")));
    assert_eq!(json_of(&SuiteRecord::new(Suite::find("cards").unwrap()))["boards"], json!(40));
}

/// Every field of every schema, nested schemas included, has a description.
#[cfg(feature = "openapi")]
#[test]
fn every_field_has_a_description() {
    use clearway_answers::{Daily, Graph, Hint, Lesson, LevelPuzzle, Trace};
    use clearway_lab::compare;
    use utoipa::{PartialSchema, ToSchema};

    fn check(name: &str, schema: &Value, fields: &mut usize) {
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            check(name, part, fields);
        }
        for (field, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            *fields += 1;
            let is_described = |schema: &Value| schema["description"].as_str().is_some_and(|text| !text.is_empty());
            // A nullable field that is a record is described by the record.
            let parts = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            assert!(parts.chain([schema]).any(is_described), "{name}.{field}: {schema}");
        }
    }

    fn check_all<T: ToSchema + PartialSchema>(min_fields: usize) {
        let mut schemas = vec![(T::name().to_string(), T::schema())];
        T::schemas(&mut schemas);
        let mut fields = 0;
        for (name, schema) in schemas {
            check(&name, &serde_json::to_value(schema).unwrap(), &mut fields);
        }
        assert!(fields >= min_fields, "{}: {fields}", T::name());
    }

    check_all::<SolveRecord>(15);
    check_all::<AnalysisRecord>(9);
    check_all::<GradeRecord>(25);
    check_all::<VerifyRecord>(9);
    check_all::<SuiteRecord>(3);
    check_all::<compare::ComparisonRecord>(20);
    check_all::<Hint>(11);
    check_all::<Graph>(15);
    check_all::<Trace>(20);
    check_all::<Daily>(7);
    check_all::<LevelPuzzle>(6);
    check_all::<Lesson>(4);
}
