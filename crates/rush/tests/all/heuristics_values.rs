//! Hand-computed values of the heuristics.

use clearway_rush::heuristics::{Expression, GoalDistance, HeuristicContext, NearestGoal};
use clearway_rush::{Metric, Move, RushDomain, RushMove, Solution, formats, replay};
use clearway_search::{Domain, Node};

/// The first card of the game:
///
/// ```text
/// BB...C
/// D..E.C
/// DAAE.C
/// D..E..
/// F...GG
/// F.HHH.
/// ```
const FIRST_CARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

fn domain(board: &str, metric: Metric) -> RushDomain<1> {
    RushDomain::new(&formats::read_one(board, None).unwrap().board, metric).unwrap()
}

/// The value of an expression after some moves.
fn value(expression: &str, metric: Metric, board: &str, moves: &str) -> f64 {
    let domain = domain(board, metric);
    let context = HeuristicContext { difficulty: 0.25, ..HeuristicContext::default() };
    let mut heuristic = expression.parse::<Expression>().unwrap().build(&domain, &context).unwrap();
    let (mut state, mut last, mut siblings, mut g) = (domain.start(), None, 0, 0);
    for word in moves.split_whitespace() {
        let mv: Move = word.parse().unwrap();
        let vehicle = domain.board().vehicle_labelled(mv.label).unwrap() as u8;
        let mv = RushMove { vehicle, cells: mv.cells };
        let mut possible = Vec::new();
        domain.moves(&state, &mut possible);
        assert!(possible.contains(&mv), "{word}");
        domain.apply(&mut state, mv);
        (last, siblings, g) = (Some(mv), possible.len() as u32, g + 1);
    }
    heuristic.estimate(&domain, &Node { state: &state, g, last, siblings })
}

#[track_caller]
fn assert_value_in(metric: Metric, expression: &str, board: &str, moves: &str, expected: f64) {
    let found = value(expression, metric, board, moves);
    let equal = (found - expected).abs() < 1e-12 || found.to_bits() == expected.to_bits();
    assert!(equal, "{expression} gives {found} in {}, not {expected}", metric.as_str());
}

#[track_caller]
fn assert_value(expression: &str, board: &str, moves: &str, expected: f64) {
    assert_value_in(Metric::Moves, expression, board, moves, expected);
}

#[test]
fn values_on_the_first_card() {
    // E and C are in the way. E must go down, so H left, so F up, so D up, so B right. C must go down, so G left.
    for (expression, moves, steps) in [
        ("zero", 0.0, 0.0),
        ("blockers", 3.0, 3.0),
        ("distance-blockers", 5.0, 5.0),
        ("two-level", 5.0, 3.0 + (2.0 + 1.0) + (3.0 + 1.0)),
        ("h1", 8.0, 8.0),
        ("landmarks", 8.0, 3.0 + 2.0 + 2.0 + 1.0 + 1.0 + 1.0 + 3.0 + 1.0),
        ("relaxed-plan", 8.0, 8.0),
        // As the landmarks above in steps, for each vehicle makes one slide.
        ("relaxed-cells", 14.0, 14.0),
        ("relaxed-vehicles", 8.0, 8.0),
        // E ends on a cell that G must pass, and G on one that E must pass.
        ("relaxed-conflicts", 2.0, 2.0),
        ("relaxed-turns", 0.0, 0.0),
        ("start-plan-cells", 14.0, 14.0),
        ("settled-displacement", 0.0, 0.0),
        ("mobility", 11.0, 7.0),
        // G has to move by three cells, since E blocks shorter moves. The rest is as above.
        ("goal-distance", 16.0, 16.0),
        ("nearest-goal", 16.0, 16.0),
        // Between the vehicles and their goal positions: E and C for A, H for E, G for C, F for H, D for F, B for D.
        ("hybrid", 16.0 + 7.0, 16.0 + 7.0),
        ("perfect", 8.0, 16.0),
        // The whole board fits into one table.
        ("pattern-database", 8.0, 16.0),
        ("displacement", 0.0, 0.0),
    ] {
        assert_value_in(Metric::Moves, expression, FIRST_CARD, "", moves);
        assert_value_in(Metric::Steps, expression, FIRST_CARD, "", steps);
    }
}

#[test]
fn the_deduced_goal_of_the_first_card() {
    let domain = domain(FIRST_CARD, Metric::Moves);
    let goal = GoalDistance::new(&domain);
    let goal = domain.board().with_positions(goal.goal()).unwrap();
    let at = |label| goal.vehicles()[goal.vehicle_labelled(label).unwrap()].position();
    assert_eq!("ABCDEFGH".chars().map(at).collect::<Vec<u8>>(), [4, 1, 3, 0, 3, 3, 1, 0]);
}

#[test]
fn deduced_goals_differ_in_the_directions_of_vehicles() {
    // B makes room upwards or downwards: by two cells or by one.
    let board = "4x5:........AA.B...B....";
    let domain = domain(board, Metric::Moves);
    let goals = NearestGoal::new(&domain);
    let places: Vec<u8> = goals.goals().iter().map(|goal| goal[1]).collect();
    assert_eq!(places, [3, 0], "the cheaper goal first");
    assert_value("nearest-goal", board, "", 3.0);
    // After B-2 it is at its place in the second goal board, and three cells from that in the first.
    assert_value("nearest-goal", board, "B-2", 2.0);
    assert_value("goal-distance", board, "B-2", 5.0);
}

#[test]
fn the_cheaper_direction_counts() {
    // B can go up once C is gone, which is free, or down once D is gone, which E holds.
    //   ..CC..
    //   ...B..
    //   AA.B..
    //   ......
    //   ..DDDE
    //   .....E
    let board = "..CC.....B..AA.B..........DDDE.....E";
    assert_value("blockers", board, "", 2.0);
    assert_value("h1", board, "", 3.0);
    assert_value("two-level", board, "", 3.0);
    assert_value("landmarks", board, "", 3.0);
    assert_value("relaxed-plan", board, "", 3.0);
    assert_value("perfect", board, "", 3.0);
}

#[test]
fn a_vehicle_counts_once_even_if_it_blocks_several() {
    // B and C can only go down, and D is below both.
    let board = "..BC....BC..AABC..........DD........";
    assert_value("blockers", board, "", 3.0);
    for expression in ["h1", "landmarks", "perfect"] {
        assert_value(expression, board, "", 4.0);
    }
}

#[test]
fn unsolvable_boards_have_infinite_estimates() {
    // Blocked by a wall; blocked by a vehicle of the target's line; a blocker without room to move.
    for board in ["4x2:AAx.....", "4x3:....AABB....", "4x2:..B.AAB."] {
        for expression in ["h1", "two-level", "landmarks", "relaxed-plan", "pattern-database", "perfect"] {
            assert_value(expression, board, "", f64::INFINITY);
        }
    }
    for expression in ["blockers", "distance-blockers", "h2", "h3"] {
        assert_value(expression, "4x2:AAx.....", "", f64::INFINITY);
    }
}

#[test]
fn other_exits_reverse_the_direction() {
    // The target goes left past B, which has to go down; and up past B, which has to go right.
    for board in ["4x4:B...B.AA........@left", "4x4:BB.......A...A..@top"] {
        for expression in ["blockers", "h1", "two-level", "landmarks", "relaxed-plan", "pattern-database", "perfect"] {
            assert_value(expression, board, "", 2.0);
        }
        assert_value("distance-blockers", board, "", 3.0);
        // B by two cells, and the target by two.
        assert_value_in(Metric::Steps, "perfect", board, "", 4.0);
        assert_value("goal-distance", board, "", 4.0);
    }
}

#[test]
fn the_distances_of_several_patterns_are_added() {
    // Seven blockers that only have to step aside: the target and four of them fill one table, the other three a second.
    let mut rows = vec![".".repeat(16); 16];
    rows[7] = "AA.B.C.D.E.F.G.H".to_string();
    rows[6] = "...B.C.D.E.F.G.H".to_string();
    let board = format!("16x16:{}", rows.concat());
    assert_value("pattern-database", &board, "", 8.0);
    assert_value("pattern-database", &board, "B-1 G-1", 6.0);
}

#[test]
fn displacement_is_the_sum_of_distances_from_the_start() {
    assert_value("displacement", FIRST_CARD, "G-3", 3.0);
    assert_value("displacement", FIRST_CARD, "G-3 B+2 D-1 G+1", 2.0 + 2.0 + 1.0);
    assert_value("displacement", FIRST_CARD, "G-3 G+3", 0.0);
}

#[test]
fn features_of_the_last_move_report_what_it_freed() {
    // G makes room below C, and takes none from others.
    assert_value("is-releasing-move", FIRST_CARD, "G-1", 1.0);
    // C could already move by one cell, so the number of movable vehicles does not change.
    assert_value("move-freed", FIRST_CARD, "G-1", 0.0);
    // D was blocked by B above and F below.
    assert_value("move-freed", FIRST_CARD, "B+1", 1.0);
    assert_value("is-releasing-move", FIRST_CARD, "B+1", 1.0);
    // C moves down and frees the end of B's row; B could already move.
    assert_value("move-freed", FIRST_CARD, "C+1", 0.0);
    assert_value("is-releasing-move", FIRST_CARD, "C+1", 1.0);
    // Back again: no vehicle gains a move.
    assert_value("is-releasing-move", FIRST_CARD, "C+1 C-1", 0.0);
    assert_value("move-freed", FIRST_CARD, "B+1 B-1", 0.0);
    for feature in ["move-freed", "is-releasing-move", "is-move-to-secluded"] {
        assert_value(feature, FIRST_CARD, "", 0.0);
    }
    // In steps a longer slide is not a new move: B had its step to the right before C moved down.
    assert_value_in(Metric::Steps, "is-releasing-move", FIRST_CARD, "C+1", 0.0);
}

#[test]
fn preferred_moves_do_what_a_slide_of_the_relaxed_plan_does() {
    // G must leave the last column, by one cell or more; B the first, likewise.
    for mv in ["G-1", "G-3", "B+1", "B+3"] {
        assert_value("is-preferred-move", FIRST_CARD, mv, 1.0);
    }
    // C and E must go down, but farther.
    assert_value("is-preferred-move", FIRST_CARD, "C+1", 0.0);
    assert_value("is-preferred-move", FIRST_CARD, "E+1", 0.0);
    assert_value("is-preferred-move", FIRST_CARD, "G-1 C+3", 1.0);
    // E needs the cell that G has taken, and the way back is shorter than the way on.
    assert_value("is-preferred-move", FIRST_CARD, "G-1 G+1", 1.0);
    assert_value("is-preferred-move", FIRST_CARD, "B+1 B-1", 0.0);
    // One step is a part of every slide.
    assert_value_in(Metric::Steps, "is-preferred-move", FIRST_CARD, "C+1", 1.0);
    assert_value_in(Metric::Steps, "is-preferred-move", FIRST_CARD, "E-1", 0.0);
    assert_value("is-preferred-move", FIRST_CARD, "", 0.0);
}

#[test]
fn displaced_vehicles_and_first_moves_refer_to_the_start() {
    assert_value("displaced-vehicles", FIRST_CARD, "", 0.0);
    assert_value("displaced-vehicles", FIRST_CARD, "G-3 B+1 G+1", 2.0);
    assert_value("displaced-vehicles", FIRST_CARD, "G-3 B+1 G+3", 1.0);
    assert_value("is-first-move", FIRST_CARD, "", 0.0);
    assert_value("is-first-move", FIRST_CARD, "G-3 B+1", 1.0);
    assert_value("is-first-move", FIRST_CARD, "G-3 B+1 G+1", 0.0);
}

#[test]
fn a_secluded_place_is_one_that_no_other_vehicle_can_reach() {
    // E could slide down to G's cells.
    assert_value("is-move-to-secluded", FIRST_CARD, "G-1", 0.0);
    // No horizontal vehicle can reach the last column: A is blocked by E.
    assert_value("is-move-to-secluded", FIRST_CARD, "C+1", 1.0);
    // D could slide up to the first cell of the row once B has left it, but no vehicle to the next two.
    assert_value("is-move-to-secluded", FIRST_CARD, "B+1", 1.0);
    assert_value("is-move-to-secluded", FIRST_CARD, "B+1 B-1", 0.0);
}

#[test]
fn features_of_the_path() {
    assert_value("g", FIRST_CARD, "B+1 D-1 F-1", 3.0);
    // H1 is 8 at the start; after three of the eight moves it is 5, and the deduced goal is 13 cells away.
    assert_value("phase-by-blockers", FIRST_CARD, "", 0.0);
    assert_value("phase-by-blockers", FIRST_CARD, "B+1 D-1 F-1", 3.0 / 8.0);
    assert_value("phase-by-distance", FIRST_CARD, "B+1 D-1 F-1", 3.0 / (3.0 + 13.0));
    // At the start: B by 1 to 3 cells, C by 1, G by 1 to 3, E and H by 1 to both sides: 3 + 1 + 3 + 2 + 2.
    assert_value("number-of-siblings", FIRST_CARD, "B+1", 11.0);
    assert_value("number-of-siblings", FIRST_CARD, "", 0.0);
    assert_value("difficulty-level", FIRST_CARD, "", 0.25);
}

#[test]
fn expressions_combine_values() {
    for (expression, expected) in [
        ("max(blockers, h1, two-level)", 8.0),
        ("min(blockers, h1, two-level)", 3.0),
        ("3*h1", 24.0),
        ("h1 + 2*blockers", 14.0),
        ("0.5*(h1 + blockers) - 1.5", 4.0),
        ("2 + zero", 2.0),
        ("blockers - h1", 0.0),
        ("max(blockers - h1, -7) + 6", 1.0),
    ] {
        assert_value(expression, FIRST_CARD, "", expected);
    }
    assert_value("0*h1", "4x2:AAx.....", "", f64::INFINITY);
    assert_value("h1 - landmarks", "4x2:AAx.....", "", f64::INFINITY);
}

#[test]
fn admissibility_of_expressions_follows_from_their_parts() {
    for (expression, moves, steps) in [
        ("blockers", true, true),
        ("distance-blockers", false, true),
        ("h1", false, false),
        ("max(blockers, landmarks)", true, true),
        ("max(blockers, distance-blockers)", false, true),
        ("max(blockers, h1)", false, false),
        ("min(blockers, h1)", true, true),
        ("1*landmarks", true, true),
        ("0.9*landmarks", true, true),
        ("1.1*landmarks", false, false),
        ("-1*landmarks", false, false),
        ("blockers + zero", false, false),
        ("max(blockers, 1)", false, false),
        ("max(blockers, 0)", true, true),
        ("g", false, false),
    ] {
        let parsed: Expression = expression.parse().unwrap();
        assert_eq!(
            (parsed.admissible(Metric::Moves), parsed.admissible(Metric::Steps)),
            (moves, steps),
            "{expression}"
        );
    }
}

/// Two blockers that can each leave in two directions. Up, B needs four vehicles to move, and C another four; down, each needs
/// four as well, but three of them are the same. H1 moves both up.
const TWO_DIRECTIONS: &str = "8x16:\
    ........\
    ......SS\
    .......V\
    .......V\
    .......W\
    .......W\
    .......X\
    P......X\
    PEEFFKK.\
    ....AABC\
    ......BC\
    ......YZ\
    .....xYZ\
    .....UQQ\
    .....U..\
    ....xTT.";

#[test]
fn blockers_lower_bound_is_not_admissible_even_in_steps() {
    let board = formats::read_one(TWO_DIRECTIONS, None).unwrap().board;
    let solution: Solution = "T+1 U+1 Q-2 Y+1 Z+1 B+1 C+1 A+2".parse().unwrap();
    assert!(replay(&board, &solution.0).unwrap().solved);
    assert_eq!((solution.moves(), solution.steps()), (8, 10));
    let domain = RushDomain::<2>::new(&board, Metric::Steps).unwrap();
    let estimate = |name: &str| {
        let mut heuristic = name.parse::<Expression>().unwrap().build(&domain, &HeuristicContext::default()).unwrap();
        heuristic.estimate(&domain, &Node { state: &domain.start(), g: 0, last: None, siblings: 0 })
    };
    assert!(estimate("h1") > 10.0);
    assert!(estimate("landmarks") <= 10.0);
}
