//! What we write is read by tsshogi, the library of ShogiHome, as we mean it.

use std::path::{Path, PathBuf};
use std::process::Command;

use hagane::platform::random::Random;
use hagane::record::{Comment, Document, Encoding, FileFormat, Record};

use super::sketch::{Show, sketch_with};
use super::trees::{held_by, random_record};

/// The tree as tsshogi has it: ends have no word, empty lines of comments and times of zero are not seen.
fn expected(record: &Record, format: FileFormat) -> String {
    let mut record = held_by(record, format);
    for id in record.ids() {
        let node = record.node_mut(id);
        node.comments.retain(|comment| matches!(comment, Comment::Text(line) if !line.is_empty()));
        node.clock = node.clock.filter(|clock| clock.spent.as_secs() > 0);
        // Neither format has bookmarks of its own; Kifu for JS writes them as comments of JKF.
        match (format, node.bookmark.clone()) {
            (FileFormat::Csa, _) => node.bookmark = None,
            (FileFormat::Jkf, Some(name)) => {
                node.comments.push(Comment::Text(format!("&{name}")));
                node.bookmark = None;
            }
            _ => {}
        }
    }
    sketch_with(&record, Show { start: false, end_words: false })
}

/// Reads files with tsshogi: SFEN and tree of each. `None`, with a word, where node or tsshogi (`npm install tsshogi`;
/// `NODE_PATH` says where) is not at hand.
fn read_with_tsshogi(files: &[PathBuf]) -> Option<Vec<Result<(String, String), String>>> {
    let at_hand = Command::new("node").args(["-e", "require('tsshogi')"]).output();
    if !at_hand.is_ok_and(|output| output.status.success()) {
        println!("skipped: node with tsshogi is not at hand");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record/tsshogi.cjs");
    let output = Command::new("node").arg(script).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).unwrap();
    let answer = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        if value["error"].is_null() { Ok((text("sfen"), text("tree"))) } else { Err(text("error")) }
    };
    Some(answers.lines().map(answer).collect())
}

#[test]
fn tsshogi_reads_what_we_write() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(30);
    let (mut files, mut records) = (Vec::new(), Vec::new());
    for index in 0..60 {
        let mut record = random_record(&mut random);
        // tsshogi counts variations from 1, whatever the rows say.
        record.first_number = 1;
        for format in [FileFormat::Kif, FileFormat::Ki2, FileFormat::Csa, FileFormat::Jkf] {
            let encoding = Encoding::Utf8 { bom: false };
            let path = folder.path().join(format!("{index}.{}", format.to_string().to_lowercase()));
            std::fs::write(&path, Document::new(record.clone(), format, encoding).to_bytes().0).unwrap();
            files.push(path);
            records.push((index, format, record.clone()));
        }
    }
    let Some(answers) = read_with_tsshogi(&files) else { return };
    assert_eq!(answers.len(), records.len());
    for ((index, format, record), answer) in records.iter().zip(answers) {
        let text = record.write(*format).0;
        let (sfen, tree) = answer.unwrap_or_else(|error| panic!("{index} as {format}: {error} in\n{text}"));
        let position = |sfen: &str| sfen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        assert_eq!(position(&sfen), position(&record.start.to_sfen()), "{index} as {format}:\n{text}");
        assert_eq!(tree, expected(record, *format), "{index} as {format}:\n{text}");
    }
}
