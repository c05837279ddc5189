//! The direction of the arrows: a module uses what stands below it, never what stands above or beside it.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate, from the ground up. Modules of one layer do not know one another.
const LAYERS: &[&[&str]] = &[
    &["platform", "types"],
    &["bitboard"],
    &["position"],
    &["nnue", "hand_crafted", "tt", "clock", "record"],
    &["mate"],
    &["search"],
    &["engine", "client"],
    &["usi", "tsume", "analysis", "arena", "training", "selftest"],
    &["cli"],
    &["main"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Every Rust file under `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The crate's modules that a line of code names (`crate::x`, `hagane::x`, also in a list in braces). Comments name
/// nothing.
fn named(code: &str) -> Vec<String> {
    let code = code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for root in ["crate::", "hagane::"] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            match rest.strip_prefix('{') {
                None => names.push(word(rest)),
                Some(list) => {
                    // Only the names at the first level of the braces are modules of the crate.
                    let mut depth = 0;
                    let mut start = true;
                    for (at, letter) in list.char_indices() {
                        match letter {
                            '{' => depth += 1,
                            '}' if depth == 0 => break,
                            '}' => depth -= 1,
                            ',' if depth == 0 => start = true,
                            _ if start && !letter.is_whitespace() => {
                                names.push(word(&list[at..]));
                                start = false;
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

#[test]
fn no_module_uses_what_stands_above_or_beside_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut edges = 0;
    for file in sources(&source) {
        let inside = file.strip_prefix(&source).expect("below src");
        let first = inside.components().next().expect("a file has a name");
        let module = Path::new(first.as_os_str()).with_extension("").display().to_string();
        if module == "lib" {
            continue;
        }
        let Some(own) = layer(&module) else {
            faults.push(format!(
                "{}: the module {module} stands in no layer; give it one in tests/layers.rs",
                inside.display()
            ));
            continue;
        };
        let code = fs::read_to_string(&file).expect("a source file is text");
        for used in named(&code).into_iter().filter(|used| *used != module) {
            edges += 1;
            match layer(&used) {
                Some(below) if below < own => {}
                Some(_) => faults.push(format!("{}: {module} may not use {used}", inside.display())),
                None => faults.push(format!("{}: {used} is no module with a layer", inside.display())),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(edges > 0, "the test found no edge at all: it does not see the code");
}

#[test]
fn names_are_found_where_code_has_them() {
    let code = "use crate::types::{Color, Move};\nuse crate::{\n  clock::Limits, position::{self, Position},\n};\n// use crate::engine;\nlet x = crate::mate::solve();";
    assert_eq!(named(code), ["types", "clock", "position", "mate"]);
}
