//! Tests of state graphs: they agree with the exact solver, and every edge is a move.

use crate::common;
use clearway_answers::{Graph, MAX_EDGES, graph};
use clearway_rush::{Board, Metric, Solver, formats};
use clearway_search::Limits;
use std::collections::HashSet;

fn whole(board: &Board, metric: Metric) -> Graph {
    graph(board, metric, usize::MAX, &Limits::default())
}

/// Returns the board of a state.
fn board_of(board: &Board, graph: &Graph, state: u32) -> Board {
    let positions = graph.positions[state as usize].chars().map(|digit| digit.to_digit(36).unwrap() as u8);
    board.with_positions(&positions.collect::<Vec<u8>>()).unwrap()
}

/// Returns the number of cells of the move between two states, if there is one in both directions.
fn slide(board: &Board, graph: &Graph, a: u32, b: u32) -> Option<u8> {
    let (from, to) = (board_of(board, graph, a), board_of(board, graph, b));
    let find_move = |from: &Board, to: &Board| {
        from.legal_moves().into_iter().find(|&mv| {
            let mut after = from.clone();
            after.apply(mv).unwrap();
            after == *to
        })
    };
    find_move(&to, &from)?;
    find_move(&from, &to).map(|mv| mv.cells.unsigned_abs())
}

fn check_shape(board: &Board, graph: &Graph) {
    assert_eq!(graph.positions.len(), graph.distances.len());
    assert_eq!(graph.layers.iter().sum::<u64>(), graph.states);
    assert_eq!(graph.depth as usize + 1, graph.layers.len());
    assert_eq!(board_of(board, graph, graph.start), *board);
    let distinct: HashSet<&String> = graph.positions.iter().collect();
    assert_eq!(distinct.len(), graph.positions.len());
    let pairs: HashSet<(u32, u32)> = graph.edges.chunks(2).map(|ab| (ab[0].min(ab[1]), ab[0].max(ab[1]))).collect();
    assert_eq!(pairs.len() * 2, graph.edges.len(), "every edge appears once");
    // Every state is connected to a nearer one.
    let mut is_connected: Vec<bool> = graph.distances.iter().map(|&distance| distance == 0).collect();
    for &(a, b) in &pairs {
        let (near, far) = (graph.distances[a as usize], graph.distances[b as usize]);
        assert!(near.abs_diff(far) <= 1);
        is_connected[a as usize] |= far < near;
        is_connected[b as usize] |= near < far;
    }
    assert!(is_connected.into_iter().all(|connected| connected));
    for pair in graph.path.windows(2) {
        assert!(pairs.contains(&(pair[0].min(pair[1]), pair[0].max(pair[1]))));
    }
}

#[test]
fn counts_agree_with_the_exact_solver() {
    let mut solver = Solver::new();
    let (mut solvable, mut unsolvable) = (0, 0);
    for board in common::cards(4).iter().chain(&common::random_boards(120)) {
        for metric in [Metric::Moves, Metric::Steps] {
            let (graph, facts) = (whole(board, metric), solver.analyze(board, metric, &Limits::default()));
            check_shape(board, &graph);
            assert_eq!((graph.complete, graph.sampled), (true, false));
            assert_eq!((graph.states, graph.positions.len() as u64), (facts.states, facts.states));
            if let Some(distance) = facts.distance {
                solvable += 1;
                assert_eq!((graph.by, graph.depth, &graph.layers), ("goal", facts.depth.unwrap(), &facts.histogram));
                assert_eq!(graph.path.len() as u32, distance + 1);
                assert_eq!(graph.path[0], graph.start);
                assert!(board_of(board, &graph, *graph.path.last().unwrap()).is_solved());
            } else {
                unsolvable += 1;
                let depth = solver.eccentricity(board, metric, &Limits::default());
                assert_eq!((graph.by, Some(graph.depth), graph.path.len()), ("start", depth, 0));
            }
        }
    }
    assert!(solvable > 50 && unsolvable > 10, "{solvable} {unsolvable}");
}

#[test]
fn edges_are_exactly_the_legal_moves() {
    for board in common::random_boards(60) {
        for metric in [Metric::Moves, Metric::Steps] {
            let graph = whole(&board, metric);
            if graph.states > 300 {
                continue;
            }
            for pair in graph.edges.chunks(2) {
                let cells = slide(&board, &graph, pair[0], pair[1]);
                assert!(cells.is_some_and(|cells| metric == Metric::Moves || cells == 1));
            }
            let is_move = |cells: i8| metric == Metric::Moves || cells.abs() == 1;
            let degree = |state| {
                let moves = board_of(&board, &graph, state).legal_moves();
                moves.into_iter().filter(|mv| is_move(mv.cells)).count()
            };
            let total: usize = (0..graph.states as u32).map(degree).sum();
            assert_eq!(total, graph.edges.len(), "a move and its reversal are one edge");
        }
    }
}

#[test]
fn a_sample_shows_the_solution_its_neighbours_and_every_layer() {
    for (board, most) in common::cards(5).iter().zip([300, 1000, 3000].into_iter().cycle()) {
        let all = whole(board, Metric::Moves);
        let some = graph(board, Metric::Moves, most, &Limits::default());
        check_shape(board, &some);
        assert_eq!(some, graph(board, Metric::Moves, most, &Limits::default()), "the same every time");
        assert_eq!((&some.layers, some.states, some.depth), (&all.layers, all.states, all.depth));
        assert_eq!((some.sampled, some.path.len()), (all.states > most as u64, all.path.len()));
        assert!(some.positions.len() <= most && some.positions.len() >= most.min(all.states as usize) * 9 / 10);
        let mut shown = vec![0u64; some.layers.len()];
        some.distances.iter().for_each(|&distance| shown[distance as usize] += 1);
        assert!(shown.iter().all(|&count| count > 0), "{shown:?}");
        // Distributed like all states, apart from the path.
        let share = |count: u64| count * most as u64 / some.states;
        let fair = |(&shown, &all): (&u64, &u64)| !some.sampled || 3 * shown + 3 >= share(all);
        assert!(shown.iter().zip(&some.layers).all(fair), "{shown:?} {:?}", some.layers);
        if most == 3000 {
            let known: HashSet<&String> = some.positions.iter().collect();
            for &state in &some.path {
                for mv in board_of(board, &some, state).legal_moves() {
                    let mut neighbour = board_of(board, &some, state);
                    neighbour.apply(mv).unwrap();
                    let digit = |v: &clearway_rush::Vehicle| char::from_digit(v.position().into(), 36).unwrap();
                    assert!(known.contains(&neighbour.vehicles().iter().map(digit).collect::<String>()));
                }
            }
        }
    }
}

#[test]
fn a_limited_graph_is_incomplete_and_measures_from_the_start() {
    let card = &common::cards(1)[0];
    let cut = graph(card, Metric::Moves, 100, &Limits { nodes: Some(500), ..Limits::default() });
    check_shape(card, &cut);
    assert_eq!((cut.complete, cut.sampled, cut.by, cut.states), (false, true, "start", 500));
    assert_eq!((cut.distances[cut.start as usize], cut.layers[0]), (0, 1));
    // The solution of 8 moves is found without visiting all states.
    let most = whole(card, Metric::Moves).states - 1;
    let almost = graph(card, Metric::Moves, 10_000, &Limits { nodes: Some(most), ..Limits::default() });
    assert_eq!((almost.complete, almost.path.len()), (false, 9));
    let memory = graph(card, Metric::Moves, 100, &Limits { memory: Some(1), ..Limits::default() });
    assert_eq!((memory.complete, memory.states), (false, 1));
    // A limit equal to the number of states is not reached.
    let exact = graph(card, Metric::Moves, 10_000, &Limits { nodes: Some(most + 1), ..Limits::default() });
    assert_eq!((exact.complete, exact.by), (true, "goal"));
}

#[test]
fn surplus_edges_are_left_out_and_the_graph_stays_connected() {
    // Each car is alone in its row and can move anywhere.
    let rows = "AA......\nBB......\nCC......\nDD......\nEE......".replace('\n', "");
    let board = formats::read_one(&format!("8x5:{rows}"), None).unwrap().board;
    let graph = graph(&board, Metric::Moves, 25_000, &Limits::default());
    assert_eq!((graph.states, graph.positions.len()), (7u64.pow(5), 7usize.pow(5)));
    assert_eq!(graph.edges.len(), 2 * MAX_EDGES);
    assert_eq!(graph.edges_left_out as usize + MAX_EDGES, 7usize.pow(5) * 5 * 6 / 2);
    check_shape(&board, &graph);
}
