//! Regression tests for faults that fuzzing found.

use clearway_policy::Policy;

#[test]
fn empty_about_lines_round_trip() {
    for about in ["about: a\nabout:\n", "about:\nabout:\n", "about:\nabout: b\n"] {
        let policy: Policy = format!("{about}DEFAULT h1").parse().unwrap();
        assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy, "{about:?}");
    }
}
