//! Commands that repeat a run.

/// Returns a command line with options, quoted for a shell where necessary.
pub fn with_options(command: &str, options: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let options = options.into_iter().map(|(name, value)| format!(" --{name} {}", quoted(&value)));
    format!("{command}{}", options.collect::<String>())
}

/// Returns a command line with the value of an option replaced, or the option added: the command that repeats a run that was
/// resumed with another value.
pub fn with_option(command: &str, name: &str, value: &str) -> String {
    let given = format!(" --{name} ");
    let (before, after) = match command.split_once(&given) {
        Some((before, rest)) => (before, rest.find(' ').map_or("", |end| &rest[end..])),
        None => (command, ""),
    };
    format!("{before}{given}{}{after}", quoted(value))
}

/// Quotes a word for a shell if necessary.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:+=%@,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_replaced_or_added() {
        let command = with_option("clearway evolve --budget 2M --seed 3", "budget", "5M");
        assert_eq!(command, "clearway evolve --budget 5M --seed 3");
        assert_eq!(with_option(&command, "generations", "9"), "clearway evolve --budget 5M --seed 3 --generations 9");
        assert_eq!(with_option("clearway evolve --budget 2M", "budget", "3m"), "clearway evolve --budget 3m");
    }
}
