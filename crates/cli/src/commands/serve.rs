//! `clearway serve`: the page.

use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::output::{Context, write_stderr};
use crate::quantity::parse_bytes;
use clap::{Args, ValueEnum};
use clearway_web::{Config, Network, ServeError, Server, StoreError, Token};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tracing_subscriber::filter::LevelFilter;

/// The longest time of a search if nothing else is said.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Open the page: play, edit, make, explore, compare, watch evolution
///
/// Serves the page and its JSON API until Ctrl-C, for this machine alone unless --host says otherwise. Everything that
/// is remembered (packs, results, runs of evolution) is kept in the data folder. --time-limit is that of any one search,
/// --memory that of everything the server does at a time, --threads the number of quick searches at a time.
///
/// Prints the address of the page, or with --json an object with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway serve                         the page at http://127.0.0.1:8080
  clearway serve --open                  and open it in the browser
  clearway serve --port 0                at any port that is free
  clearway serve --host 0.0.0.0          for all machines of the network
  clearway serve --data ~/puzzles        keep packs and results there
  curl http://127.0.0.1:8080/api/v1/solve --json '{\"board\": \"4x4:.B...BAA........\"}'")]
pub struct ServeArgs {
    /// The port to listen at; 0 for any that is free
    #[arg(short, long, default_value_t = 8080)]
    pub port: u16,

    /// The address to listen at: 127.0.0.1 for this machine, 0.0.0.0 for all
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,

    /// The folder for packs, results and runs [default: clearway in the user's folder for data]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Maximum size of the database in the data folder, and as much again for runs of evolution: 300M, 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "1G")]
    pub data_limit: usize,

    /// A name that the server is reached by, beside its addresses and localhost; may be given many times
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,

    /// Require this token of every request: 16 to 128 letters, digits, - or _
    ///
    /// The address that is printed then holds the token, and opens the page. Other programs send the header
    /// `Authorization: Bearer TOKEN`. The variable keeps the token out of the list of processes.
    #[arg(long, env = "CLEARWAY_TOKEN", hide_env_values = true)]
    pub token: Option<Token>,

    /// Maximum number of connections of one client (IP address)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), default_value_t = 128)]
    pub client_connections: u16,

    /// What to log on stderr; requests are logged at the level debug
    #[arg(long, value_name = "LEVEL", env = "CLEARWAY_LOG", default_value = "info")]
    pub log: LogLevel,

    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}

/// What is logged: this level and those before it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LogLevel {
    /// Nothing
    Off,
    /// Faults of the server
    Error,
    /// What may need attention
    Warn,
    /// The beginning and the end
    Info,
    /// Every request
    Debug,
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> LevelFilter {
        match level {
            LogLevel::Off => LevelFilter::OFF,
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        }
    }
}

/// Serves.
pub fn run(args: &ServeArgs, context: &Context) -> Outcome {
    crate::algorithms::refuse_zero_limits(context)?;
    if context.global.node_limit.is_some() {
        return Err(Failure::usage("--node-limit has no meaning here", "each request may bring its own node_limit"));
    }
    context.interrupt.ends_by_itself();
    log(args, context);
    // A request that meets a fault of the program is told so; the others shall not notice.
    std::panic::set_hook(Box::new(|panic| tracing::error!("internal error: {panic}")));
    let config = Config {
        host: args.host,
        port: args.port,
        data: args.data.clone().map_or_else(default_data, Ok)?,
        data_limit: args.data_limit as u64,
        allowed_hosts: args.allow_host.clone(),
        token: args.token.clone(),
        threads: context.threads(),
        time_limit: context.global.time_limit.unwrap_or(TIME_LIMIT),
        memory: context.global.memory,
        network: Network { client_connections: args.client_connections.into(), ..Network::default() },
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| failure(&ServeError::Start(error)))?;
    runtime.block_on(async {
        let server = Server::bind(config).await.map_err(|error| failure(&error))?;
        tell(server.address(), args, context)?;
        let stop = async {
            while !context.interrupt.is_raised() {
                tokio::time::sleep(LOOK).await;
            }
            context.note("finishing what runs");
        };
        server.run(stop).await.map_err(|error| failure(&error))
    })?;
    // A thread may still be in the middle of a search that nobody waits for.
    runtime.shutdown_background();
    Ok(ExitCode::Done)
}

/// Logs to stderr from now on. A program that serves a second time keeps its first log.
fn log(args: &ServeArgs, context: &Context) {
    let level = if context.global.quiet { LevelFilter::ERROR } else { args.log.into() };
    let log = tracing_subscriber::fmt().with_max_level(level).with_target(false).with_ansi(context.stderr_colour());
    let _ = log.log_internal_errors(false).with_writer(|| Stderr).try_init();
}

/// Stderr as a place for the log.
struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_stderr(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says where the page is, and opens it.
fn tell(address: SocketAddr, args: &ServeArgs, context: &Context) -> Result<(), Failure> {
    if !address.ip().is_loopback() {
        let who = if args.token.is_some() { "whoever has the token" } else { "everybody" };
        let advice = if args.token.is_some() { "" } else { "; --token or CLEARWAY_TOKEN requires a token" };
        tracing::warn!("listening at {address}: {who} in the network may use this server{advice}");
    }
    // Who listens at all addresses is reached at this one.
    let host = if address.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { address.ip() };
    let token = args.token.as_ref().map_or(String::new(), |token| format!("/?token={}", token.as_str()));
    let url = format!("http://{}{token}", SocketAddr::new(host, address.port()));
    let mut out = context.stdout();
    if context.global.json {
        writeln!(out, "{}", serde_json::json!({ "url": url }))?;
    } else {
        writeln!(out, "{url}")?;
    }
    out.flush()?;
    context.note("Ctrl-C ends it");
    if args.open {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let quietly =
            Command::new(opener).arg(&url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        if quietly.is_err() {
            context.note(&format!("no browser could be opened: open {url} yourself"));
        }
    }
    Ok(())
}

/// The folder that the system has for data of programs.
fn default_data() -> Result<PathBuf, Failure> {
    let folder = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")));
    data.map(|data| data.join("clearway"))
        .ok_or_else(|| Failure::usage("there is no folder for data", "give one: clearway serve --data DIR"))
}

fn failure(error: &ServeError) -> Failure {
    let help = match error {
        ServeError::Listen { .. } => "give another --port, or 0 for any that is free",
        ServeError::Store(StoreError::Folder { .. }) => "give a folder that can be written: --data DIR",
        ServeError::Store(StoreError::Taken(_)) => "use that server, or give another folder: --data DIR",
        ServeError::Store(StoreError::Newer { .. }) => "use a newer clearway, or give another folder: --data DIR",
        ServeError::Store(StoreError::Database { .. }) => {
            "bring the file back from a backup, or take it away to begin anew"
        }
        ServeError::Start(_) => "see that the machine has memory and threads left",
    };
    Failure::Report(ExitCode::BadInput, message_with_help(error.to_string(), help))
}
