//! The pictures: SVG and ANSI.

use clearway_rush::formats::{Format, ansi, read_one, svg};
use clearway_rush::{Board, Cells, Exit, Move, MoveError, Orientation, Side, Solution, Vehicle, labels};
use roxmltree::{Document, Node};
use svg::SvgOptions;

const JAM01: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
const JAM01_SOLUTION: &str = "B+1 D-1 F-1 G-3 C+3 H-2 E+2 A+3";

/// A board from its cells row by row.
fn board(width: usize, cells: &str, exit: &str) -> Board {
    let height = cells.chars().count() / width;
    read_one(&format!("{width}x{height}:{cells}@{exit}"), Some(Format::Line)).unwrap().board
}

fn jam01() -> Board {
    board(6, JAM01, "right")
}

fn moves(text: &str) -> Vec<Move> {
    text.parse::<Solution>().unwrap().0
}

fn boards_with_each_exit_side() -> [Board; 4] {
    [
        board(4, "....AA.B...B", "right"),
        board(4, "...BAA.B....", "left"),
        board(3, "...A..A..xBB", "top"),
        board(3, "BBxA..A.....", "bottom"),
    ]
}

/// The board with the most vehicles: 128 on 16x16.
fn fullest() -> Board {
    let spots = (0..16u8).flat_map(|y| (0..8u8).map(move |i| (i * 2, y)));
    let car = |((x, y), &label)| Vehicle { label, x, y, length: 2, orientation: Orientation::Horizontal };
    let vehicles = spots.zip(labels()).map(car).collect();
    Board::new(16, 16, Cells::default(), vehicles, Exit::Target(Side::Right)).unwrap()
}

fn with_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let class = format!("rush-{class}");
    let has = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class));
    document.descendants().filter(has).collect()
}

fn view_box(document: &Document<'_>) -> [f64; 2] {
    let numbers: Vec<f64> =
        document.root_element().attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    [numbers[2], numbers[3]]
}

/// Parses the `translate(x y)` of a node.
fn place(node: Node<'_, '_>) -> (f64, f64) {
    let text = node.attribute("transform").unwrap().strip_prefix("translate(").unwrap();
    let (x, y) = text.split_once(')').unwrap().0.split_once(' ').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}

/// Checks that every `href` and `url(...)` refers to an element, that ids are unique, and that there are no external resources.
fn assert_self_contained(picture: &str) {
    let document = Document::parse(picture).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let distinct: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len(), "duplicate id");
    for node in document.descendants() {
        for attribute in node.attributes() {
            let inside = attribute.value().strip_prefix("url(#").and_then(|v| v.strip_suffix(')'));
            let named = if attribute.name() == "href" { attribute.value().strip_prefix('#') } else { inside };
            assert!(attribute.name() != "href" || named.is_some(), "{attribute:?}");
            assert!(named.is_none_or(|id| ids.contains(&id)), "{attribute:?} refers to no element");
        }
    }
    assert_eq!(picture.matches("http").count(), 1, "the namespace is the only URL");
}

#[test]
fn a_picture_is_well_formed_with_one_element_per_vehicle() {
    let boards = boards_with_each_exit_side().into_iter().chain([jam01(), fullest(), board(2, "AA..", "right")]);
    for board in boards {
        let picture = svg::board(&board, &SvgOptions::default());
        assert_self_contained(&picture);
        let document = Document::parse(&picture).unwrap();
        let vehicles = with_class(&document, "vehicle");
        let drawn: Vec<&str> = vehicles.iter().map(|node| node.attribute("data-label").unwrap()).collect();
        let labels: Vec<String> = board.vehicles().iter().map(|v| v.label.to_string()).collect();
        assert_eq!(drawn, labels);
        assert_eq!(with_class(&document, "label").len(), labels.len());
        assert_eq!(with_class(&document, "brick").len(), board.walls().len());
        assert_eq!(document.root_element().attribute("role"), Some("img"));
    }
}

#[test]
fn vehicles_are_drawn_in_their_cells() {
    let board = jam01();
    let picture = svg::board(&board, &SvgOptions::default());
    let document = Document::parse(&picture).unwrap();
    let places: Vec<(f64, f64)> = with_class(&document, "vehicle").into_iter().map(place).collect();
    let (x0, y0) = (places[0].0 - f64::from(board.target().x) * 60.0, places[0].1 - f64::from(board.target().y) * 60.0);
    for (vehicle, (x, y)) in board.vehicles().iter().zip(places) {
        assert_eq!((x, y), (x0 + f64::from(vehicle.x) * 60.0, y0 + f64::from(vehicle.y) * 60.0), "{vehicle:?}");
    }
}

#[test]
fn the_frame_is_open_at_the_exit_on_every_side() {
    for board in boards_with_each_exit_side() {
        let side = board.exit().side();
        let picture = svg::board(&board, &SvgOptions::default());
        let document = Document::parse(&picture).unwrap();
        let exit = with_class(&document, "exit")[0];
        assert_eq!(exit.attribute("data-side"), Some(side.as_str()));
        // The frame starts and ends at the two sides of the gap.
        let frame = with_class(&document, "frame")[0].attribute("d").unwrap();
        let point = |text: &str| {
            let (x, y) = text.split_once(' ').unwrap();
            (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())
        };
        let start = point(frame.strip_prefix('M').unwrap().split('L').next().unwrap());
        let end = point(frame.rsplit('L').next().unwrap());
        let (left, top) = {
            let (x, y) = place(with_class(&document, "vehicle")[0]);
            (x - f64::from(board.target().x) * 60.0, y - f64::from(board.target().y) * 60.0)
        };
        let (right, bottom) = (left + f64::from(board.width()) * 60.0, top + f64::from(board.height()) * 60.0);
        let cell = f64::from(board.exit_line()) * 60.0 + 30.0;
        let middle = (start.0.midpoint(end.0), start.1.midpoint(end.1));
        let gap = (start.0 - end.0).abs() + (start.1 - end.1).abs();
        assert!((50.0..=60.0).contains(&gap), "{side:?}: a gap of {gap}");
        let (across, beyond) = match side {
            Side::Right => (middle.1 - top, middle.0 > right),
            Side::Left => (middle.1 - top, middle.0 < left),
            Side::Top => (middle.0 - left, middle.1 < top),
            Side::Bottom => (middle.0 - left, middle.1 > bottom),
        };
        assert!((across - cell).abs() < 1.0 && beyond, "{side:?}: the gap is at {middle:?}");
    }
}

#[test]
fn text_is_escaped_and_a_long_title_is_cut() {
    let title = "<b>\"R&D\" 'x'\u{0}\u{1b}\u{ffff}\n</title>";
    let options = SvgOptions { title: Some(title.to_owned()), ..SvgOptions::default() };
    for picture in [
        svg::board(&jam01(), &options),
        svg::strip(&jam01(), &[], &options).unwrap(),
        svg::animation(&jam01(), &[], &options).unwrap(),
    ] {
        let document = Document::parse(&picture).unwrap();
        let read = document.descendants().find(|node| node.has_tag_name("title")).unwrap().text().unwrap();
        assert_eq!(read, "<b>\"R&D\" 'x' </title>");
    }
    let long = SvgOptions { title: Some("word ".repeat(10_000)), ..SvgOptions::default() };
    let picture = svg::board(&board(2, "AA..", "right"), &long);
    let document = Document::parse(&picture).unwrap();
    let heading = with_class(&document, "ink")[0].text().unwrap();
    assert!(heading.chars().count() < 40 && heading.ends_with('…'), "{heading}");
}

#[test]
fn the_size_scales_with_the_cell_and_is_clamped() {
    let size = |cell| {
        let picture = svg::board(&jam01(), &SvgOptions { cell, ..SvgOptions::default() });
        let document = Document::parse(&picture).unwrap();
        let [width, height] =
            ["width", "height"].map(|name| document.root_element().attribute(name).unwrap().parse().unwrap());
        (width, height, view_box(&document))
    };
    let (width, height, [w, h]): (f64, f64, _) = size(60);
    assert_eq!((width, height), (w, h));
    assert_eq!((size(30).0, size(30).2), ((width / 2.0).round(), [w, h]));
    assert_eq!(size(0), size(4));
    assert_eq!(size(u16::MAX), size(400));
    let full = svg::board(&fullest(), &SvgOptions::default());
    assert!(full.len() < 200_000, "{} bytes", full.len());
}

#[test]
fn labels_can_be_left_out() {
    let options = SvgOptions { labels: false, ..SvgOptions::default() };
    let picture = svg::board(&jam01(), &options);
    let document = Document::parse(&picture).unwrap();
    assert!(with_class(&document, "label").is_empty());
    assert!(!with_class(&document, "stripe").is_empty(), "the target keeps its mark");
}

#[test]
fn a_strip_has_a_panel_for_every_move() {
    let path = moves(JAM01_SOLUTION);
    let picture = svg::strip(&jam01(), &path, &SvgOptions::default()).unwrap();
    assert_self_contained(&picture);
    let document = Document::parse(&picture).unwrap();
    assert_eq!(with_class(&document, "panel").len(), path.len() + 1);
    for class in ["ghost", "moved", "slide"] {
        assert_eq!(with_class(&document, class).len(), path.len(), "{class}");
    }
    assert_eq!(with_class(&document, "vehicle").len(), (path.len() + 1) * 8);
    assert_eq!(with_class(&document, "resting").len(), path.len() * 7);
    let captions: Vec<_> = with_class(&document, "caption").into_iter().map(|node| node.text().unwrap()).collect();
    assert_eq!(captions.join(" "), format!("start {JAM01_SOLUTION}"));
    // Panels are beside and below each other without overlap, inside the picture.
    let [width, height] = view_box(&document);
    let places: Vec<(f64, f64)> = with_class(&document, "panel").into_iter().map(place).collect();
    assert!(places.iter().all(|&(x, y)| x < width && y < height));
    let distinct: std::collections::HashSet<_> = places.iter().map(|(x, y)| (*x as i64, *y as i64)).collect();
    assert_eq!(distinct.len(), places.len());
}

#[test]
fn an_animation_moves_the_vehicles_and_drives_the_target_out() {
    let path = moves(JAM01_SOLUTION);
    let picture = svg::animation(&jam01(), &path, &SvgOptions::default()).unwrap();
    assert_self_contained(&picture);
    let document = Document::parse(&picture).unwrap();
    assert_eq!(with_class(&document, "vehicle").len(), 8);
    assert_eq!(picture.matches("@keyframes").count(), 8 + 1, "eight vehicles and the line of text");
    assert_eq!(picture.matches("opacity:0}").count(), 2, "the target is gone at the end");
    assert!(picture.contains("prefers-reduced-motion"));
    // A moves three cells to the exit and three more out of the picture.
    assert!(picture.contains("100%{transform:translateX(360px);opacity:0}"));
    let unsolved = svg::animation(&jam01(), &path[..3], &SvgOptions::default()).unwrap();
    assert_eq!(unsolved.matches("@keyframes").count(), 3 + 1);
    assert!(!unsolved.contains("opacity:0}"), "no vehicle leaves an unsolved board");
}

#[test]
fn impossible_moves_are_rejected() {
    let path = moves("B+1 A+3");
    let blocked = MoveError::Blocked { label: 'A', by: 'E', x: 3, y: 2 };
    assert_eq!(svg::strip(&jam01(), &path, &SvgOptions::default()), Err(blocked));
    assert_eq!(svg::animation(&jam01(), &path, &SvgOptions::default()), Err(blocked));
}

#[test]
fn a_board_in_the_terminal_without_colour() {
    let walls = board(6, "xBBCCD..EFFDAAE.G.xHIIG..H.JKK...JLL", "right");
    insta::assert_snapshot!(ansi::board(&walls, false));
}

#[test]
fn a_board_in_the_terminal_with_colour() {
    let small = board(4, "..xBAA.B....", "right");
    insta::assert_snapshot!(ansi::board(&small, true).replace('\x1b', "␛"));
}

#[test]
fn terminal_pictures_are_aligned_on_every_side_and_in_every_script() {
    use unicode_width::UnicodeWidthStr;
    for board in boards_with_each_exit_side().into_iter().chain([board(4, "車車..AA.B...B", "right"), fullest()]) {
        let plain = ansi::board(&board, false);
        assert!(!plain.contains('\x1b'));
        let (mut frame, lines) = (None, plain.lines().collect::<Vec<_>>());
        let side = board.exit().side();
        let extra = usize::from(matches!(side, Side::Top | Side::Bottom));
        assert_eq!(lines.len(), board.height() as usize * 2 + 1 + extra);
        for line in lines.iter().filter(|line| line.ends_with(['┃', '┨', '┓', '┛', '┫'])) {
            assert_eq!(*frame.get_or_insert(line.width()), line.width(), "{plain}");
        }
        let arrow = ['→', '←', '↑', '↓'][Side::ALL.iter().position(|&s| s == side).unwrap()];
        assert_eq!(plain.matches(arrow).count(), 2, "one in the exit, one on the target\n{plain}");
        // Without its escape sequences, the coloured picture shows the same labels.
        let coloured = ansi::board(&board, true);
        let bare: String = coloured
            .split('\x1b')
            .enumerate()
            .map(|(i, s)| if i == 0 { s } else { s.split_once('m').unwrap().1 })
            .collect();
        for vehicle in board.vehicles() {
            assert_eq!(bare.matches(vehicle.label).count(), 1, "{bare}");
        }
        assert!(
            coloured.lines().all(|line| !line.contains('\x1b') || line.contains("\x1b[0m")),
            "styles end with lines"
        );
    }
}

#[test]
fn a_label_without_width_is_shown_as_a_question_mark() {
    let combining = board(3, "AA.\u{345}\u{345}.", "right");
    let picture = ansi::board(&combining, false);
    assert!(picture.contains('?') && !picture.contains('\u{345}'), "{picture}");
    Document::parse(&svg::board(&combining, &SvgOptions::default())).unwrap();
}
