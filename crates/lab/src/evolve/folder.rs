//! The folder of a run. Every file in it but the log is replaced as a whole.

use super::material::{Material, TestSet};
use super::report::LoggedGeneration;
use super::run::RunError;
use super::settings::{Settings, VERSION};
use clearway_rush::formats::{Format, Puzzle, ReadOptions, Reader, Writer};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

const SETTINGS: &str = "config.toml";
const LOG: &str = "log.jsonl";
const TRAINING: &str = "boards/training.tsv";
/// Boards that were bred.
pub(super) const BRED: &str = "boards.tsv";

impl Folder {
    /// The folder at a path, whether it is there or not.
    pub fn at(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The file that the champion is in.
    pub fn champion(&self) -> PathBuf {
        self.0.join("champion.policy")
    }

    /// The page about the run.
    pub fn report(&self) -> PathBuf {
        self.0.join("report.html")
    }

    /// Refuses a folder that holds anything.
    pub fn check_unused(&self) -> Result<(), RunError> {
        match fs::read_dir(&self.0).map(|mut entries| entries.next().is_none()) {
            Ok(true) => Ok(()),
            Ok(false) if self.0.join(SETTINGS).exists() => Err(RunError::IsRun(self.0.clone())),
            Ok(false) => Err(RunError::NotEmpty(self.0.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.failed("use", Path::new(""))(error)),
        }
    }

    /// Writes the settings and the boards of a new run; the settings come last, so that what has them is whole.
    pub(super) fn begin(&self, settings: &Settings, material: &Material) -> Result<(), RunError> {
        fs::create_dir_all(self.0.join("boards")).map_err(self.failed("make", Path::new("")))?;
        self.write_boards(TRAINING, &material.training)?;
        for (number, set) in material.tests.iter().enumerate() {
            self.write_boards(&test_file(number), &set.boards)?;
        }
        self.write(SETTINGS, &settings.to_toml())
    }

    /// The settings of the run in it.
    pub(super) fn settings(&self) -> Result<Settings, RunError> {
        let path = self.0.join(SETTINGS);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(RunError::NoRun(self.0.clone())),
            other => other.map_err(self.failed("read", Path::new(SETTINGS)))?,
        };
        // Another version may have other settings: it is to be told from its number, not from what it does not know.
        let found = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
        if let Some(found) = found.filter(|found| *found != VERSION) {
            return Err(RunError::Version { folder: self.0.clone(), found: found.to_owned() });
        }
        Settings::from_toml(&text).map_err(|error| RunError::Settings { path, why: error.to_string() })
    }

    pub(super) fn save_settings(&self, settings: &Settings) -> Result<(), RunError> {
        self.write(SETTINGS, &settings.to_toml())
    }

    /// The boards of the run in it.
    pub(super) fn material(&self, settings: &Settings) -> Result<Material, RunError> {
        let names = if settings.test.is_empty() { vec!["held-out".to_owned()] } else { settings.test.clone() };
        let mut tests = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            tests.push(TestSet { name, boards: self.read_boards(&test_file(number))? });
        }
        Ok(Material { training: self.read_boards(TRAINING)?, tests, tested: Vec::new() })
    }

    pub(super) fn write_boards(&self, name: &str, boards: &[Puzzle]) -> Result<(), RunError> {
        let mut writer = Writer::new(Format::Tsv);
        let lines: Result<String, _> = boards.iter().map(|puzzle| writer.append(puzzle)).collect();
        let text =
            lines.map_err(|error| RunError::File { doing: self.doing("write", name), why: error.to_string() })?;
        self.write(name, &text)
    }

    pub(super) fn read_boards(&self, name: &str) -> Result<Vec<Puzzle>, RunError> {
        let path = self.0.join(name);
        let text = fs::read(&path).map_err(self.failed("read", Path::new(name)))?;
        let source_name = path.display().to_string();
        let options = ReadOptions { format: Some(Format::Tsv), source_name, ..ReadOptions::default() };
        let boards: Result<_, _> = Reader::new(text.as_slice(), options).collect();
        boards.map_err(|error| RunError::Boards(Box::new(error)))
    }

    /// Whether a file is in it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Replaces a file as a whole.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        let path = self.0.join(name);
        let write = || -> io::Result<()> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(".clearway-");
            // A temporary file is for its owner alone unless told otherwise; this one is to become a file as any other.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
            file.write_all(text.as_bytes())?;
            file.persist(&path).map(|_| ()).map_err(|error| error.error)
        };
        write().map_err(self.failed("write", Path::new(name)))
    }

    fn doing(&self, verb: &str, name: &str) -> String {
        format!("{verb} {}", self.0.join(name).display())
    }

    fn failed(&self, verb: &str, name: &Path) -> impl Fn(io::Error) -> RunError + use<> {
        let path = if name.as_os_str().is_empty() { self.0.clone() } else { self.0.join(name) };
        let doing = format!("{verb} {}", path.display());
        move |error| RunError::File { doing: doing.clone(), why: error.to_string() }
    }
}

fn test_file(number: usize) -> String {
    format!("boards/test-{}.tsv", number + 1)
}

/// The log of a run: a line for each generation.
pub(super) struct Log {
    file: File,
    folder: Folder,
    lines: Vec<LoggedGeneration>,
}

impl Log {
    /// The log as far as a run has come: what was written about later generations is dropped, and what is missing is taken
    /// from the history.
    pub fn open(folder: &Folder, history: &[clearway_gp::Generation]) -> Result<Log, RunError> {
        let text = match fs::read(folder.0.join(LOG)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            other => String::from_utf8_lossy(&other.map_err(folder.failed("read", Path::new(LOG)))?).into_owned(),
        };
        let mut written = text.lines().map(|line| serde_json::from_str::<LoggedGeneration>(line).ok());
        let lines: Vec<LoggedGeneration> = history
            .iter()
            .map(|generation| {
                let line = written.next().flatten().filter(|line| line.generation.generation == generation.generation);
                line.unwrap_or_else(|| LoggedGeneration { generation: generation.clone(), test_nodes_percent: None })
            })
            .collect();
        folder.write(LOG, &lines.iter().map(text_of).collect::<String>())?;
        let file = File::options().append(true).open(folder.0.join(LOG));
        let file = file.map_err(folder.failed("write", Path::new(LOG)))?;
        Ok(Log { file, folder: folder.clone(), lines })
    }

    pub fn append(&mut self, line: LoggedGeneration) -> Result<(), RunError> {
        let written = self.file.write_all(text_of(&line).as_bytes()).and_then(|()| self.file.flush());
        written.map_err(self.folder.failed("write", Path::new(LOG)))?;
        self.lines.push(line);
        Ok(())
    }

    pub fn lines(&self) -> &[LoggedGeneration] {
        &self.lines
    }
}

/// A line of the log.
fn text_of(line: &LoggedGeneration) -> String {
    // A generation holds nothing that JSON cannot express.
    serde_json::to_string(line).expect("generations are always serialisable") + "\n"
}
