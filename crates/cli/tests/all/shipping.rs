//! The game in the chapter "Shipping a pack in your game", run by Node.

#![cfg(unix)] // the commands of the chapter are for a POSIX shell

use crate::docs::{commands, documents, run};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Writes the files of the chapter into a folder, and returns the commands that make its pack.
fn write_game(folder: &Path) -> Vec<String> {
    let documents = documents();
    let chapter = documents.iter().find(|document| document.name() == "docs/shipping.md").unwrap();
    let blocks = chapter.parts().0;
    let mut files = Vec::new();
    for block in &blocks {
        if let Some(name) = block.file() {
            fs::write(folder.join(name), block.text()).unwrap();
            files.push(name);
        }
    }
    assert_eq!(files, ["game.mjs", "index.html", "page.mjs"]);
    fs::write(folder.join("test.mjs"), include_str!("shipping.mjs")).unwrap();
    blocks.iter().filter(|block| block.words == ["sh"]).flat_map(commands).collect()
}

#[test]
#[ignore = "needs Node: ./check runs it"]
fn the_game_in_the_book_plays_every_pack() {
    let folder = TempDir::new().unwrap();
    let chapter = write_game(folder.path());
    let packs = [
        chapter.join("\n"),
        "clearway forge pack --size 5x6 --exit top --walls 3 --count 3 --from 3 --to 6 --out pack.jsonl".to_owned(),
        "clearway forge pack --size 6x4 --exit left --line 0 --count 3 --from 3 --to 6 --out pack.jsonl".to_owned(),
        "clearway forge pack --size 9 --exit bottom --count 2 --from 3 --to 4 --out pack.jsonl".to_owned(),
        // Any vehicle of the exit's line may leave.
        "clearway forge merge --suite traffic-jam --out pack.jsonl".to_owned(),
    ];
    for (command, least) in packs.iter().zip([8, 3, 3, 2, 3]) {
        let (code, text) = run(command, folder.path());
        assert_eq!(code, 0, "{command}\n{text}");
        let (code, text) = run("node test.mjs", folder.path());
        assert_eq!(code, 0, "{command}\n{text}");
        let solved: usize = text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        assert!(solved >= least && text.ends_with(" puzzles solved\n"), "{command}\n{text}");
    }
}

#[test]
#[ignore = "needs Node: ./check runs it"]
fn a_wrong_game_is_detected() {
    let folder = TempDir::new().unwrap();
    write_game(folder.path());
    let command = "clearway forge pack --size 5 --count 3 --from 4 --to 6 --seed 7 --out pack.jsonl";
    assert_eq!(run(command, folder.path()).0, 0);
    let game = fs::read_to_string(folder.path().join("game.mjs")).unwrap();
    let faults = [
        ("this.isTaken(x, y)) return false", "false) return false"),
        ("x + length === this.width", "x + length === this.width - 1"),
        ("step <= Math.abs(by)", "step <= 1"),
        ("across: vehicle.y === y", "across: true"),
    ];
    for (right, wrong) in faults {
        assert_eq!(game.matches(right).count(), 1, "{right}");
        fs::write(folder.path().join("game.mjs"), game.replace(right, wrong)).unwrap();
        assert_ne!(run("node test.mjs", folder.path()).0, 0, "{wrong}");
    }
}
