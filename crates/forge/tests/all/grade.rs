//! Grades: the levels of the forty cards, averages compared with all solutions enumerated one by one, and limits.

use clearway_forge::grade::{Beyond, Grade, GradePart, Graded, Grader, HumanTime, Level, Status, Theme, grade};
use clearway_rush::{Board, Exit, Orientation, Side, Solver, formats, replay, suites::Suite};
use clearway_search::{Limit, Limits};
use std::collections::{HashMap, HashSet, VecDeque};

const JAM01: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

fn board(text: &str) -> Board {
    formats::read_one(text, None).unwrap().board
}

fn cards() -> Vec<Board> {
    Suite::find("cards").unwrap().puzzles().into_iter().map(|puzzle| puzzle.board).collect()
}

fn quick(board: &Board) -> Grade {
    Grader::new().without_machine().without_removable().grade(board, &mut Solver::new(), &Limits::default()).grade
}

#[test]
fn the_levels_of_the_cards_are_in_order() {
    let levels: Vec<Level> = cards().iter().map(|board| quick(board).level.unwrap()).collect();
    let own = |index: usize| Level::ALL[index / 10];
    let agreeing = levels.iter().enumerate().filter(|&(index, &level)| level == own(index)).count();
    assert_eq!(agreeing, 32, "{levels:?}");
    let counts = Level::ALL.map(|level| levels.iter().filter(|&&other| other == level).count());
    assert_eq!(counts, [10, 12, 8, 6, 4], "{levels:?}");
    assert_eq!(levels[36..], [Level::Fiendish; 4]);
    assert!(!levels[..36].contains(&Level::Fiendish));
    let means: Vec<u32> = levels.chunks(10).map(|ten| ten.iter().map(|&level| level as u32).sum()).collect();
    assert!(means.is_sorted_by(|a, b| a < b), "{means:?}");
    for (ten, expected) in levels.chunks(10).zip(Level::ALL) {
        let mut ten = ten.to_vec();
        ten.sort();
        assert_eq!((ten[4], ten[5]), (expected, expected), "the median");
    }
}

#[test]
fn hard_boards_of_8x8_are_fiendish() {
    let hard = &Suite::find("sample-8x8").unwrap().puzzles()[4].board;
    let grade = quick(hard);
    assert_eq!(grade.level, Some(Level::Fiendish), "{grade:?}");
    assert!(grade.human.unwrap().beyond.contains(&Beyond::Size));
}

#[test]
fn boards_of_8x8_spread_over_the_levels() {
    let boards = Suite::find("test-8x8").unwrap().puzzles();
    let levels = [3, 6, 8, 15].map(|number| quick(&boards[number - 1].board).level);
    assert_eq!(levels, [Level::Intermediate, Level::Advanced, Level::Expert, Level::Fiendish].map(Some));
}

#[test]
fn a_board_whose_states_are_too_many_is_graded_by_its_solution() {
    let puzzles = Suite::find("large").unwrap().puzzles();
    let puzzle = puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some("9x9-85-02")).unwrap();
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let Graded { grade, solution } = Grader::new().without_machine().grade(&puzzle.board, &mut Solver::new(), &limits);
    assert_eq!((grade.status, grade.moves, grade.steps), (Status::Solved, Some(12), Some(18)));
    assert!(solution.is_some_and(|plan| replay(&puzzle.board, &plan.0).is_ok_and(|replay| replay.solved)));
    assert_eq!((grade.states, grade.depth), (None, None));
    assert!(grade.human.as_ref().is_some_and(HumanTime::extrapolates) && grade.level.is_some(), "{grade:?}");
}

/// Component of a board, computed with `Board::legal_moves` alone.
struct Component {
    boards: Vec<Board>,
    /// For each state: the label of each vehicle that can move, with the resulting state.
    moves: Vec<Vec<(char, usize)>>,
    distances: Vec<usize>,
}

impl Component {
    fn new(board: &Board) -> Component {
        let mut known = HashMap::from([(board.clone(), 0)]);
        let (mut boards, mut moves) = (vec![board.clone()], Vec::new());
        while moves.len() < boards.len() {
            let here = boards[moves.len()].clone();
            let next = here.legal_moves().into_iter().map(|mv| {
                let mut after = here.clone();
                after.apply(mv).unwrap();
                let new = boards.len();
                let index = *known.entry(after.clone()).or_insert(new);
                if index == new {
                    boards.push(after);
                }
                (mv.label, index)
            });
            moves.push(next.collect::<Vec<_>>());
        }
        let mut distances = vec![usize::MAX; boards.len()];
        let mut queue: VecDeque<usize> = (0..boards.len()).filter(|&index| boards[index].is_solved()).collect();
        for &index in &queue {
            distances[index] = 0;
        }
        while let Some(index) = queue.pop_front() {
            for &(_, next) in &moves[index] {
                if distances[next] == usize::MAX {
                    distances[next] = distances[index] + 1;
                    queue.push_back(next);
                }
            }
        }
        Component { boards, moves, distances }
    }

    /// Returns all solutions of at most `longest` moves in which no vehicle moves twice in a row, as the moved labels with the
    /// states after the start.
    fn solutions(&self, longest: usize) -> Vec<Vec<(char, usize)>> {
        let (mut found, mut open) = (Vec::new(), vec![Vec::new()]);
        while let Some(path) = open.pop() {
            let (last, here) = path.last().map_or((None, 0), |&(label, index)| (Some(label), index));
            if self.distances[here] == 0 {
                found.push(path);
                continue;
            }
            for &(label, next) in &self.moves[here] {
                if Some(label) != last && path.len() + 1 + self.distances[next] <= longest {
                    let mut longer = path.clone();
                    longer.push((label, next));
                    open.push(longer);
                }
            }
        }
        found
    }
}

/// Returns the number of vehicles between the target and the exit.
fn blockers(board: &Board) -> usize {
    let (target, goal) = (board.target(), board.goal_position());
    let ahead =
        if goal > target.position() { target.position()..=goal + target.length - 1 } else { goal..=target.position() };
    let cells = ahead.map(|along| match target.orientation {
        Orientation::Horizontal => (along, target.line()),
        Orientation::Vertical => (target.line(), along),
    });
    cells.filter_map(|(x, y)| board.vehicle_at(x, y)).filter(|&index| index != 0).collect::<HashSet<_>>().len()
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

fn assert_near(found: Option<f64>, expected: f64, what: &str, board: &Board) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}: {}", formats::line(board));
}

/// Compares a grade with all solutions of a board, enumerated one by one.
fn check(board: &Board) {
    let grade = quick(board);
    let component = Component::new(board);
    let shortest = component.distances[0];
    assert_eq!(grade.moves, Some(shortest as u32));
    assert_eq!(grade.states, Some(component.boards.len() as u64));
    assert_eq!(grade.depth, component.distances.iter().max().map(|&depth| depth as u32));
    let best = component.solutions(shortest);
    assert_eq!(grade.optimal_solutions, Some(best.len() as u128));
    let before = |path: &[(char, usize)], index: usize| if index == 0 { 0 } else { path[index - 1].1 };
    let vehicles = |path: &Vec<(char, usize)>| path.iter().map(|mv| mv.0).collect::<HashSet<_>>().len() as f64;
    assert_near(grade.vehicles_moved, mean(best.iter().map(vehicles)), "vehicles", board);
    let against = |path: &Vec<(char, usize)>| {
        let is_against = |&index: &usize| {
            let (from, to) = (&component.boards[before(path, index)], &component.boards[path[index].1]);
            let away = |board: &Board| board.target().position().abs_diff(board.goal_position());
            if path[index].0 == board.target().label { away(to) > away(from) } else { blockers(to) > blockers(from) }
        };
        (0..path.len()).filter(is_against).count() as f64
    };
    assert_near(grade.counterintuitive, mean(best.iter().map(against)), "counterintuitive", board);
    let decisions = |path: &Vec<(char, usize)>| {
        let is_free = |&index: &usize| {
            let movable: HashSet<char> = component.moves[before(path, index)].iter().map(|mv| mv.0).collect();
            index == 0 || movable.iter().any(|&label| label != path[index].0 && label != path[index - 1].0)
        };
        (0..path.len()).filter(is_free).count() as f64
    };
    assert_near(grade.decisions, mean(best.iter().map(decisions)), "decisions", board);
    let information = |path: &Vec<(char, usize)>| {
        let bits = |index: usize| {
            let here = before(path, index);
            let moves = &component.moves[here];
            let good = moves.iter().filter(|mv| component.distances[mv.1] < component.distances[here]).count();
            (moves.len() as f64 / good as f64).log2()
        };
        (0..path.len()).map(bits).sum()
    };
    assert_near(grade.search_information, mean(best.iter().map(information)), "search information", board);
    let near = component.solutions(shortest + 1);
    let mut starts: HashMap<&[(char, usize)], u64> = HashMap::new();
    for path in &near {
        (1..=path.len()).for_each(|length| *starts.entry(&path[..length]).or_default() += 1);
    }
    let common = starts.values().map(|&count| (count as f64 / near.len() as f64).powi(2)).sum();
    assert_near(grade.common_start, common, "common start", board);
    assert_eq!(grade.themes, themes(board, &component, &best), "{}", formats::line(board));
}

/// Returns the themes of a board, from all of its shortest solutions.
fn themes(board: &Board, component: &Component, best: &[Vec<(char, usize)>]) -> Vec<Theme> {
    let distance = |index: usize| {
        let board = &component.boards[index];
        board.target().position().abs_diff(board.goal_position())
    };
    let retreats = |path: &Vec<(char, usize)>| {
        let states = std::iter::once(0).chain(path.iter().map(|mv| mv.1)).collect::<Vec<_>>();
        states.windows(2).any(|pair| distance(pair[1]) > distance(pair[0]))
    };
    let moves_of = |label: char| best.iter().flatten().filter(|mv| mv.0 == label).count();
    let others = || board.vehicles().iter().skip(1);
    let most = others().map(|vehicle| moves_of(vehicle.label)).max().unwrap_or(0);
    let busiest: Vec<u8> =
        others().filter(|vehicle| moves_of(vehicle.label) == most).map(|vehicle| vehicle.length).collect();
    let empty = (0..board.height()).flat_map(|y| (0..board.width()).map(move |x| (x, y)));
    let empty = empty.filter(|&(x, y)| board.vehicle_at(x, y).is_none() && !board.walls().contains(x, y)).count();
    let has = |theme: &Theme| match theme {
        Theme::TargetBack => best.iter().all(retreats),
        Theme::TruckKey => busiest.len() == 1 && busiest[0] > 2,
        Theme::OneEmptyCell => empty == 1,
        Theme::OneBlocker => blockers(board) == 1,
        Theme::OneSolution => best.len() == 1,
        Theme::AllMove => {
            best.iter().all(|path| board.vehicles().iter().all(|car| path.iter().any(|mv| mv.0 == car.label)))
        }
        other => panic!("{other} is not tested"),
    };
    Theme::ALL.into_iter().filter(has).collect()
}

#[test]
fn themes_agree_with_all_solutions_enumerated() {
    use Theme::{AllMove, OneBlocker, OneEmptyCell, OneSolution, TargetBack, TruckKey};
    let cases: [(&str, &[Theme]); 7] = [
        ("B...CDBEE.CDFAA.CDF.....F.GHHHIIG...", &[TargetBack]),
        (".BCCC..B..D.AA..D.EEFFD....GHH...G..", &[TargetBack, OneBlocker, AllMove]),
        ("BB.C.....CDDAA.C..EFGGHHEF..I.EJJ.I.", &[TruckKey, OneBlocker, AllMove]),
        ("BBCDDDE.CFFFEGAAHIEGJJHIKGLLLIKMMMNN", &[OneEmptyCell, OneSolution]),
        (".BCCDD.B.EF.AA.EF..GHHH..G..I.JJ..I.", &[OneSolution]),
        ("....BC..D.BCAAD.BCEFGGHHEFIIJJ.F....", &[AllMove]),
        ("..BB.....CD.AA.CD....E.....E........", &[]),
    ];
    for (text, themes) in cases {
        let board = board(text);
        check(&board);
        assert_eq!(quick(&board).themes, themes, "{text}");
    }
    // A board without a solution, or a solved one, has none.
    assert_eq!(quick(&board("4x3:...BAA.B....")).themes, []);
    assert_eq!(quick(&board("4x4:..........AA....")).themes, []);
}

#[test]
fn averages_agree_with_all_solutions_enumerated() {
    let cards = cards();
    for card in [0, 2, 3, 5, 20] {
        check(&cards[card]);
    }
    // Walls; an exit on the other side; no designated target at all.
    check(&board("5x5:..CC...B.FAAB.Fx...D.EE.D"));
    let mirrored = board("5x5:.CC..F.B..F.BAAD...xD.EE.");
    let (walls, vehicles) = (*mirrored.walls(), mirrored.vehicles().to_vec());
    check(&Board::new(5, 5, walls, vehicles, Exit::Target(Side::Left)).unwrap());
    check(&Suite::find("traffic-jam").unwrap().puzzles()[0].board);
}

#[test]
fn blocker_depth_follows_blockers_of_blockers() {
    let depth = |text: &str| quick(&board(text)).blocker_depth;
    assert_eq!(depth("4x4:....AA.........."), 0);
    assert_eq!(depth("4x4:...BAA.B........"), 1);
    // B needs both cells below it, of which C has one.
    assert_eq!(depth("4x4:...BAA.B......CC"), 2);
    // C can move away by itself, so D behind it makes no difference.
    assert_eq!(depth("4x5:...BAA.B..CC.D...D.."), 2);
    // B can only go down, where C is, which can only go left, where D is.
    assert_eq!(depth("..........B.AA..B.....B...D.....DCC."), 3);
    // B pushes E ahead, which C blocks; with a wall at the end, B cannot move down at all.
    assert_eq!(depth("4x6:...BAA.B...E...E..CC...."), 2);
    assert_eq!(depth("4x6:...BAA.B...E...E..CC...x"), 1);
}

#[test]
fn predicted_times_follow_the_model_and_name_extrapolations() {
    let inside = HumanTime::predict(&board(JAM01), 10, 20, 7.0);
    let expected = (-1.0114f64).exp() * 10f64.powf(0.9067) * 20f64.powf(0.6018) * 7f64.powf(0.5463);
    assert!((inside.seconds - expected).abs() < 1e-9);
    assert!((inside.high / inside.seconds - 1.6).abs() < 0.01 && (inside.seconds / inside.low - 1.6).abs() < 0.01);
    assert_eq!(inside.beyond, []);
    let outside = HumanTime::predict(&board("4x4:...BAA.B....x..."), 16, 5, 9.5);
    assert_eq!(outside.beyond, [Beyond::Moves, Beyond::Depth, Beyond::Vehicles, Beyond::Size, Beyond::Walls]);
    assert!(HumanTime::predict(&board(JAM01), u32::MAX, u32::MAX, 256.0).high.is_finite());
}

#[test]
fn predicted_times_of_cards_match_the_published_fit() {
    let cards = cards();
    for (card, seconds) in [(1, 28.0), (10, 104.0), (20, 54.0), (30, 239.0), (35, 393.0), (40, 556.0)] {
        let human = quick(&cards[card - 1]).human.unwrap();
        // The published coefficients are rounded.
        assert!((human.seconds - seconds).abs() < 1.0, "card {card}: {human:?}");
        assert_eq!(human.extrapolates(), ![1, 20].contains(&card), "card {card}: {:?}", human.beyond);
    }
    // The model for boards whose component is not explored.
    for (moves, seconds) in [(8, 29.0), (17, 94.0), (51, 536.0)] {
        let human = HumanTime::from_moves(&cards[0], moves);
        assert!((human.seconds - seconds).abs() < 1.0, "{moves} moves: {human:?}");
    }
}

#[test]
fn a_solved_board_takes_no_time() {
    let solved = board("4x3:......AA....");
    for human in [HumanTime::predict(&solved, 0, 1, 0.0), HumanTime::from_moves(&solved, 0)] {
        assert_eq!([human.low, human.seconds, human.high].map(f64::to_bits), [0; 3], "{human:?}");
        let json = serde_json::to_string(&human).unwrap();
        assert_eq!(serde_json::from_str::<HumanTime>(&json).unwrap(), human);
    }
}

#[test]
fn times_are_shown_as_precisely_as_they_are_known() {
    let human = |seconds: f64, beyond: &[Beyond]| HumanTime {
        seconds,
        low: seconds / 1.6,
        high: seconds * 1.6,
        beyond: beyond.to_vec(),
    };
    let inside = |seconds| human(seconds, &[]);
    assert_eq!(inside(28.4).to_string(), "about 28 s (18 to 45 s)");
    assert_eq!(format!("{:#}", inside(119.0)), "about 119 s (95 % interval: 74 to 190 s)");
    assert_eq!(inside(556.0).to_string(), "about 9 min (6 to 15 min)");
    assert_eq!(format!("[{:>25}]", inside(28.4)), "[  about 28 s (18 to 45 s)]");
    let outside = |seconds| human(seconds, &[Beyond::Moves]).to_string();
    for (seconds, expected) in
        [(0.4, "5 s"), (54.0, "55 s"), (89.9, "90 s"), (90.0, "2 min"), (556.0, "9 min"), (599.0, "10 min")]
    {
        assert_eq!(outside(seconds), format!("about {expected} (extrapolated)"));
    }
    assert_eq!([outside(610.0), outside(1_300.0)], ["about 10 min (extrapolated)", "about 20 min (extrapolated)"]);
    assert_eq!(outside(3_599.0), "about 55 min (extrapolated)");
    for seconds in [3_600.0, 3.5e12, f64::INFINITY] {
        assert_eq!([outside(seconds), inside(seconds).to_string()], ["more than an hour", "more than an hour"]);
    }
}

#[test]
fn removable_vehicles_are_listed() {
    let removable = |board: &Board| grade(board, &mut Solver::new(), &Limits::default()).grade.removable;
    assert_eq!(removable(&board(JAM01)), Some(vec![]));
    assert_eq!(removable(&cards()[1]), Some(vec!['J', 'K']));
    // Without B, A leaves, also in one move. C, D and E block nothing.
    let no_target = board("5x6:..CCDE...DE...DE...DAABB......@right:4");
    assert_eq!(removable(&no_target), Some(vec!['B', 'C', 'D', 'E', 'A']));
}

#[test]
fn unsolvable_and_solved_boards_get_partial_grades() {
    let unsolvable = grade(&board("4x3:...BAA.B...."), &mut Solver::new(), &Limits::default());
    assert_eq!((unsolvable.grade.status, unsolvable.grade.moves), (Status::Unsolvable, None));
    assert_eq!((unsolvable.grade.level, unsolvable.grade.machine), (None, None));
    assert_eq!((unsolvable.grade.blocker_depth, unsolvable.grade.unfinished.len()), (1, 0));
    let solved = grade(&board("4x3:......AA...."), &mut Solver::new(), &Limits::default()).grade;
    assert_eq!((solved.status, solved.moves, solved.steps, solved.level), (Status::Solved, Some(0), Some(0), None));
    assert_eq!((solved.states, solved.depth, solved.human), (Some(3), Some(1), None));
    assert_eq!((solved.decisions, solved.common_start, solved.vehicles_moved), (Some(0.0), Some(0.0), Some(0.0)));
}

#[test]
fn a_limited_grade_keeps_known_values_and_names_the_limits() {
    let grade_within = |limits: &Limits| grade(&board(JAM01), &mut Solver::new(), limits).grade;
    let grade = |nodes| grade_within(&Limits { nodes: Some(nodes), ..Limits::default() });
    // No time for anything.
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let late = grade_within(&limits);
    assert_eq!((late.status, late.unfinished[0].limit), (Status::Limit, Limit::Time));
    // Not enough for a solution.
    let little = grade(10);
    assert_eq!((little.status, little.moves, little.level), (Status::Limit, None, None));
    assert!(little.moves_at_least.is_some_and(|moves| moves > 0));
    assert_eq!(little.unfinished[0].part, GradePart::Moves);
    assert_eq!(little.machine.map(|machine| (machine.id.nodes, machine.id.at_least)), Some((10, true)));
    // Enough for a solution, but not for all states.
    let more = grade(1_000);
    assert_eq!((more.status, more.moves, more.steps), (Status::Solved, Some(8), Some(16)));
    assert_eq!((more.states, more.level, more.removable.as_deref()), (None, None, Some(&[][..])));
    let parts: Vec<(GradePart, Limit)> = more.unfinished.iter().map(|part| (part.part, part.limit)).collect();
    assert_eq!(parts, [(GradePart::Component, Limit::Nodes), (GradePart::Machine, Limit::Nodes)]);
}

#[test]
fn a_limited_grade_keeps_the_best_solution() {
    let puzzles = Suite::find("course").unwrap().puzzles();
    let large = &puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some("12x12_7")).unwrap().board;
    let (grader, mut solver) = (Grader::new().without_machine().without_removable(), Solver::new());
    let within = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let mut graded = grader.grade(large, &mut solver, &within(8_000));
    let most = graded.grade.moves_at_most.expect("a plan is found within 8,000 nodes and conflicts");
    assert_eq!((graded.grade.status, graded.grade.moves), (Status::Limit, None));
    assert!(most >= 25 && graded.grade.moves_at_least.is_some_and(|least| least <= 25), "{:?}", graded.grade);
    assert_eq!(graded.grade.unfinished[0].part, GradePart::Moves);
    let solution = graded.solution.clone().unwrap();
    assert!(solution.moves() == most && replay(large, &solution.0).unwrap().solved);
    // A search that finds less loses nothing.
    let bound = graded.grade.moves_at_least;
    grader.resume(&mut graded, large, &mut solver, &within(1));
    assert_eq!((graded.grade.moves_at_most, graded.grade.moves_at_least), (Some(most), bound));
    assert_eq!(graded.solution, Some(solution));
    // A proven length replaces both.
    grader.without_component().resume(&mut graded, large, &mut solver, &within(2_000_000));
    let grade = &graded.grade;
    assert_eq!((grade.status, grade.moves), (Status::Solved, Some(25)));
    assert_eq!((grade.moves_at_most, grade.moves_at_least), (None, None));
}

#[test]
fn a_resumed_grade_keeps_known_values_and_becomes_complete() {
    let (grader, mut solver, board) = (Grader::new(), Solver::new(), board(JAM01));
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let whole = grade(&board, &mut solver, &Limits::default());
    for first in [10, 1_000, 2_000] {
        let mut graded = grader.grade(&board, &mut solver, &nodes(first));
        let before = graded.grade.clone();
        grader.resume(&mut graded, &board, &mut solver, &nodes(1));
        assert_eq!(graded.grade.machine, before.machine);
        assert_eq!((graded.grade.moves, graded.grade.steps), (before.moves, before.steps));
        assert_eq!((graded.grade.moves_at_least, graded.grade.depth), (before.moves_at_least, before.depth));
        grader.resume(&mut graded, &board, &mut solver, &Limits::default());
        assert_eq!((&graded.grade, &graded.solution), (&whole.grade, &whole.solution));
    }
}

#[test]
fn the_node_limit_of_the_machine_is_not_reported_as_unfinished() {
    let few = Grader::new().with_machine_nodes(1_000);
    let grade = few.grade(&board(JAM01), &mut Solver::new(), &Limits::default()).grade;
    let machine = grade.machine.unwrap();
    assert_eq!((machine.id.nodes, machine.id.at_least, machine.bfs.at_least), (1_000, true, true));
    assert!(grade.unfinished.is_empty());
}

#[test]
fn grades_round_trip_through_json() {
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    for limits in [Limits::default(), limits] {
        let grade = grade(&board(JAM01), &mut Solver::new(), &limits).grade;
        let text = serde_json::to_string(&grade).unwrap();
        assert_eq!(serde_json::from_str::<Grade>(&text).unwrap(), grade, "{text}");
    }
}
