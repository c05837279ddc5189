//! Arguments that name files and folders.

use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context, ensure};

/// The files that arguments name. Windows' shells hand `*.kif` over as it is: there it is expanded here.
///
/// # Errors
/// A pattern that is none, or that no file fits.
pub(super) fn expanded(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    if !cfg!(windows) {
        return Ok(arguments.to_vec());
    }
    let mut files = Vec::new();
    for argument in arguments {
        if argument.to_string_lossy().contains(['*', '?']) {
            let fitting = matches(&argument.to_string_lossy())?;
            ensure!(!fitting.is_empty(), "no file fits {}", argument.display());
            files.extend(fitting);
        } else {
            files.push(argument.clone());
        }
    }
    Ok(files)
}

/// The same among arguments that may be positions too: what no file fits stays as it is, and so do moves (`G*5b`).
pub(super) fn expanded_among_positions(arguments: Vec<String>) -> anyhow::Result<Vec<String>> {
    if !cfg!(windows) {
        return Ok(arguments);
    }
    let mut words = Vec::new();
    for argument in arguments {
        let is_pattern = argument.contains(['*', '?']) && argument.parse::<crate::types::Move>().is_err();
        let fitting = if is_pattern { matches(&argument)? } else { Vec::new() };
        words.extend(fitting.iter().map(|path| path.to_string_lossy().into_owned()));
        if fitting.is_empty() {
            words.push(argument);
        }
    }
    Ok(words)
}

/// The files that fit a pattern with `*` and `?`, in order. Brackets are letters of names, as in Windows' own patterns.
fn matches(pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    let options = glob::MatchOptions { case_sensitive: false, ..glob::MatchOptions::default() };
    let paths = glob::glob_with(&pattern.replace('[', "[[]"), options).with_context(|| pattern.to_owned())?;
    paths.map(|path| path.with_context(|| pattern.to_owned())).collect()
}

/// Whether an argument names a folder by how it ends, be it there or not.
pub(super) fn ends_as_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(is_separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_expanded_and_brackets_are_letters() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a[1].kif", "b.KIF", "c.csa", "対局 1.kif"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<String> {
            let paths = matches(&format!("{}/{pattern}", folder.path().display())).unwrap();
            paths.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names("*.kif"), ["a[1].kif", "b.KIF", "対局 1.kif"]);
        assert_eq!(names("a[1]*"), ["a[1].kif"]);
        assert_eq!(names("?.csa"), ["c.csa"]);
        assert!(names("*.ki2").is_empty());
    }

    #[test]
    fn files_without_a_fit_are_named_and_moves_stay() {
        let none = expanded(&["no such folder/*.kif".into()]);
        assert_eq!(none.is_err(), cfg!(windows));
        let words = ["startpos", "moves", "G*5b", "7g7f+"].map(str::to_owned).to_vec();
        assert_eq!(expanded_among_positions(words.clone()).unwrap(), words);
        assert!(ends_as_folder(Path::new("out/")) && !ends_as_folder(Path::new("out")));
        assert_eq!(ends_as_folder(Path::new("out\\")), cfg!(windows));
    }
}
