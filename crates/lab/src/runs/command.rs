//! The command that repeats a run.

/// A command with options, as it is typed.
pub fn with_options(command: &str, options: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let words = options.into_iter().map(|(name, value)| format!(" --{name} {}", quoted(&value)));
    format!("{command}{}", words.collect::<String>())
}

/// A command with another value for an option: what repeats a run that went on for longer.
pub fn with_option(command: &str, name: &str, value: &str) -> String {
    let given = format!(" --{name} ");
    let (before, after) = match command.split_once(&given) {
        Some((before, rest)) => (before, rest.find(' ').map_or("", |end| &rest[end..])),
        None => (command, ""),
    };
    format!("{before}{given}{}{after}", quoted(value))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:+=%@,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_went_on_has_the_command_that_repeats_it() {
        let command = with_option("clearway evolve --budget 2M --seed 3", "budget", "5M");
        assert_eq!(command, "clearway evolve --budget 5M --seed 3");
        assert_eq!(with_option(&command, "generations", "9"), "clearway evolve --budget 5M --seed 3 --generations 9");
        assert_eq!(with_option("clearway evolve --budget 2M", "budget", "3m"), "clearway evolve --budget 3m");
    }
}
