//! A builder for runs of the program, shared by all tests.

#[cfg(unix)]
pub mod stopped_runs;

#[cfg(unix)]
use rustix::process::{Pid, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use tempfile::TempDir;

#[cfg(unix)]
pub use rustix::process::Signal;

/// The first card: 8 moves, 16 steps.
pub const JAM01: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
/// A solution of the first card.
pub const JAM01_SOLUTION: &str = "G-3 C+3 B+1 D-1 F-1 H-2 E+2 A+3";
/// B can slide, but always blocks the row of the exit.
pub const UNSOLVABLE: &str = "4x3:...BAA.B....";
/// A board with solutions, none of which is proven optimal within minutes.
pub const ENDLESS: &str = "11x11:.DDVbaaa.SSff.Vbpucccm.CCCHpu.YYmZZllHqBIIIUvvddtqBEjjUAAhstiBE..UNrhseiGOkQPNrFFe.GOkQP.TT.eMM.kQ.JJ.LLX.KRRRgggnnX.KWW.";

/// A board of the suite `course` whose optimum in steps is not known.
pub const OPEN_IN_STEPS: &str = "12x12:B.....CDDDEEB....FC...GHIIIJJFKLL.GHMN...OKPPQQ.MNRRROKSSS..MNAATU......VVVWTUXY.ZaabbbWccXY.ZddeefgggXhhh.i..fjjjk.llmi......k..nmp.qqrrrkssnmp";

/// A run of `clearway`.
pub struct Run {
    command: Command,
    stdin: Vec<u8>,
    folder: TempDir,
}

/// Returns a run of `clearway` in a new empty directory, with empty stdin.
pub fn clearway(args: &[&str]) -> Run {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_clearway"));
    command.args(args).current_dir(folder.path());
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    Run { command, stdin: Vec::new(), folder }
}

impl Run {
    pub fn stdin(mut self, text: impl Into<Vec<u8>>) -> Run {
        self.stdin = text.into();
        self
    }

    /// Writes a file into the working directory of the command.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Run {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Run {
        self.command.env(name, value);
        self
    }

    /// Limits the size of files, in blocks of the shell, to simulate a full disk.
    #[cfg(unix)]
    pub fn on_full_disk(self, blocks: u32) -> Run {
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command.args(["-c", &script]).arg(self.command.get_program()).args(self.command.get_args());
        command.current_dir(self.folder.path());
        Run { command, ..self }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts the command with pipes on all three streams. The directory exists as long as the second value.
    pub fn spawn(mut self) -> (std::process::Child, TempDir) {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        (self.command.spawn().unwrap(), self.folder)
    }

    /// Runs the command to its end.
    pub fn done(self) -> Done {
        let input = self.stdin.clone();
        let (mut child, folder) = self.spawn();
        let mut stdin = child.stdin.take().unwrap();
        // A command that needs no more input may close the pipe.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Done::new(output, folder)
    }
}

/// The output and the exit code of a run.
pub struct Done {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    folder: TempDir,
}

impl Done {
    fn new(output: Output, folder: TempDir) -> Done {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
        let code = output.status.code().expect("the process was not killed");
        Done { code, stdout: text(output.stdout), stderr: text(output.stderr), folder }
    }

    #[track_caller]
    pub fn code(self, expected: i32) -> Done {
        assert_eq!(self.code, expected, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Done {
        assert!(self.stdout.contains(text), "'{text}' is not in stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub fn complains(self, text: &str) -> Done {
        assert!(self.stderr.contains(text), "'{text}' is not in stderr:\n{}", self.stderr);
        self
    }

    /// Checks that stderr is empty.
    #[track_caller]
    pub fn quietly(self) -> Done {
        assert_eq!(self.stderr, "");
        self
    }

    /// Checks that stdout is empty.
    #[track_caller]
    pub fn without_data(self) -> Done {
        assert_eq!(self.stdout, "");
        self
    }

    /// Parses every line of stdout as JSON.
    #[track_caller]
    pub fn records(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// Parses the only line of stdout as JSON, and checks that it has exactly these fields in this order.
    #[track_caller]
    pub fn record_of(&self, fields: &[&str]) -> serde_json::Value {
        let places: Vec<usize> =
            fields.iter().map(|field| self.stdout.find(&format!("\"{field}\":")).expect(field)).collect();
        assert!(places.is_sorted(), "{}", self.stdout);
        let records = self.records();
        let [record] = &records[..] else { panic!("{}", self.stdout) };
        assert_eq!(record.as_object().unwrap().len(), fields.len());
        record.clone()
    }

    /// Reads a file in the working directory.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).expect(name)
    }

    /// Returns the bytes of a file in the working directory.
    pub fn read_bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(name)).expect(name)
    }

    /// Returns the sorted names of the files in the working directory, including hidden ones.
    pub fn listing(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Parses the log of a run, without times and checksums.
pub fn timeless(log: &str) -> Vec<serde_json::Value> {
    let line = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect(line);
        line["seconds"].take();
        line["crc"].take();
        line
    };
    log.lines().map(line).collect()
}

/// Reads this number of lines from the stdout of a child.
pub fn lines(child: &mut Child, count: usize) -> BufReader<ChildStdout> {
    let mut out = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..count {
        out.read_line(&mut String::new()).unwrap();
    }
    out
}

/// Sends a signal to a child.
#[cfg(unix)]
pub fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits until a child has used some processor time from now on, however loaded the machine is.
#[cfg(target_os = "linux")]
pub fn wait_for_work(child: &Child) {
    let path = format!("/proc/{}/stat", child.id());
    let ticks = || -> u64 {
        let text = std::fs::read_to_string(&path).unwrap();
        // The name, in parentheses, may contain spaces; the user time is the twelfth field after it.
        text.rsplit_once(')').unwrap().1.split_whitespace().nth(11).unwrap().parse().unwrap()
    };
    let enough = ticks() + 40;
    while ticks() < enough {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Interrupts a child that is at work again after this number of lines; returns the rest of stdout, and stderr.
#[cfg(target_os = "linux")]
pub fn interrupt_at_work(child: &mut Child, after: usize) -> (String, String) {
    let out = lines(child, after);
    wait_for_work(child);
    interrupt_reading(child, out)
}

/// Interrupts a child after this number of lines; returns the rest of stdout, and stderr.
#[cfg(unix)]
pub fn interrupt(child: &mut Child, after: usize) -> (String, String) {
    let out = lines(child, after);
    interrupt_reading(child, out)
}

#[cfg(unix)]
fn interrupt_reading(child: &mut Child, mut out: BufReader<ChildStdout>) -> (String, String) {
    send(child, Signal::INT);
    let (mut rest, mut stderr) = (String::new(), String::new());
    out.read_to_string(&mut rest).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{stderr}");
    (rest, stderr)
}

/// Result of a command that was interrupted.
#[cfg(unix)]
pub struct Interrupted {
    pub code: Option<i32>,
    pub stdout: String,
    /// First line of stderr, which the test waited for.
    pub first: String,
    /// Rest of stderr.
    pub stderr: String,
}

/// Waits for the first line on stderr, acts, and presses Ctrl-C.
#[cfg(unix)]
pub fn interrupt_after_note(child: &mut Child, act: impl FnOnce()) -> Interrupted {
    let (mut first, mut stdout, mut stderr) = (String::new(), String::new(), String::new());
    let mut notes = BufReader::new(child.stderr.take().unwrap());
    notes.read_line(&mut first).unwrap();
    act();
    send(child, Signal::INT);
    notes.read_to_string(&mut stderr).unwrap();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    Interrupted { code: child.wait().unwrap().code(), stdout, first, stderr }
}
