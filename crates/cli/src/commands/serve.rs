//! `clearway serve`: the page.

use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::output::Context;
use clap::Args;
use clearway_web::{Config, ServeError, Server, StoreError};
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The longest time of a search if nothing else is said.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Open the page: play, edit, make, explore, compare, watch evolution
///
/// Serves the page and its JSON API until Ctrl-C, for this machine alone unless --host says otherwise. Everything that
/// is remembered (packs, results, runs of evolution) is kept in the data folder. --time-limit and --memory are those of
/// any one search and of all searches together, --threads the number of quick searches at a time.
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

    /// A name that the server is reached by, beside its addresses and localhost; may be given many times
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,

    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}

/// Serves.
pub fn run(args: &ServeArgs, context: &Context) -> Outcome {
    crate::algorithms::refuse_zero_limits(context)?;
    if context.global.node_limit.is_some() {
        return Err(Failure::usage("--node-limit has no meaning here", "each request may bring its own node_limit"));
    }
    context.interrupt.ends_by_itself();
    // A request that meets a fault of the program is told so; the others shall not notice.
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(std::io::stderr(), "clearway: internal error: {panic}");
    }));
    let config = Config {
        host: args.host,
        port: args.port,
        data: args.data.clone().map_or_else(default_data, Ok)?,
        allowed_hosts: args.allow_host.clone(),
        threads: context.threads(),
        time_limit: context.global.time_limit.unwrap_or(TIME_LIMIT),
        memory: context.global.memory,
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

/// Says where the page is, and opens it.
fn tell(address: SocketAddr, args: &ServeArgs, context: &Context) -> Result<(), Failure> {
    // Who listens at all addresses is reached at this one.
    let host = if address.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { address.ip() };
    let url = format!("http://{}", SocketAddr::new(host, address.port()));
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
