//! The tables of options in both READMEs are the program's.

use hagane::engine::{EngineOptions, OptionKind};

#[test]
fn every_option_is_in_the_readme_as_it_is() {
    check(include_str!("../../README.md"), "## Options");
}

#[test]
fn every_option_is_in_the_japanese_readme_as_it_is() {
    check(include_str!("../../README.ja.md"), "## オプション");
}

fn check(readme: &str, heading: &str) {
    let begin = readme.find(heading).expect("the section");
    let rows: Vec<Vec<&str>> = readme[begin..]
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.trim_end_matches('|').split(" | ").map(str::trim).collect())
        .skip(1)
        .collect();
    let specs = EngineOptions::specs();
    for spec in &specs {
        let row = rows.iter().find(|row| row[0] == spec.name);
        let row = row.unwrap_or_else(|| panic!("{} is not in the README", spec.name));
        let (default, range) = match &spec.kind {
            OptionKind::Check { default } => (default.to_string(), None),
            // What the machine has, or what no table needs to say in full.
            OptionKind::Spin { .. } if spec.name == "Threads" => ("cores, at most 4".into(), None),
            OptionKind::Spin { default, max, .. } if *max > 1 << 40 => (default.to_string(), None),
            OptionKind::Spin { default, min, max } => (default.to_string(), Some(format!("{min} to {max}"))),
            OptionKind::Combo { default, .. } => (default.to_string(), None),
            OptionKind::Button => ("button".into(), None),
            OptionKind::Text { default } | OptionKind::Filename { default } if default.is_empty() => {
                ("`<empty>`".into(), None)
            }
            OptionKind::Text { default } | OptionKind::Filename { default } => (default.to_string(), None),
        };
        assert_eq!(row[1], default, "the default of {}", spec.name);
        if let Some(range) = range {
            assert_eq!(row[2], range, "the range of {}", spec.name);
        }
    }
    for row in rows {
        assert!(specs.iter().any(|spec| spec.name == row[0]), "the README has {}, the program has not", row[0]);
    }
}
