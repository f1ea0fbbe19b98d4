//! The chapters of the book, which the page shows.

/// The embedded text of chapters, each with its name.
macro_rules! chapters {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!(env!("CLEARWAY_BOOK"), "/", $name, ".md")))),*]
    };
}

/// All chapters, in their order.
const CHAPTERS: &[(&str, &str)] = chapters! {
    "introduction" "getting-started" "playing" "screenshots" "solving" "boards" "formats" "pictures" "pddl" "suites" "verifying" "proving" "comparing" "HEURISTICS" "policies" "evolving" "measuring" "statistics" "reproducing" "grading" "generating" "packs" "shipping" "climbing" "records" "catalogue" "tiles" "tiles-evolving" "server" "hosting" "cluster" "library" "python" "gymnasium" "portfolio" "exact-solver" "benchmarks" "fuzzing" "RESULTS" "SCALE" "ARCHITECTURE" "glossary"
};

/// Returns the Markdown of a chapter.
pub fn chapter(name: &str) -> Option<&'static str> {
    CHAPTERS.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_of_the_summary_is_embedded() {
        let summary = include_str!(concat!(env!("CLEARWAY_BOOK"), "/SUMMARY.md"));
        let listed = summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(".md)"));
        let embedded: Vec<&str> = CHAPTERS.iter().map(|(name, _)| *name).collect();
        assert_eq!(embedded, listed.collect::<Vec<_>>());
    }
}
