//! Reports in folders, their index, and what the program says while it analyses.

use hagane::record::Encoding;

use super::{GAME, succeed, write};

#[test]
fn two_games_of_one_name_and_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, text) in [("a", GAME), ("b", "先手：甲\n後手：乙\n手数----指手--\n1 ２六歩(27)\n2 投了\n")]
    {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        write(&folder.path().join(name), "game.kif", text, Encoding::Utf8 { bom: false });
    }
    let common = ["-q", "--nodes", "100", "--mate", "0", "--report", &path("report")];
    succeed(&[&common[..], &[&path("a/game.kif"), &path("b/game.kif"), "--language", "ja"]].concat());
    let index = std::fs::read_to_string(path("report/index.html")).unwrap();
    for (name, players) in [("a", "▲森&lt;b&gt; － △&lt;/script&gt;"), ("b", "▲甲 － △乙")] {
        let link = format!("<a href=\"{name}/game.kif.html\">{players}</a>");
        assert!(index.contains(&link), "{index}");
        let page = std::fs::read_to_string(path(&format!("report/{name}/game.kif.html"))).unwrap();
        assert!(page.contains("data-chosen=\"ja\""));
        let footer = &page[page.find("<footer>").unwrap()..page.find("</footer>").unwrap()];
        assert_eq!(footer.matches("Hagane").count(), 1, "{footer}");
    }
    assert_eq!(index.matches("<tr data-page=").count(), 2);
    // Another game later: the rows of the first ones stay, but not of a report that is gone.
    std::fs::remove_file(path("report/b/game.kif.html")).unwrap();
    write(folder.path(), "third.kif", GAME, Encoding::Utf8 { bom: false });
    succeed(&[&common[..], &[&path("third.kif")]].concat());
    let index = std::fs::read_to_string(path("report/index.html")).unwrap();
    assert!(index.contains("href=\"a/game.kif.html\"") && index.contains("href=\"third.kif.html\""), "{index}");
    assert_eq!(index.matches("<tr data-page=").count(), 2);
    assert!(index.contains("data-chosen=\"\""));
}

#[test]
fn options_that_the_engine_does_not_offer() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "game.kif", GAME, Encoding::Utf8 { bom: false });
    let arguments = ["--nodes", "50", "--mate", "0", path.to_str().unwrap()];
    let said = succeed(&arguments);
    assert!(!said.contains("ERROR") && !said.contains("warning") && !said.contains("OwnBook"), "{said}");
    let said = succeed(&[&arguments[..], &["--option", "Foo=1", "--option", "MultiPV=x"]].concat());
    assert!(said.contains("warning: an option was not set: the engine does not offer the option Foo"), "{said}");
    assert!(said.contains("'x' does not fit the option MultiPV"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_promises_nothing_that_is_not_kept() {
    use std::process::Command;
    use std::time::Duration;

    use super::analyze;
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "game.kif", GAME, Encoding::Utf8 { bom: false });
    for (kept, words) in [(false, "the analysis was not kept"), (true, "the same command resumes the analysis")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        command.args(["analyze", "--hash", "1", "--threads", "1", "--time", "60000"]).arg(&path);
        if kept {
            command.arg("--in-place");
        }
        let child = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        // Twice at once, as `timeout` does.
        let process = child.id().to_string();
        Command::new("kill").args(["-INT", &process, &process]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(words), "{said}");
    }
    // The interrupted runs have written nothing.
    assert_eq!(std::fs::read_to_string(&path).unwrap(), GAME);
    assert!(analyze(&["--nodes", "1", "--mate", "0", path.to_str().unwrap()]).status.success());
}
