//! The shipped policies match their names.

use clearway_policy::terminals::TERMINALS;
use clearway_policy::training::PolicySearch;
use clearway_policy::{CompiledPolicy, NamedPolicy, PolicyHeuristic, SHIPPED, explain};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, RushDomain, replay};
use clearway_search::{Limits, run};

#[test]
fn every_shipped_policy_matches_its_name() {
    let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
    assert!(names.iter().all(|name| NamedPolicy::shipped(name) == NamedPolicy::open(name).ok()));
    for kind in ["paper", "prune", "memo", "best-first"] {
        for size in ["6x6", "8x8"] {
            let name = format!("{kind}-{size}");
            assert!(names.contains(&name.as_str()), "{name}");
            let policy = NamedPolicy::open(&name).unwrap().policy;
            let search = policy.search.clone().unwrap_or_default();
            let terminals = CompiledPolicy::new(&policy).terminals().to_vec();
            let fits = match kind {
                "paper" => search.starts_with("ida(") && terminals.iter().all(|&one| TERMINALS[one].paper),
                "prune" => search.starts_with("ida(") && !search.contains("memo=kept"),
                "memo" => search.starts_with("ida(") && search.contains("memo=kept"),
                _ => search.starts_with("wastar("),
            };
            assert!(fits, "{name}: {search}");
            // The description contains the command and the seed that reproduce it.
            assert!(policy.about.contains("clearway evolve") && policy.about.contains("--seed"), "{name}");
        }
    }
}

#[test]
fn every_percentage_of_a_description_says_of_what() {
    let mut percentages = 0;
    for shipped in SHIPPED {
        let policy = NamedPolicy::shipped(shipped.name).unwrap().policy;
        for (at, _) in policy.about.match_indices('%') {
            let rest = &policy.about[at..];
            assert!(rest.starts_with("% of the nodes (mean over boards), "), "{}: {rest}", shipped.name);
            percentages += 1;
        }
    }
    assert!(percentages > 20, "evolved policies state their results");
}

#[test]
fn every_rule_of_a_shipped_policy_can_fire() {
    for shipped in SHIPPED {
        let policy = NamedPolicy::shipped(shipped.name).unwrap().policy;
        assert_eq!(policy.folded().rules.len(), policy.rules.len(), "{}", shipped.name);
        assert!(explain(&policy).iter().all(|rule| rule.always.is_none()), "{}", shipped.name);
    }
}

#[test]
fn two_champions_guide_the_search_of_the_paper() {
    for guide in ["order", "prune"] {
        let policy = NamedPolicy::open(&format!("paper-{guide}-6x6")).unwrap().policy;
        assert_eq!(policy.search.clone().unwrap(), format!("ida(policy, {guide}, increment=5)"));
        let terminals = CompiledPolicy::new(&policy).terminals().to_vec();
        assert!(terminals.iter().all(|&one| TERMINALS[one].paper), "{terminals:?}");
        assert!(policy.about.contains("clearway evolve") && policy.about.contains("--seed"), "{guide}");
    }
    // One generation is the initial population: nothing was bred.
    let order = NamedPolicy::open("paper-order-6x6").unwrap().policy;
    assert!(order.about.contains("Not evolved") && !order.about.contains("Evolved by"), "{}", order.about);
}

/// Boards of three sizes, two of them larger than those it was evolved on.
#[test]
fn any_size_solves_most_large_boards_with_few_nodes() {
    let policy = NamedPolicy::open("any-size").unwrap().policy;
    assert!(policy.about.contains("clearway evolve") && policy.about.contains("--seed"));
    let search: PolicySearch = policy.search.as_deref().unwrap().parse().unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    for suite in ["test-10x10", "test-12x12", "test-14x14"] {
        let boards: Vec<_> = Suite::find(suite).unwrap().puzzles().into_iter().take(6).collect();
        let is_solved = |puzzle: &clearway_rush::formats::Puzzle| {
            let domain = RushDomain::<8>::new(&puzzle.board, Metric::Moves).unwrap();
            let heuristic = PolicyHeuristic::new(&policy, &domain, &HeuristicContext::default()).unwrap();
            let outcome = run(search.algorithm().start(&domain, Some(heuristic)).unwrap().as_mut(), &limits);
            let plan = outcome.solution.map(|moves| domain.solution(&moves));
            plan.inspect(|plan| assert!(replay(&puzzle.board, &plan.0).unwrap().solved)).is_some()
        };
        let solved = boards.iter().filter(|puzzle| is_solved(puzzle)).count();
        assert!(solved >= 5, "{suite}: {solved} of {}", boards.len());
    }
}
