//! Packs: their contents, independence of the number of threads, and round trips of their formats.

use clearway_forge::Shape;
use clearway_forge::grade::Level;
use clearway_forge::minimal::removable;
use clearway_forge::pack::{
    Entry, EntryError, Origin, PackBuilder, PackFormat, PackMerger, PackReader, PackRequest, PackSeries, Paper,
    Printing, attempt, gather, similarity,
};
use clearway_forge::turn;
use clearway_rush::formats::{self, ReadOptions};
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, Side, Solver, replay};
use clearway_search::{Limit, Limits};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn order(size: u8, moves: std::ops::RangeInclusive<u32>, count: usize, seed: u64) -> PackRequest {
    PackRequest::new(Shape::new(size, size, Side::Right, None, 0).unwrap(), moves, count, seed)
}

fn entry(text: &str) -> Entry {
    let board = formats::read_one(text, None).unwrap().board;
    Entry::new(board, &mut Solver::new(), &Limits::default()).unwrap()
}

const CARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
/// The hardest state of the first card's component.
const HARDEST: &str = "BB...CD....CDAAE.CD..E..F..EGGFHHH..";
const SMALL: &str = "...BAA.B........";

#[test]
fn a_panic_of_a_worker_is_propagated_to_the_caller() {
    let shape = Shape::new(5, 5, Side::Right, None, 0).unwrap();
    for threads in [1, 3] {
        let gather =
            || gather(&PackRequest::new(shape, 4..=6, 3, 7), threads, &Limits::default(), &|_| panic!("from a worker"));
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(gather)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"from a worker"));
    }
}

#[test]
fn a_pack_holds_the_ordered_puzzles() {
    let order = order(5, 4..=9, 18, 7);
    let pack = gather(&order, 2, &Limits::default(), &|_| ());
    assert_eq!((pack.entries.len(), pack.limit), (18, None));
    let mut solver = Solver::new();
    let mut seen = HashSet::new();
    for entry in &pack.entries {
        let board = &entry.board;
        let answer = solver.solve(board, Metric::Moves, &Limits::default());
        assert_eq!(answer.solution.unwrap().moves(), entry.moves);
        assert_eq!(entry.depth, Some(entry.moves), "each is the hardest state of its component");
        let check = replay(board, &entry.solution.0).unwrap();
        assert!(check.solved && check.moves == entry.moves && order.moves.contains(&entry.moves));
        let removable = removable(&mut solver, board, &Limits::default()).unwrap();
        assert!(removable.is_empty(), "{removable:?} in {}", formats::line(board));
        assert!(entry.minimal && seen.insert(entry.id.clone()));
        assert_eq!(entry.origin.as_ref().unwrap().seed, Some(7));
    }
    for moves in 4..=9 {
        assert_eq!(pack.entries.iter().filter(|entry| entry.moves == moves).count(), 3, "of {moves} moves");
    }
    assert!(pack.entries.is_sorted_by(|a, b| a.human.seconds <= b.human.seconds));
}

#[test]
fn a_series_is_reproducible_and_ends_when_its_patience_is_exhausted() {
    let of = |seed: u64| {
        let mut series = PackSeries::new(order(5, 5..=10, 12, seed));
        let mut found = Vec::new();
        while !series.is_complete() {
            found.extend(series.attempt(&Limits::default()).unwrap().cloned());
        }
        assert_eq!((series.progress().found, found.len()), (12, 12));
        found
    };
    let one = of(3);
    assert_eq!(one, of(3));
    assert_ne!(one, of(4));
    assert_eq!(one.iter().map(|entry| &entry.id).collect::<HashSet<_>>().len(), 12, "all are different");
    assert!(one.iter().all(|entry| entry.minimal && (5..=10).contains(&entry.moves)));

    let fiendish = order(4, 2..=4, 1, 1).with_levels([(Level::Fiendish, 1)].into());
    let mut unwanted = PackSeries::new(PackRequest { patience: 5, ..fiendish });
    for _ in 0..5 {
        assert_eq!(unwanted.attempt(&Limits::default()), Ok(None));
    }
    assert_eq!(unwanted.attempt(&Limits::default()), Err(Limit::Incomplete));
    let cancelled = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    assert_eq!(PackSeries::new(order(5, 5..=10, 1, 1)).attempt(&cancelled), Err(Limit::Cancelled));
}

#[test]
fn packs_depend_on_the_seed_and_not_on_the_number_of_threads() {
    let of = |seed, threads| gather(&order(5, 5..=10, 12, seed), threads, &Limits::default(), &|_| ()).entries;
    let one = of(3, 1);
    assert_eq!(one, of(3, 4));
    assert_ne!(one, of(4, 1));
}

#[test]
fn attempts_made_elsewhere_give_the_same_pack() {
    for (side, line, walls) in [(Side::Left, 1, 0), (Side::Top, 3, 2), (Side::Right, 2, 0)] {
        let shape = Shape::new(5, 6, side, Some(line), walls).unwrap();
        let order = PackRequest::new(shape, 3..=8, 40, 5);
        let (mut gathering, mut solver, mut rounds) = (PackBuilder::new(order.clone()), Solver::new(), 0);
        while let Some(round) = gathering.next_round() {
            let all = (round.first..).zip(&round.aims);
            let outcomes = all.map(|(index, &aim)| attempt(&order, aim, index, &mut solver, &Limits::default()));
            let text = serde_json::to_string(&outcomes.collect::<Vec<_>>()).unwrap();
            gathering.take(serde_json::from_str(&text).unwrap());
            rounds += 1;
        }
        assert!(rounds > 1);
        assert_eq!(gathering.finish(), gather(&order, 2, &Limits::default(), &|_| ()));
    }
}

#[test]
fn a_pack_is_complete_when_it_has_enough_puzzles_and_no_length_is_short() {
    // Three puzzles of two lengths: two of one length, and one of the other.
    let order = order(5, 4..=5, 3, 7);
    let (mut solver, limits) = (Solver::new(), Limits::default());
    let mut outcomes = |aim, first: u64| {
        let made = (first..first + 20).map(|index| attempt(&order, aim, index, &mut solver, &limits));
        let found: Vec<_> = made.filter(|made| made.entry.as_ref().is_some_and(|entry| entry.moves == aim)).collect();
        let of_length = found.len();
        assert!(of_length >= 5, "only {of_length} puzzles of {aim} moves");
        found
    };
    let (four, five) = (outcomes(4, 0), outcomes(5, 20));
    let mut gathering = PackBuilder::new(order.clone());
    gathering.take(four);
    assert!(gathering.progress().found >= 3 && gathering.next_round().is_some(), "a length is missing");
    gathering.take(five.into_iter().take(1).collect());
    assert_eq!(gathering.next_round(), None);
    assert_eq!(gathering.finish().entries.len(), 3);
}

#[test]
fn only_large_packs_have_large_rounds() {
    let of = |count: usize| PackBuilder::new(order(5, 5..=10, count, 1)).next_round().unwrap().aims.len();
    assert_eq!([1, 100, 32_768, 1_000_000].map(of), [32, 102, 1024, 31_250]);
    // An attempt on a large board takes seconds.
    assert_eq!(PackBuilder::new(order(10, 5..=10, 1, 1)).next_round().unwrap().aims.len(), 8);
}

#[test]
fn boards_have_the_ordered_exit() {
    for (side, line, walls) in [(Side::Left, 1, 0), (Side::Top, 3, 2), (Side::Bottom, 0, 1), (Side::Right, 4, 0)] {
        let shape = Shape::new(5, 6, side, Some(line), walls).unwrap();
        let pack = gather(&PackRequest::new(shape, 3..=6, 4, 1), 2, &Limits::default(), &|_| ());
        assert_eq!(pack.entries.len(), 4);
        for board in pack.entries.iter().map(|entry| &entry.board) {
            assert_eq!((board.width(), board.height(), board.walls().len()), (5, 6, walls.into()));
            assert_eq!((board.exit().side(), board.exit_line()), (side, line));
        }
    }
}

#[test]
fn an_impossible_order_ends_when_its_patience_is_exhausted() {
    let impossible = PackRequest { patience: 40, ..order(4, 30..=40, 5, 1) };
    let pack = gather(&impossible, 2, &Limits::default(), &|_| ());
    assert_eq!((pack.entries.len(), pack.limit), (0, Some(Limit::Incomplete)));
    assert!(pack.longest > 0 && pack.longest < 30 && pack.attempts >= 40);
    let too_many = PackRequest { patience: 40, ..order(4, 3..=4, 1000, 1) };
    let pack = gather(&too_many, 2, &Limits::default(), &|_| ());
    assert!(!pack.entries.is_empty() && pack.entries.len() < 1000);
    assert_eq!(pack.limit, Some(Limit::Incomplete));
}

#[test]
fn a_cancelled_pack_keeps_the_puzzles_found_so_far() {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
    let stop = |progress: clearway_forge::pack::PackProgress| cancel.store(progress.found >= 5, Ordering::Relaxed);
    let pack = gather(&order(5, 4..=9, 200, 7), 2, &limits, &stop);
    assert!((5..200).contains(&pack.entries.len()), "{}", pack.entries.len());
    assert_eq!(pack.limit, Some(Limit::Cancelled));
}

#[test]
fn similarity_ignores_reflections_and_is_symmetric() {
    let [card, hardest] = [CARD, HARDEST].map(|text| formats::read_one(text, None).unwrap().board);
    let other = formats::read_one("..B...CCB...AAB.D....ED..FFED...GG..", None).unwrap().board;
    assert!((similarity(&card, &turn::flipped(&hardest)) - 1.0).abs() < 1e-9);
    let apart = similarity(&card, &other);
    assert!(apart < 0.3 && (apart - similarity(&turn::mirrored(&other), &card)).abs() < 1e-9, "{apart}");
}

fn read(bytes: &[u8]) -> Vec<(String, Option<String>, Option<Origin>)> {
    let boards = PackReader::new(bytes, ReadOptions::default()).map(Result::unwrap);
    boards.map(|found| (formats::line(&found.puzzle.board), found.puzzle.name, found.origin)).collect()
}

#[test]
fn packs_round_trip_in_formats_that_can_be_read() {
    let origin = Origin { generator: "by hand, \"mostly\"".to_owned(), version: "1".to_owned(), seed: Some(u64::MAX) };
    let mut first = Entry { origin: Some(origin.clone()), ..entry(CARD) };
    first.name = Some("a, \"b\" # c".to_owned());
    let second = Entry { origin: None, ..entry(SMALL) };
    for entries in [vec![first.clone(), second.clone()], vec![second, first]] {
        for format in [PackFormat::Jsonl, PackFormat::Csv, PackFormat::Txt] {
            let read = read(&format.write(&entries, "a title"));
            assert_eq!(read.len(), 2, "{format:?}");
            for (entry, (board, name, origin)) in entries.iter().zip(read) {
                assert_eq!((board, &name), (formats::line(&entry.board), &entry.name), "{format:?}");
                assert!(origin == entry.origin || format == PackFormat::Txt, "{format:?}");
            }
        }
    }
}

#[test]
fn an_invalid_line_is_reported_and_reading_continues() {
    let mut text = String::from_utf8(PackFormat::Csv.write(&[entry(CARD)], "")).unwrap();
    text.insert_str(text.find('\n').unwrap() + 1, "just words\n\n");
    let items: Vec<_> = PackReader::new(text.as_bytes(), ReadOptions::default()).collect();
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].as_ref().unwrap_err().line, 2);
    assert!(items[1].is_ok());
    let mut text = String::from_utf8(PackFormat::Jsonl.write(&[entry(CARD)], "")).unwrap();
    text += "{\"board\":\"AAB\"}\n";
    let items: Vec<_> = PackReader::new(text.as_bytes(), ReadOptions::default()).collect();
    assert_eq!(items[1].as_ref().unwrap_err().line, 2);
}

#[test]
fn merging_keeps_the_hardest_board_of_a_puzzle() {
    let mirrored = turn::flipped(&entry(CARD).board);
    let mirrored = Entry::new(mirrored, &mut Solver::new(), &Limits::default()).unwrap();
    let entries = [entry(CARD), entry(HARDEST), mirrored, entry(SMALL)];
    let merged = |order: [usize; 4]| {
        let mut merge = PackMerger::default();
        for i in order {
            merge.add(entries[i].clone());
        }
        assert_eq!(merge.duplicates(), 2);
        merge.into_pack()
    };
    let pack = merged([0, 1, 2, 3]);
    assert_eq!(pack.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [2, 9]);
    assert_eq!(pack, merged([3, 2, 1, 0]));
}

#[test]
fn packs_are_sorted_by_predicted_time_and_not_by_moves() {
    let cards = Suite::find("cards").unwrap().puzzles();
    let mut merge = PackMerger::default();
    for card in [15, 11, 1] {
        let board = cards[card - 1].board.clone();
        merge.add(Entry::new(board, &mut Solver::new(), &Limits::default()).unwrap());
    }
    let pack = merge.into_pack();
    // Card 15 needs fewer moves than card 11, but more vehicles have to move.
    assert_eq!(pack.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [8, 25, 23]);
    assert!(pack.is_sorted_by(|a, b| a.human.seconds < b.human.seconds));
    // With equal times, the moves decide, then the id.
    let shorter = Entry { moves: pack[1].moves - 1, id: "z".to_owned(), ..pack[1].clone() };
    assert!(shorter.by_difficulty(&pack[1]).is_lt());
    assert!(Entry { id: String::new(), ..pack[1].clone() }.by_difficulty(&pack[1]).is_lt());
}

#[test]
fn boards_that_are_not_puzzles_are_rejected_with_the_reason() {
    let error = |text: &str, limits: &Limits| {
        Entry::new(formats::read_one(text, None).unwrap().board, &mut Solver::new(), limits).unwrap_err()
    };
    assert_eq!(error("4x3:...BAA.B....", &Limits::default()), EntryError::Unsolvable);
    assert_eq!(error("2x2:AA..", &Limits::default()), EntryError::Solved);
    let few = Limits { nodes: Some(10), ..Limits::default() };
    assert_eq!(error(CARD, &few), EntryError::Limit(Limit::Nodes));
}

#[test]
fn html_and_svg_contain_every_puzzle_and_its_solution() {
    let mut named = entry(CARD);
    named.name = Some("<b> & \"c\"".to_owned());
    let entries = [entry(SMALL), named];
    for format in [PackFormat::Html, PackFormat::Svg] {
        let text = String::from_utf8(format.write(&entries, "a <title>")).unwrap();
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
        let words: String = document.descendants().filter_map(|node| node.text()).collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        for entry in &entries {
            assert!(words.contains(&format!("{} moves", entry.moves)));
            assert!(words.contains(&entry.human.to_string()), "{format:?}: {}", entry.human);
        }
        assert!(words.contains("a <title>") && words.contains("<b> & \"c\""), "{format:?}");
        let count = |class| document.descendants().filter(|node| node.attribute("class") == Some(class)).count();
        assert_eq!(count("rush"), 2, "{format:?}");
        // Moves have arrows: `B+2 A+2`, in which B is vertical.
        if format == PackFormat::Html {
            assert!(words.contains("B ↓ 2, A → 2"), "{words}");
        } else {
            assert_eq!(count("arrow"), (entries[0].moves + entries[1].moves) as usize);
        }
    }
}

#[test]
fn a_pdf_has_one_page_per_six_cards_and_one_for_solutions() {
    let seven = vec![entry(SMALL); 7];
    for (entries, pages) in [(&seven[..1], 2), (&seven[..6], 2), (&seven[..], 3), (&[][..], 0)] {
        let pdf = PackFormat::Pdf.write(entries, "a title");
        assert!(pdf.starts_with(b"%PDF-") && pdf.ends_with(b"%%EOF"));
        let text = String::from_utf8_lossy(&pdf);
        assert_eq!(text.matches("/Type/Page/").count(), pages);
        assert!(text.contains("/BaseFont/Helvetica-Bold"));
    }
}

/// Returns the contents of the pages of a PDF, whose page size is as given.
fn pages(pdf: &[u8], width: u32, height: u32) -> String {
    let text = String::from_utf8_lossy(pdf);
    let size = format!("/MediaBox[0 0 {width} {height}]");
    assert_eq!(text.matches("/Type/Page/").count(), text.matches(&size).count(), "{size}: {text:.3000}");
    let find =
        |from: usize, word: &[u8]| pdf[from..].windows(word.len()).position(|part| part == word).map(|at| from + at);
    let mut contents = String::new();
    let mut at = 0;
    while let Some(start) = find(at, b">>\nstream\n") {
        let end = find(start, b"\nendstream").unwrap();
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&pdf[start + 10..end]).unwrap();
        contents.extend(bytes.iter().map(|&byte| char::from(byte)));
        at = end;
    }
    contents
}

#[test]
fn cards_are_printed_on_a4_and_letter_in_colour_and_in_black_and_white() {
    let entries = vec![Entry { license: Some("CC0-1.0".to_owned()), ..entry(CARD) }; 3];
    for (paper, width, height) in [(Paper::A4, 595, 842), (Paper::Letter, 612, 792)] {
        for black_and_white in [false, true] {
            let printing = Printing { paper, black_and_white, ..Printing::default() };
            let contents = pages(&PackFormat::Pdf.print(&entries, "Cards", printing), width, height);
            // Colours have different parts; grey, black and white have three equal ones. A line may have more than one operator.
            let operands = |line: &str, count: usize| {
                let words: Vec<&str> = line.split(' ').rev().skip(1).take(count).collect();
                words.into_iter().rev().map(|word| word.parse().unwrap()).collect::<Vec<f32>>()
            };
            let is_grey = |line: &str| operands(line, 3).windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.1);
            let set_colours = contents.lines().filter(|line| line.ends_with(" rg") || line.ends_with(" RG"));
            let (grey, coloured): (Vec<&str>, Vec<&str>) = set_colours.partition(|line| is_grey(line));
            let (grey, coloured) = (grey.len(), coloured.len());
            assert!(grey > 20, "{grey}");
            assert_eq!(coloured == 0, black_and_white, "{coloured}");
            assert!(contents.contains("(Solutions)Tj"));
            let license = "Cards \u{b7} license: CC0-1.0";
            let license =
                license.chars().map(|letter| format!("{:02X}", u32::from(letter))).collect::<Vec<_>>().concat();
            assert_eq!(contents.matches(&format!("<{license}>Tj")).count(), 1, "{contents:.3000}");
            // Nothing lies outside the page.
            let places = contents.lines().filter(|line| line.ends_with(" Tm")).map(|line| operands(line, 6));
            for place in places {
                let (x, y) = (place[4], place[5]);
                assert!(x < width as f32 && y < height as f32, "{place:?}");
            }
        }
        let svg =
            String::from_utf8(PackFormat::Svg.print(&entries, "", Printing { paper, ..Printing::default() })).unwrap();
        assert!(svg.contains(&format!("width=\"{width}pt\"")), "{svg:.300}");
    }
}

#[test]
fn a_pdf_shows_accented_letters_and_reports_the_characters_that_it_lacks() {
    let mut named = entry(SMALL);
    named.name = Some("Žluťoučký kůň".to_owned());
    let entries = [named];
    let contents = pages(&PackFormat::Pdf.write(&entries, "Äpfel – für 5 €"), 595, 842);
    // Windows-1252, in which the fonts are encoded.
    let title = b"\xc4pfel \x96 f\xfcr 5 \x80".iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().concat();
    assert!(contents.contains(&format!("<{title}>Tj")), "{contents:.2000}");
    let missing = |format: PackFormat| format.missing_characters(&entries, "Äpfel λ").into_iter().collect::<String>();
    assert_eq!(missing(PackFormat::Pdf), "čňťůλ");
    assert_eq!(missing(PackFormat::Html), "");
}

#[test]
fn packs_of_large_boards_omit_unknown_values() {
    let order = order(9, 3..=5, 3, 7);
    let pack = gather(&order, 2, &Limits::default(), &|_| ());
    assert_eq!(pack.entries.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [3, 4, 5]);
    let mut solver = Solver::new();
    for entry in &pack.entries {
        assert_eq!((entry.states, entry.depth, entry.optimal_solutions, entry.decisions), (None, None, None, None));
        assert!(
            replay(&entry.board, &entry.solution.0).is_ok_and(|replay| replay.solved && replay.moves == entry.moves)
        );
        assert_eq!(solver.solve(&entry.board, Metric::Moves, &Limits::default()).lower_bound, entry.moves);
        assert_eq!(removable(&mut solver, &entry.board, &Limits::default()), Ok(vec![]));
        assert!(entry.human.extrapolates());
        let flipped = Entry::new(turn::flipped(&entry.board), &mut solver, &Limits::default()).unwrap();
        assert_eq!(flipped.id, entry.id, "the mirror image is the same puzzle");
        let mut moved = entry.board.legal_moves().into_iter().map(|mv| {
            let mut board = entry.board.clone();
            board.apply(mv).expect("a legal move");
            board
        });
        let other = moved.find(|board| !board.is_solved()).expect("a state that is not solved");
        assert_ne!(Entry::new(other, &mut solver, &Limits::default()).unwrap().id, entry.id, "another state is not");
    }
    assert_eq!(gather(&order, 1, &Limits::default(), &|_| ()), pack);
    let text = String::from_utf8(PackFormat::Jsonl.write(&pack.entries, "large")).unwrap();
    assert!(text.contains(r#""states":null,"depth":null,"optimal_solutions":null,"decisions":null"#), "{text}");
}
