//! The record of a game, written while it is played: after a kill it holds every move up to the last.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Local};

use super::comment::Thought;
use super::summary::Summary;
use crate::platform::files::write_whole;
use crate::record::{Action, Comment, Encoding, End, FileFormat, NodeId, Record, TimeUsed};
use crate::types::{Color, Move};

/// Where and how records are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSettings {
    /// The folder; `None` to keep none.
    pub folder: Option<PathBuf>,
    /// The format.
    pub format: FileFormat,
    /// The name of a file, with `{date}`, `{black}`, `{white}`, `{game}` (the game's name) and `{id}`.
    pub name: String,
}

impl Default for RecordSettings {
    fn default() -> Self {
        Self { folder: Some("records".into()), format: FileFormat::Csa, name: "{date}_{black}_{white}".to_owned() }
    }
}

/// A record that grows.
pub(super) struct GameRecord {
    record: Record,
    last: NodeId,
    format: FileFormat,
    engine: String,
    path: PathBuf,
    /// What the file holds.
    written: String,
}

impl GameRecord {
    /// Begins the record of a game; `engine` is the name of ours.
    ///
    /// # Errors
    /// The file cannot be made.
    pub(super) fn begin(settings: &RecordSettings, summary: &Summary, engine: &str) -> io::Result<Option<Self>> {
        let Some(folder) = &settings.folder else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder)?;
        let now = Local::now();
        let extension = settings.format.extension(Encoding::Utf8 { bom: false });
        let path = new_file(folder, &file_name(&settings.name, summary, now), extension)?;
        let mut record = summary.record.clone();
        for (color, key) in Color::ALL.map(|color| (color, record.side_name(color))) {
            record.set_header(key, &summary.names[color.index()]);
        }
        record.set_header("棋戦", &summary.game_id);
        record.set_header("開始日時", &now.format("%Y/%m/%d %H:%M:%S").to_string());
        let rules = summary.clocks[summary.us.index()].rules();
        if summary.has_clock {
            let seconds = |time: Duration| time.as_secs_f64();
            let (total, byoyomi) = (seconds(rules.total), seconds(rules.byoyomi));
            record
                .remarks
                .push(format!("time {total} s, byoyomi {byoyomi} s, increment {} s", seconds(rules.increment)));
        }
        if let Some(most) = summary.max_moves {
            record.remarks.push(format!("Max_Moves:{most}"));
        }
        let last = record.main_end();
        let mut live =
            Self { record, last, format: settings.format, engine: engine.to_owned(), path, written: String::new() };
        live.write()?;
        Ok(Some(live))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a move.
    pub(super) fn add(&mut self, mv: Move, spent: Duration, thought: Option<&Thought>) -> io::Result<()> {
        self.last = self.record.add(self.last, Action::Move(mv));
        let node = self.record.node_mut(self.last);
        node.clock = Some(TimeUsed { spent, total: None });
        if let Some(thought) = thought {
            let lines = match self.format {
                FileFormat::Csa => vec![thought.floodgate()],
                _ => thought.lines(&self.engine),
            };
            node.comments.extend(lines.into_iter().map(Comment::Text));
        }
        self.write()
    }

    /// Ends the record.
    pub(super) fn end(&mut self, end: End, remark: &str) -> io::Result<()> {
        self.last = self.record.add(self.last, Action::End(end));
        if !remark.is_empty() {
            self.record.node_mut(self.last).comments.push(Comment::Remark(remark.to_owned()));
        }
        self.write()
    }

    /// Brings the file up to date: what is new is appended, where the format allows it.
    fn write(&mut self) -> io::Result<()> {
        let (text, _) = self.record.write(self.format);
        // Should this fail, nobody knows what the file holds: the next time it is written whole.
        let written = std::mem::take(&mut self.written);
        match text.strip_prefix(&written) {
            Some(new) if !written.is_empty() => {
                OpenOptions::new().append(true).open(&self.path)?.write_all(new.as_bytes())?;
            }
            _ => write_whole(&self.path, text.as_bytes())?,
        }
        self.written = text;
        Ok(())
    }
}

/// The name of a record's file without its extension, safe on every system.
fn file_name(template: &str, summary: &Summary, now: DateTime<Local>) -> String {
    let name = |color: Color| summary.names[color.index()].as_str();
    let mut text = template.to_owned();
    for (key, value) in [
        ("{date}", now.format("%Y%m%d-%H%M%S").to_string().as_str()),
        ("{black}", name(Color::Black)),
        ("{white}", name(Color::White)),
        ("{game}", summary.game_name()),
        ("{id}", &summary.game_id),
    ] {
        text = text.replace(key, value);
    }
    let unsafe_character = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    let text: String = text.chars().map(|c| if unsafe_character(c) { '_' } else { c }).take(150).collect();
    // Windows drops dots and blanks at the end, and hides files that begin with a dot elsewhere.
    let text = text.trim_matches(['.', ' ']);
    if text.is_empty() { "game".to_owned() } else { text.to_owned() }
}

/// Makes a file that was not there before.
fn new_file(folder: &Path, name: &str, extension: &str) -> io::Result<PathBuf> {
    for number in 1.. {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{name}{suffix}.{extension}"));
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("the loop has no other end")
}

#[cfg(test)]
mod tests {
    use super::super::summary::SummaryReader;
    use super::*;
    use crate::client::Info;
    use crate::position::Position;
    use crate::record::Document;

    fn summary() -> Summary {
        let text = "Game_ID:e+test-5-1F+a/b+c?+1\nName+:a/b\nName-:c?\nYour_Turn:+\nMax_Moves:256\nBEGIN Position\nPI\n+\n\
                    +2726FU,T1\nEND Position\nEND Game_Summary";
        let mut reader = SummaryReader::default();
        text.lines().find_map(|line| reader.take(line)).expect("complete").expect("good")
    }

    #[test]
    fn every_format_is_whole_after_every_move() {
        for format in [FileFormat::Csa, FileFormat::Kif, FileFormat::Ki2, FileFormat::Jkf, FileFormat::Usi] {
            let folder = tempfile::tempdir().unwrap();
            let settings = RecordSettings { folder: Some(folder.path().join("new")), format, ..Default::default() };
            let mut record = GameRecord::begin(&settings, &summary(), "Engine").unwrap().unwrap();
            let moves = ["8c8d", "7g7f", "3c3d"].map(|mv| mv.parse::<Move>().unwrap());
            let thought = {
                let mut position = Position::startpos();
                position.do_move("2g2f".parse().unwrap());
                Thought::new(&Info::parse("depth 7 score cp 12 pv 8c8d 7g7f"), &position, moves[0])
            };
            for (count, &mv) in (2..).zip(&moves) {
                record.add(mv, Duration::from_secs(3), thought.as_ref().filter(|_| count == 2)).unwrap();
                let bytes = std::fs::read(record.path()).unwrap();
                let game = &Document::read(&bytes, Some(format)).unwrap().games[0];
                assert_eq!(game.moves_to(game.main_end()).len(), count, "{format}");
            }
            record.end(End::Interrupt, "the line is cut").unwrap();
            let text = std::fs::read_to_string(record.path()).unwrap();
            match format {
                FileFormat::Csa => {
                    assert!(text.contains("N+a/b\nN-c?\n$EVENT:e+test-5-1F+a/b+c?+1\n"), "{text}");
                    assert!(text.contains("-8384FU\nT3\n'** -12 +7776FU\n"), "{text}");
                    assert!(text.ends_with("-3334FU\nT3\n%CHUDAN\n'the line is cut\n") || text.contains("%CHUDAN"));
                }
                FileFormat::Kif => assert!(text.contains("**評価値=-12\n**読み筋=▲７六歩\n**深さ=7\n"), "{text}"),
                _ => {}
            }
        }
    }

    #[test]
    fn names_of_files_are_safe_and_never_taken_twice() {
        let folder = tempfile::tempdir().unwrap();
        let name = "{black}:{white}\n{id}|{game}".to_owned();
        let settings = RecordSettings { folder: Some(folder.path().to_owned()), format: FileFormat::Csa, name };
        let names: Vec<_> = (0..3)
            .map(|_| {
                GameRecord::begin(&settings, &summary(), "").unwrap().unwrap().path().file_name().unwrap().to_owned()
            })
            .collect();
        assert_eq!(names[0], "a_b_c__e+test-5-1F+a_b+c_+1_test-5-1F.csa");
        assert_eq!(names[2], "a_b_c__e+test-5-1F+a_b+c_+1_test-5-1F-3.csa");
        let none = RecordSettings { folder: None, ..settings };
        assert!(GameRecord::begin(&none, &summary(), "").unwrap().is_none());
    }
}
