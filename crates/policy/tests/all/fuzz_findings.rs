//! What fuzzing found.

use clearway_policy::Policy;

#[test]
fn empty_lines_about_a_policy_are_read_as_they_are_printed() {
    for about in ["about: a\nabout:\n", "about:\nabout:\n", "about:\nabout: b\n"] {
        let policy: Policy = format!("{about}DEFAULT h1").parse().unwrap();
        assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy, "{about:?}");
    }
}
