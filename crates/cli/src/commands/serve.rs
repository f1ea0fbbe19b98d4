//! `clearway serve`: runs the web server.

use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::output::{Context, write_stderr};
use crate::quantity::parse_size;
use clap::{Args, ValueEnum};
use clearway_web::{AccessToken, Network, ServeError, Server, ServerConfig, StoreError};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tracing_subscriber::filter::LevelFilter;

/// Default time limit of a search.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);
/// Nice value of long searches and of runs of evolution.
const LONG_NICE: i32 = 10;
/// How often to check for Ctrl-C.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Serve the web page: play, edit, generate, explore, compare, watch evolution
///
/// Serves the page and its JSON API until Ctrl-C, only to this machine unless --host is given. Packs, results and evolution
/// runs are stored in the data folder. --time-limit applies to each search, --memory to everything that the server does at
/// the same time, and --threads is the number of short searches in parallel.
///
/// Prints the address of the page, or with --json an object with the address.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway serve                         the page at http://127.0.0.1:8080
  clearway serve --open                  also open it in the browser
  clearway serve --port 0                on any free port
  clearway serve --host 0.0.0.0          for all machines on the network
  clearway serve --data ~/puzzles        store packs and results there
  curl http://127.0.0.1:8080/api/v1/solve --json '{\"board\": \"4x4:.B...BAA........\"}'")]
pub struct ServeArgs {
    /// Port to listen on; 0 for any free port
    #[arg(short, long, default_value_t = 8080)]
    pub port: u16,

    /// Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for all machines
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,

    /// Folder for packs, results and runs [default: clearway in the user's data folder]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Maximum size of the database in the data folder, and separately of the evolution runs: 300M, 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub data_limit: usize,

    /// Host name of the server, in addition to its addresses and localhost; can be repeated
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,

    /// Token that every request must have: 16 to 128 letters, digits, - or _
    ///
    /// The printed address then includes the token and opens the page. Other programs send the header
    /// `Authorization: Bearer TOKEN`. The environment variable keeps the token out of the process list.
    #[arg(long, env = "CLEARWAY_TOKEN", hide_env_values = true)]
    pub token: Option<AccessToken>,

    /// Maximum number of connections per client (IP address)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), default_value_t = 128)]
    pub client_connections: u16,

    /// Log level on stderr; requests are logged at level debug
    #[arg(long, value_name = "LEVEL", env = "CLEARWAY_LOG", default_value = "info")]
    pub log: LogLevel,

    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}

/// The log level: messages of this level and of those before it are logged.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LogLevel {
    /// Nothing
    Off,
    /// Internal errors
    Error,
    /// Requests that fail with a server error, and other warnings
    Warn,
    /// Same as warn
    Info,
    /// Every request and every connection error
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

/// Runs the server until Ctrl-C.
pub fn run(args: &ServeArgs, context: &Context) -> CommandResult {
    crate::algorithms::reject_zero_limits(context)?;
    if context.global.node_limit.is_some() {
        return Err(Failure::usage("--node-limit is not supported by serve", "set node_limit in each request instead"));
    }
    context.interrupt.extend_grace();
    init_log(args, context);
    // A panic fails only its own request.
    std::panic::set_hook(Box::new(|panic| tracing::error!("internal error: {panic}")));
    let config = ServerConfig {
        host: args.host,
        port: args.port,
        data: args.data.clone().map_or_else(default_data, Ok)?,
        data_limit: args.data_limit as u64,
        allowed_hosts: args.allow_host.clone(),
        token: args.token.clone(),
        threads: context.threads(),
        time_limit: context.global.time_limit.unwrap_or(DEFAULT_TIME_LIMIT),
        memory: context.global.memory,
        nice: LONG_NICE,
        network: Network { client_connections: args.client_connections.into(), ..Network::default() },
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| failure(&ServeError::Start(error)))?;
    runtime.block_on(async {
        let server = Server::bind(config).await.map_err(|error| failure(&error))?;
        announce(server.address(), args, context)?;
        let stop = async {
            while !context.interrupt.is_raised() {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            context.note("finishing the requests in progress");
        };
        server.run(stop).await.map_err(|error| failure(&error))
    })?;
    // Do not wait for threads that still search for closed requests.
    runtime.shutdown_background();
    Ok(ExitCode::Done)
}

/// Starts logging to stderr. A program that calls the command again keeps its first log.
fn init_log(args: &ServeArgs, context: &Context) {
    let level = if context.global.quiet { LevelFilter::ERROR } else { args.log.into() };
    let log = tracing_subscriber::fmt().with_max_level(level).with_target(false).with_ansi(context.stderr_colour());
    let _ = log.log_internal_errors(false).with_writer(|| StderrWriter).try_init();
}

/// Writes the log to stderr.
struct StderrWriter;

impl Write for StderrWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_stderr(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints the address of the page, and opens it in the browser if requested.
fn announce(address: SocketAddr, args: &ServeArgs, context: &Context) -> Result<(), Failure> {
    if !address.ip().is_loopback() {
        let who = if args.token.is_some() { "every client with the token" } else { "every client" };
        let advice = if args.token.is_some() { "" } else { "; set --token or CLEARWAY_TOKEN to require a token" };
        tracing::warn!("listening on {address}: {who} on the network can use this server{advice}");
    }
    // A server that listens on all addresses is reachable at this one.
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
    context.note("press Ctrl-C to stop");
    if args.open {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let quietly =
            Command::new(opener).arg(&url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        if quietly.is_err() {
            context.note(&format!("cannot open a browser; open {url} yourself"));
        }
    }
    Ok(())
}

/// Returns the default data folder: `clearway` in the user's data folder.
fn default_data() -> Result<PathBuf, Failure> {
    let folder = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")));
    data.map(|data| data.join("clearway")).ok_or_else(|| {
        Failure::usage("no data folder: neither XDG_DATA_HOME nor HOME is set", "pass one with --data DIR")
    })
}

fn failure(error: &ServeError) -> Failure {
    let help = match error {
        ServeError::Listen { .. } => "use another --port, or 0 for any free port",
        ServeError::Store(StoreError::Folder { .. }) => "pass a writable folder with --data DIR",
        ServeError::Store(StoreError::InUse(_)) => "use that server, or pass another folder with --data DIR",
        ServeError::Store(StoreError::NewerVersion { .. }) => {
            "use a newer clearway, or pass another folder with --data DIR"
        }
        ServeError::Store(StoreError::Database { .. }) => {
            "restore the file from a backup, or remove it to start with an empty database"
        }
        ServeError::Start(_) => "check that the machine has free memory and threads",
        _ => return Failure::bad_input(miette::miette!("{error}")),
    };
    Failure::Report(ExitCode::BadInput, message_with_help(error.to_string(), help))
}
