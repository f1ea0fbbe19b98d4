//! The search options of `clearway evolve`, generated from the search specification.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use clearway_policy::training::{PolicySearch, PolicySearchError};
use clearway_search::spec::OptionKind;

/// The search that policies guide, as given on the command line.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchArgs {
    /// An expression or a short name.
    search: Option<String>,
    /// Options by name, as given.
    options: Vec<(&'static str, String)>,
}

impl SearchArgs {
    /// Returns a search with the given changes.
    pub(super) fn apply(&self, search: &PolicySearch) -> Result<PolicySearch, PolicySearchError> {
        let options: Vec<(&str, &str)> = self.options.iter().map(|(name, value)| (*name, value.as_str())).collect();
        search.with(self.search.as_deref(), &options)
    }

    /// Returns the given values, by option name.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, String)> {
        let search = self.search.as_ref().map(|search| ("search", search.clone()));
        search.into_iter().chain(self.options.iter().cloned())
    }
}

impl Args for SearchArgs {
    fn augment_args(command: Command) -> Command {
        let short = PolicySearch::short_names().collect::<Vec<_>>().join(", ");
        let search = Arg::new("search").long("search").value_name("SEARCH").conflicts_with("resume").help(format!(
            "Search that policies guide: one of {short}, which keep the other settings, or an expression such as \
             'wastar(policy, weight=2)'"
        ));
        PolicySearch::options().into_iter().fold(command.arg(search), |command, (name, kind, about, algorithms)| {
            let mut about = about.to_owned();
            about[..1].make_ascii_uppercase();
            let help = format!("{about} ({})", algorithms.join(", "));
            let value = match kind {
                OptionKind::YesNo => "YES|NO".to_owned(),
                OptionKind::Word(words) => words.join("|").to_uppercase(),
                _ => "N".to_owned(),
            };
            command.arg(Arg::new(name).long(name).value_name(value).conflicts_with("resume").help(help))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        SearchArgs::augment_args(command)
    }
}

impl FromArgMatches for SearchArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SearchArgs, Error> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let options = PolicySearch::options().into_iter().filter_map(|(name, ..)| Some((name, text(name)?)));
        Ok(SearchArgs { search: text("search"), options: options.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SearchArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
