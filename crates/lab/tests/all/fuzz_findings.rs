//! Regression tests of bugs that fuzzing found.

use clearway_lab::compare::Comparison;

#[test]
fn a_comparison_with_an_invalid_time_limit_is_rejected() {
    let text = |limit: &str| {
        format!(
            r#"{{"boards":[],"algorithms":[],"metric":"moves","node_limit":null,"time_limit":{limit},"memory":null,"threads":1}}"#
        )
    };
    assert!(Comparison::from_text(&text("1.5")).is_ok());
    for limit in ["-1", "1e300"] {
        assert!(Comparison::from_text(&text(limit)).is_err(), "{limit}");
    }
}
