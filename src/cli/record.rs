//! `hagane record`

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::file_arguments::{ends_as_folder, expanded};
use crate::platform::files::write_whole;
use crate::platform::wording::counted;
use crate::record::{Document, Encoding, FileFormat, Newline};

/// Reads, checks and converts game records: KIF, KI2, CSA, USI/SFEN and JKF.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(Convert),
    Check(Check),
}

/// Converts records to another format or encoding.
///
/// Comments, variations, headers, times and encoding are kept as far as the new format has them; what it cannot hold is
/// reported.
#[derive(Args)]
struct Convert {
    /// Files, or folders whose records are all taken; - is the standard input
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// The new format: kif, ki2, csa, usi (sfen) or jkf; by the output's extension where it is left out
    #[arg(long, value_name = "FORMAT")]
    to: Option<FileFormat>,
    /// The new file, or a folder for several; the standard output where it is left out and the input is one file
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// The new encoding: utf8, utf8-bom, utf16, sjis or euc-jp; the source's where it is left out
    #[arg(long)]
    encoding: Option<Encoding>,
    /// Ends lines with CR LF
    #[arg(long)]
    crlf: bool,
    /// Overwrites existing files
    #[arg(long)]
    force: bool,
}

/// Checks that records can be read and written back without loss.
///
/// Prints a line for each file, and the illegal moves of each game.
#[derive(Args)]
struct Check {
    /// Files or folders
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// Prints only files with a fault, and the summary
    #[arg(short, long)]
    quiet: bool,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Convert(convert) => convert.run(),
            Command::Check(check) => check.run(),
        }
    }
}

/// The records that command-line arguments name: files, and all records in folders, sorted by name; each with its path
/// below the named folder.
pub(super) fn records_of(input: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, PathBuf)>> {
    let mut files = Vec::new();
    let input = expanded(input)?;
    for path in &input {
        let metadata = std::fs::metadata(path).with_context(|| path.display().to_string())?;
        if metadata.is_dir() {
            collect(path, path, &mut files)?;
        } else {
            let name = path.file_name().map_or_else(PathBuf::new, PathBuf::from);
            files.push((path.clone(), name));
        }
    }
    // A file named twice, or once more through its folder, must not have two writers.
    let mut seen = std::collections::HashSet::new();
    files.retain(|(path, _)| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    if files.is_empty() {
        let names: Vec<String> = input.iter().map(|path| path.display().to_string()).collect();
        bail!(
            "there are no game records in {} (files ending in .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .sfen or .usi)",
            names.join(", ")
        );
    }
    Ok(files)
}

/// The format that the name of an output file asks for.
pub(super) fn format_of_output(output: &Path) -> anyhow::Result<FileFormat> {
    FileFormat::of_path(output).with_context(|| {
        format!(
            "the name {} ends in no format (.kif, .kifu, .ki2, .ki2u, .csa, .jkf, .sfen or .usi); a new folder's name ends in /",
            output.display()
        )
    })
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, PathBuf)>) -> anyhow::Result<()> {
    let mut entries = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .with_context(|| folder.display().to_string())?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // Links to folders are not followed: they may form a loop.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(root, &path, files)?;
        } else if FileFormat::of_path(&path).is_some() && !is_json(&path) && path.is_file() {
            let below = path.strip_prefix(root).unwrap_or(&path).to_owned();
            files.push((path, below));
        }
    }
    Ok(())
}

/// Whether a file is JSON: it may be JKF or anything else, so it must be named itself.
fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

impl Convert {
    fn run(self) -> anyhow::Result<()> {
        let files =
            if self.input == [Path::new("-")] { vec![("-".into(), "record".into())] } else { records_of(&self.input)? };
        let folder =
            self.output.as_deref().filter(|output| files.len() > 1 || output.is_dir() || ends_as_folder(output));
        if files.len() > 1 && folder.is_none() {
            bail!("several records need a folder to go to: --output FOLDER");
        }
        let format = match (self.to, &self.output) {
            (None, Some(output)) if folder.is_none() => Some(format_of_output(output)?),
            (to, _) => to,
        };
        let mut failed = 0;
        for (path, below) in &files {
            if let Err(error) = self.convert(path, below, format, folder) {
                // One bad file must not stop the others.
                if files.len() == 1 {
                    return Err(error);
                }
                eprintln!("{error:#}");
                failed += 1;
            }
        }
        if failed > 0 {
            bail!("not converted: {failed} of {}", counted(files.len(), "record", "records"));
        }
        Ok(())
    }

    fn convert(
        &self,
        path: &Path,
        below: &Path,
        format: Option<FileFormat>,
        folder: Option<&Path>,
    ) -> anyhow::Result<()> {
        let name = || path.display().to_string();
        let source = if path == Path::new("-") {
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).context("the standard input")?;
            Document::read(&bytes, None).context("the standard input")?
        } else {
            Document::open(path).with_context(name)?
        };
        for warning in &source.warnings {
            eprintln!("{}: {warning}", path.display());
        }
        let format = format.unwrap_or(source.format);
        let mut encoding = self.encoding.unwrap_or(source.encoding);
        let to_terminal = self.output.is_none() && stdout().is_terminal();
        if self.encoding.is_none() && (format == FileFormat::Jkf || to_terminal) {
            // JSON is UTF-8 by definition, terminals are in practice.
            encoding = Encoding::Utf8 { bom: false };
        }
        let newline = if self.crlf { Newline::CrLf } else { source.newline };
        // In formats with one game a file, each game gets its own.
        let parts: Vec<Document> = if format.holds_many() || source.games.len() == 1 {
            vec![source]
        } else {
            source.games.iter().map(|game| Document { games: vec![game.clone()], ..source.clone() }).collect()
        };
        let several = parts.len() > 1;
        if several && folder.is_none() {
            bail!("{}: {} games need a folder to go to: --output FOLDER", name(), parts.len());
        }
        for (index, part) in parts.into_iter().enumerate() {
            let part = Document { format, encoding, newline, ..part };
            let (bytes, losses) = part.to_bytes();
            for loss in losses {
                eprintln!("{}: {loss}", path.display());
            }
            let target = match (folder, &self.output) {
                (Some(folder), _) => {
                    let stem = below.file_stem().unwrap_or_default().to_string_lossy();
                    let number = if several { format!("_{:06}", index + 1) } else { String::new() };
                    let file = format!("{stem}{number}.{}", format.extension(encoding));
                    folder.join(below).with_file_name(file)
                }
                (None, Some(output)) => output.clone(),
                (None, None) => {
                    stdout().write_all(&bytes)?;
                    continue;
                }
            };
            if target.exists() && !self.force {
                bail!("{} is there already (--force replaces it)", target.display());
            }
            if let Some(folder) = target.parent() {
                std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            }
            write_whole(&target, &bytes).with_context(|| target.display().to_string())?;
        }
        Ok(())
    }
}

impl Check {
    fn run(self) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for path in expanded(&self.input)? {
            if path.is_dir() {
                every_file(&path, &mut files)?;
            } else {
                files.push(path);
            }
        }
        let mut out = stdout().lock();
        let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
        let mut bad = 0;
        for path in &files {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            let row = table.entry(extension).or_default();
            row[0] += 1;
            let document = match Document::open(path) {
                Ok(document) => document,
                Err(error) => {
                    row[3] += 1;
                    bad += 1;
                    writeln!(out, "refused  {}: {error}", path.display())?;
                    continue;
                }
            };
            row[1] += 1;
            let (bytes, losses) = document.to_bytes();
            let lost = match Document::read(&bytes, Some(document.format)) {
                Err(error) => Some(error.to_string()),
                Ok(again) => document
                    .games
                    .iter()
                    .zip(&again.games)
                    .find_map(|(before, after)| before.difference(after))
                    .or_else(|| losses.into_iter().next()),
            };
            match lost {
                None => row[2] += 1,
                Some(lost) => {
                    bad += 1;
                    writeln!(out, "changed  {}: {lost}", path.display())?;
                }
            }
            let illegal: usize = document.games.iter().map(|game| game.illegal_moves().len()).sum();
            if !self.quiet {
                let games = document.games.len();
                let moves: usize = document.games.iter().map(|game| game.ids().count() - 1).sum();
                writeln!(
                    out,
                    "read     {}: {}, {}, {}, {}, {}, {}",
                    path.display(),
                    document.format,
                    document.encoding,
                    counted(games, "game", "games"),
                    counted(moves, "move or end", "moves and ends"),
                    counted(illegal, "illegal move", "illegal moves"),
                    counted(document.warnings.len(), "warning", "warnings")
                )?;
                for warning in &document.warnings {
                    writeln!(out, "         {warning}")?;
                }
                for game in &document.games {
                    for illegal in game.illegal_moves() {
                        writeln!(out, "         move {}: {}", game.ply(illegal.node), illegal.reason)?;
                    }
                }
            }
        }
        writeln!(out, "{:10}{:>8}{:>8}{:>8}{:>9}", "extension", "files", "read", "same", "refused")?;
        for (extension, [files, read, same, refused]) in &table {
            writeln!(out, "{extension:10}{files:>8}{read:>8}{same:>8}{refused:>9}")?;
        }
        if bad > 0 {
            bail!("refused or changed: {bad} of {}", counted(files.len(), "file", "files"));
        }
        Ok(())
    }
}

fn every_file(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let mut entries = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .with_context(|| folder.display().to_string())?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            every_file(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
