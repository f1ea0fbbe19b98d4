//! Template of self-contained HTML pages, with a light and a dark theme.

use clearway_util::text::escape_xml;

/// Returns a complete page, which is also well-formed XML. The title is escaped; the body is HTML.
pub fn page(title: &str, body: &str) -> String {
    let title = escape_xml(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1d2129; --soft: #5b6472; --line: #d8dce3; --back: #ffffff; --band: #f4f6f9;
  --s0: #2563b0; --s1: #c2500f; --s2: #23803c; --s3: #8d3fa8; --s4: #9a7400; --s5: #0f7f88; --s6: #b3265b; --s7: #59606b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --soft: #a3acba; --line: #3a414d; --back: #14171c; --band: #1d2128;
    --s0: #74b0ff; --s1: #ff9a5c; --s2: #6fd08c; --s3: #d594ee; --s4: #e3bd4a; --s5: #5fd0d8; --s6: #ff84ab; --s7: #aab3c0; } }
body { margin: 2rem auto; padding: 0 1rem; max-width: 76rem; color: var(--ink); background: var(--back);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
p, li { max-width: 46rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
thead th { color: var(--soft); font-weight: 600; }
tbody tr:nth-child(even) { background: var(--band); }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; } svg { max-width: 100%; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); } svg .grid { stroke: var(--line); stroke-width: 1; }
svg .axis { stroke: var(--soft); stroke-width: 1; } svg .title { font-weight: 600; font-size: 13px; }
svg .diagonal { stroke: var(--soft); stroke-dasharray: 4 4; }
svg .curve { fill: none; stroke-width: 2; }
svg .mark { fill: none; stroke: var(--soft); stroke-width: 1; }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); }
.s4 { --c: var(--s4); } .s5 { --c: var(--s5); } .s6 { --c: var(--s6); } .s7 { --c: var(--s7); }
svg .fill { fill: var(--c); } svg .stroke { stroke: var(--c); }
svg .dot { fill: var(--c); fill-opacity: .65; }
svg .band { fill: var(--c); fill-opacity: .16; }
svg .place { fill: transparent; } svg .place:hover { fill: var(--soft); fill-opacity: .15; }
pre { padding: .8rem 1rem; overflow-x: auto; background: var(--band); border: 1px solid var(--line); border-radius: 6px;
  font: .875rem/1.5 ui-monospace, monospace; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.facts li { padding: .6rem 1rem; min-width: 7rem; background: var(--band); border: 1px solid var(--line); border-radius: 6px; }
.facts b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; } .facts span { color: var(--soft); font-size: .875rem; }
tbody tr.ours td { font-weight: 600; }
.drawing { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_escaped() {
        let text = page("<a & \"b\"\u{1}>", "<p>x</p>\n");
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
        let heading = document.descendants().find(|node| node.has_tag_name("h1")).unwrap();
        assert_eq!(heading.text(), Some("<a & \"b\">"));
    }
}
