//! The index page of a folder of reports: one row a game, with a link to its report.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use super::judgement::Judgement;
use super::language::Language;
use super::page::{escape, fill, in_both, percent};
use crate::platform::wording::counted;
use crate::record::Record;
use crate::types::Color;

const PAGE: &str = include_str!("report/index.html");
const STYLE: &str = include_str!("report/page.css");

/// How a row of the table begins; its attribute names the report.
const ROW: &str = "<tr data-page=\"";

/// The index of a folder of reports: a row for each, by the report's path below the folder.
#[derive(Debug, Default)]
pub struct ReportIndex {
    rows: BTreeMap<String, String>,
}

impl ReportIndex {
    /// Reads the rows of an earlier index page. Those of reports that are gone (`exists` says so) are dropped.
    pub fn read(page: &str, exists: impl Fn(&str) -> bool) -> Self {
        let rows = page.lines().filter_map(|line| {
            let name = line.strip_prefix(ROW)?.split('"').next()?;
            exists(&unescape(name)).then(|| (unescape(name), line.to_owned()))
        });
        Self { rows: rows.collect() }
    }

    /// Adds or replaces the row of a report at `path` below the folder.
    pub fn add(&mut self, path: &Path, record: &Record, judgement: &Judgement) {
        let name: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        let name = name.join("/");
        let row = row(&name, record, judgement);
        self.rows.insert(name, row);
    }

    /// The page; without a language the reader's browser chooses.
    pub fn html(&self, language: Option<Language>) -> String {
        let rows: String = self.rows.values().map(|row| format!("{row}\n")).collect();
        fill(
            PAGE,
            &[
                ("{{language}}", language.map_or("", Language::code).to_owned()),
                ("{{style}}", STYLE.to_owned()),
                ("{{rows}}", rows),
                ("{{count}}", self.rows.len().to_string()),
                ("{{version}}", env!("CARGO_PKG_VERSION").to_owned()),
            ],
        )
    }
}

fn row(name: &str, record: &Record, judgement: &Judgement) -> String {
    let [black, white] = &judgement.players;
    let names = Color::ALL.map(|color| escape(record.player(color).unwrap_or(record.side_name(color))));
    let mut row = format!(
        "{ROW}{0}\"><td><a href=\"{1}\">▲{2} － △{3}</a><br><small>{0}</small></td>",
        escape(name),
        href(name),
        names[0],
        names[1]
    );
    // Writing to a String cannot fail.
    let _ = write!(
        row,
        "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        in_both(|language| result(record, language)),
        percent(black.accuracy),
        percent(white.accuracy),
        black.marks[3],
        white.marks[3],
    );
    // One line a row, so that a later run finds it again.
    row.replace(['\n', '\r'], " ")
}

/// `先手勝ち　95手　投了`, `Black wins, 95 moves, resigns`.
fn result(record: &Record, language: Language) -> String {
    let last = record.main_end();
    let moves = record.moves_to(last).len();
    let end = record.node(last).end();
    let winner = end.and_then(|end| end.winner(record.diagram_at(last).side_to_move()));
    let word = end.map_or("", |end| language.end_text(end));
    let parts = match language {
        Language::Japanese => [
            winner.map_or("", |winner| if winner == Color::Black { "先手勝ち" } else { "後手勝ち" }).to_owned(),
            format!("{moves}手"),
            word.to_owned(),
        ],
        Language::English => [
            winner.map_or("", |winner| if winner == Color::Black { "Black wins" } else { "White wins" }).to_owned(),
            counted(moves, "move", "moves"),
            word.to_owned(),
        ],
    };
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(if language == Language::Japanese { "　" } else { ", " })
}

/// A path as a relative link.
fn href(name: &str) -> String {
    let mut link = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            link.push(char::from(byte));
        } else {
            let _ = write!(link, "%{byte:02X}");
        }
    }
    link
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Action, End, Handicap, NodeId, Start};

    #[test]
    fn rows_are_kept_from_run_to_run() {
        let mut record = Record::new(Start::of(Handicap::Even));
        record.set_header("先手", "A & <b>");
        record.set_header("後手", "森");
        let at = record.add(NodeId::ROOT, Action::Move("7g7f".parse().unwrap()));
        record.add(at, Action::End(End::Resign));
        let judgement = Judgement::new(&record, |_| Vec::new());
        let mut index = ReportIndex::default();
        index.add(Path::new("a & b/棋譜#1.kif.html"), &record, &judgement);
        index.add(Path::new("old.kif.html"), &record, &judgement);
        let page = index.html(Some(Language::Japanese));
        assert!(page.contains("data-chosen=\"ja\"") && !page.contains("{{"), "{page}");
        assert!(
            page.contains("href=\"a%20%26%20b/%E6%A3%8B%E8%AD%9C%231.kif.html\"") && page.contains("A &amp; &lt;b&gt;")
        );
        assert!(page.contains("Black wins, 1 move, resigns") && page.contains("先手勝ち　1手　投了"), "{page}");
        let mut index = ReportIndex::read(&page, |name| name == "a & b/棋譜#1.kif.html");
        assert_eq!(index.rows.len(), 1);
        index.add(Path::new("new.kif.html"), &record, &judgement);
        index.add(Path::new("new.kif.html"), &record, &judgement);
        assert_eq!(index.html(None).matches(ROW).count(), 2);
    }
}
