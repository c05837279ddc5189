//! `hagane analyze` as a user runs it: comments that other programs read, nothing lost, the same again, whole files.

mod best_lines;
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod hosts;
mod kills;
mod reports;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use hagane::analysis::{
    AnalysisPlan, Budget, CommentStyle, Destination, EngineLine, Evaluation, FileJob, Judgement, Language,
    analyze_files, html_report, read_engine_lines,
};
use hagane::client::{EngineSpec, Interrupt};
use hagane::platform::random::Random;
use hagane::position::Position;
use hagane::record::{Action, Comment, Document, Encoding, Handicap, NodeId, Record, Start};
use hagane::types::{Color, Move};

const GAME: &str = "手合割：平手\n先手：森<b>\n後手：</script>\n手数----指手---------消費時間--\n*開始局面\n   1 ７六歩(77)   ( 0:02/00:00:02)\n\
    *初手\n**評価値=35\n**エンジン=player\n   2 ３四歩(33)   ( 0:01/00:00:01)+\n   3 ２二角成(88) ( 0:06/00:00:08)\n   4 同　銀(31)   ( 0:06/00:00:07)\n\
    \x20  5 ４五角打     ( 0:06/00:00:14)\n   6 投了         ( 0:06/00:00:13)\nまで5手で先手の勝ち\n\n変化：2手\n   2 ８四歩(83)   ( 0:01/00:00:01)\n*変化\n   3 ２六歩(27)   ( 0:06/00:00:08)\n";

fn analyze(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hagane"))
        .arg("analyze")
        .args(["--hash", "1", "--threads", "1"])
        .args(arguments)
        .output()
        .unwrap()
}

fn succeed(arguments: &[&str]) -> String {
    let output = analyze(arguments);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

fn write(folder: &Path, name: &str, text: &str, encoding: Encoding) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, encoding.encode(text).0).unwrap();
    path
}

/// `^[*#][^*#= ]+=.*$`
fn is_pair(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(['*', '#']) else {
        return false;
    };
    rest.split_once('=').is_some_and(|(key, _)| !key.is_empty() && !key.contains(['*', '#', ' ']))
}

/// The comment lines of a node, checked against the specification.
fn assert_specified(record: &Record, id: NodeId, blocks: usize) {
    let order = ["詰み", "評価値", "読み筋", "深さ", "ノード数", "エンジン", "Hagane-Budget"];
    let situations =
        ["互角", "先手有望", "先手有利", "先手優勢", "先手勝勢", "後手有望", "後手有利", "後手優勢", "後手勝勢"];
    let lines: Vec<&str> = record.node(id).comments.iter().map(Comment::line).collect();
    let runs: Vec<&[&str]> =
        lines.split(|line| !line.starts_with('#') || !is_pair(line)).filter(|run| !run.is_empty()).collect();
    assert_eq!(runs.len(), blocks, "{lines:?}");
    for run in runs {
        let keys: Vec<&str> = run.iter().map(|line| line[1..].split_once('=').unwrap().0).collect();
        let places: Vec<usize> = keys.iter().map(|key| order.iter().position(|k| k == key).unwrap()).collect();
        assert!(places.is_sorted(), "{keys:?}");
        assert!(keys.contains(&"エンジン"), "{keys:?}");
        assert!(keys.contains(&"評価値") != keys.contains(&"詰み"), "{keys:?}");
        if let Some(mate) = run.iter().find_map(|line| line.strip_prefix("#詰み=")) {
            let rest = mate.strip_prefix("先手勝ち").or_else(|| mate.strip_prefix("後手勝ち")).unwrap();
            assert!(rest.is_empty() || rest[1..].trim_end_matches('手').parse::<u32>().is_ok(), "{mate}");
        } else {
            let before = lines.iter().position(|line| *line == run[0]).unwrap();
            assert!(situations.contains(&lines[before - 1]), "{lines:?}");
        }
    }
    let mut position = Position::from_sfen(&record.start.to_sfen()).unwrap();
    for mv in record.moves_to(id) {
        position.do_move(mv);
    }
    for line in read_engine_lines(record, id).iter().filter(|line| !line.by_player) {
        let mut position = position.clone();
        assert!(!line.pv.is_empty() || !position.has_legal_move());
        for &mv in &line.pv {
            assert!(position.is_legal(mv), "{mv} in {:?}", line.pv);
            position.do_move(mv);
        }
        // Every word of the line was read: it is legal to the last move.
        let line = lines.iter().find_map(|line| line.strip_prefix("#読み筋=")).unwrap();
        assert!(!line.contains(' '));
    }
}

#[test]
fn a_shift_jis_game_in_place_and_a_second_run_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "game.kif", GAME, Encoding::ShiftJis);
    let name = path.to_str().unwrap();
    let before = Document::open(&path).unwrap();
    succeed(&["--in-place", "--nodes", "300", "--mate", "10", "--multipv", "2", "--variations", name]);
    let first = std::fs::read(&path).unwrap();
    let after = Document::open(&path).unwrap();
    assert_eq!(after.encoding, Encoding::ShiftJis);
    assert!(!after.malformed);
    let (old, new) = (&before.games[0], &after.games[0]);
    assert_eq!(old.ids().count(), new.ids().count());
    for id in new.ids() {
        let (old, new_node) = (old.node(id), new.node(id));
        assert_eq!(old.action(), new_node.action());
        assert_eq!(old.clock, new_node.clock);
        assert!(new_node.comments.starts_with(&old.comments), "old comments stay");
        if new_node.end().is_none() {
            assert_specified(new, id, 2);
        } else {
            assert_eq!(new_node.comments, old.comments);
        }
    }
    let again = succeed(&[
        "--in-place",
        "--nodes",
        "300",
        "--mate",
        "10",
        "--multipv",
        "2",
        "--variations",
        name,
        // The same file again, through its folder.
        folder.path().to_str().unwrap(),
    ]);
    assert!(again.contains("0 positions analysed") && again.contains("8 were already"), "{again}");
    assert_eq!(std::fs::read(&path).unwrap(), first);
    // Another budget is another analysis, added to the first.
    succeed(&["--in-place", "--nodes", "400", "--mate", "0", name]);
    let third = Document::open(&path).unwrap();
    let root = read_engine_lines(&third.games[0], NodeId::ROOT);
    assert_eq!(root.len(), 3);
    assert_eq!(root[2].budget.as_deref(), Some("nodes 400"));
}

#[test]
fn floodgate_style_in_csa() {
    let folder = tempfile::tempdir().unwrap();
    let text = "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\nT1\n'** 35 -3334FU\n-3334FU\nT2\n+8822UM\nT3\n%TORYO\n/\nV2.2\nPI\n+\n+2726FU\n";
    let path = write(folder.path(), "game.csa", text, Encoding::Utf8 { bom: false });
    let name = path.to_str().unwrap();
    let arguments = ["--in-place", "--nodes", "200", "--mate", "0", "--style", "floodgate", name];
    succeed(&arguments);
    let first = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = first.lines().filter(|line| line.starts_with("'** ")).collect();
    assert_eq!(lines.len(), 1 + 4 + 2, "{first}");
    for line in &lines {
        let mut words = line[4..].split(' ');
        assert!(words.next().unwrap().parse::<i32>().is_ok(), "{line}");
        for word in words {
            assert!(word.len() == 7 && word.starts_with(['+', '-']) && word[1..5].parse::<u32>().is_ok(), "{line}");
        }
    }
    assert!(first.contains("'** 35 -3334FU\n'** "), "the player's own comment stays first\n{first}");
    assert!(succeed(&arguments).contains("0 positions analysed"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
}

#[test]
fn games_of_one_file_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let game = |mv: &str| format!("V2.2\nPI\n+\n{mv}\n%TORYO\n");
    let text = ["+7776FU", "+2726FU", "+5756FU", "+6978KI", "+3948GI"].map(game).join("/\n");
    let path = write(folder.path(), "games.csa", &text, Encoding::Utf8 { bom: false });
    let name = path.to_str().unwrap();
    let arguments = ["--in-place", "--jobs", "3", "--nodes", "200", name];
    assert!(succeed(&arguments).contains("10 positions analysed"));
    let document = Document::open(&path).unwrap();
    assert_eq!(document.games.len(), 5);
    for game in &document.games {
        for id in game.main_line() {
            let analysed = game.node(id).end().is_none();
            assert_specified(game, id, usize::from(analysed));
        }
    }
    let first = std::fs::read(&path).unwrap();
    assert!(succeed(&arguments).contains("0 positions analysed"));
    assert_eq!(std::fs::read(&path).unwrap(), first);
}

#[test]
fn into_a_folder_and_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::create_dir(folder.path().join("in/sub")).unwrap();
    let source = write(&folder.path().join("in"), "a.kifu", GAME, Encoding::Utf8 { bom: true });
    write(&folder.path().join("in/sub"), "b.ki2", "▲７六歩 △３四歩\n", Encoding::ShiftJis);
    write(
        &folder.path().join("in"),
        "c.sfen",
        "startpos moves 7g7f\nstartpos moves 2g2f\n",
        Encoding::Utf8 { bom: false },
    );
    let text = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let arguments =
        ["--nodes", "100", "--mate", "0", "--jobs", "2", "-o", &text("out"), "--report", &text("report"), &text("in")];
    let said = succeed(&arguments);
    assert!(said.contains("13 positions analysed"), "{said}");
    assert_eq!(std::fs::read(&source).unwrap(), Encoding::Utf8 { bom: true }.encode(GAME).0);
    for name in ["out/a.kifu", "out/sub/b.ki2", "out/c.csa"] {
        assert!(Document::open(&folder.path().join(name)).is_ok(), "{name}");
    }
    for name in
        ["report/a.kifu.html", "report/sub/b.ki2.html", "report/c.sfen_000001.html", "report/c.sfen_000002.html"]
    {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let again = succeed(&arguments);
    assert!(again.contains("0 positions analysed") && again.contains("13 were already"), "{again}");
    // Another game of the same name is not overwritten.
    std::fs::write(&source, "手数----指手--\n1 ２六歩(27)\n").unwrap();
    let refused = analyze(&arguments);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is there already and holds other games"));
}

/// In a problem with one king the mating side wins at every move, the defender's too.
#[test]
fn a_mate_problem_is_won_by_the_side_that_mates() {
    let folder = tempfile::tempdir().unwrap();
    let text = "sfen 9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1 moves 1d2c 1b1a 2c2b\n";
    let path = write(folder.path(), "problem.sfen", text, Encoding::Utf8 { bom: false });
    let output = folder.path().join("problem.kifu");
    succeed(&["--nodes", "1000", "--mate", "2000", "-o", output.to_str().unwrap(), path.to_str().unwrap()]);
    let document = Document::open(&output).unwrap();
    let record = &document.games[0];
    let winners: Vec<_> = record
        .main_line()
        .into_iter()
        .filter(|&id| !record.node(id).comments.is_empty())
        .map(|id| read_engine_lines(record, id)[0].evaluation.and_then(Evaluation::mate))
        .collect();
    assert!(winners.len() >= 4, "{winners:?}");
    assert!(winners.iter().all(|mate| matches!(mate, Some((Color::Black, _)))), "{winners:?}");
}

/// Files in which something was not understood are overwritten only with --force, and then nothing in them is lost.
#[test]
fn files_that_were_not_understood_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record/faults");
    let copy = |name: &str| {
        let path = folder.path().join(name);
        std::fs::copy(faults.join(name), &path).unwrap();
        path
    };
    let rotated = copy("c01_rotated.kif");
    let before = std::fs::read(&rotated).unwrap();
    let problem = copy("c25c_comment_hand.kif");
    let numbered = copy("c08_numbered_dot.kif");
    let half_width = copy("c28_halfwidth.csa");
    let output = analyze(&["--in-place", "--nodes", "50", "--mate", "0", folder.path().to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(said.contains("c01_rotated.kif: line 5: '盤面回転' is no line of the format"), "{said}");
    assert!(said.contains("(--force overwrites it all the same)"), "{said}");
    assert_eq!(std::fs::read(&rotated).unwrap(), before);
    // The others are analysed, and lose nothing.
    let text = |path: &Path| Encoding::decode(&std::fs::read(path).unwrap()).0;
    assert!(text(&problem).contains("先手の持駒：金二") && text(&problem).contains("*作者：某"));
    assert!(text(&numbered).contains("   1 ７六歩(77)\n*"), "{}", text(&numbered));
    assert!(text(&half_width).starts_with("'CSA encoding=SHIFT_JIS\r\nV3.0\r\nN+ﾔﾏﾀﾞ\r\n"), "{}", text(&half_width));
    succeed(&["--in-place", "--force", "--nodes", "50", "--mate", "0", rotated.to_str().unwrap()]);
    assert!(text(&rotated).contains("後手：乙\n盤面回転\n手数----"), "{}", text(&rotated));
    assert!(text(&rotated).contains("評価値="), "{}", text(&rotated));
}

#[test]
fn bad_files_are_named_and_keep_nobody_back() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "bad.kif", "手数----指手--\n1 ７六歩(55)\n", Encoding::Utf8 { bom: false });
    write(
        folder.path(),
        "foul.kif",
        "手数----指手--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ３三角成(88)\n4 ６二銀(71)\n",
        Encoding::Utf8 { bom: false },
    );
    write(folder.path(), "good.kif", "手数----指手--\n1 ７六歩(77)\n", Encoding::Utf8 { bom: false });
    let output = analyze(&["--in-place", "--nodes", "50", "--mate", "0", folder.path().to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(said.contains("bad.kif: line 2: there is no piece on 5e"), "{said}");
    assert!(said.contains("foul.kif: not analysed from move 4 on: "), "{said}");
    assert!(said.contains("6 positions analysed"), "{said}");
    let usi = write(folder.path(), "game.sfen", "startpos moves 7g7f\n", Encoding::Utf8 { bom: false });
    let output = analyze(&["--in-place", "--nodes", "50", usi.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("USI lines have no comments"));
    for (arguments, message) in [
        (&[][..], "not provided: <INPUT>... (try hagane analyze --help)"),
        (&["EMPTY"], "there are no game records in "),
        (&["USI", "-o", "a.xyz"], "the name a.xyz ends in no format (.kif, "),
        (&["USI", "-o", "folder"], "a new folder's name ends in /"),
    ] {
        let empty = folder.path().join("empty");
        std::fs::create_dir_all(&empty).unwrap();
        std::fs::write(empty.join("result.json"), "{}").unwrap();
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|&word| match word {
                "EMPTY" => empty.to_str().unwrap(),
                "USI" => usi.to_str().unwrap(),
                word => word,
            })
            .collect();
        let output = analyze(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(message), "{said}");
    }
    let output = analyze(&["--engine", "/nowhere/engine", usi.to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be started"));
}

/// What was analysed and could not be written is a failure.
#[test]
fn a_file_that_cannot_be_written_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "game.kif", GAME, Encoding::ShiftJis);
    // A file where the folder should be.
    let target = path.join("new.kif");
    let output = analyze(&["--depth", "1", "--mate", "0", "-o", target.to_str().unwrap(), path.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("new.kif was not written: ") && said.contains("not written: 1 of 1 record"), "{said}");
}

/// An engine with odd output: an illegal move at the end of its line, a mate without a number, no mate solver, a name
/// that Shift_JIS cannot encode.
#[cfg(unix)]
#[test]
fn odd_engines() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\nwhile read word rest; do\n case $word in\n usi) echo 'id name Odd🙂 = エンジン'; echo usiok;;\n isready) echo readyok;;\n\
         position) p=$rest;;\n go) case $rest in mate*) echo 'checkmate notimplemented';; *) case $p in\n\
         *7g7f) echo 'info depth 3 score cp 120 nodes 9 pv 3c3d 5i5a'; echo 'info string score cp 9'; echo 'bestmove 3c3d';;\n\
         *) echo 'info depth 1 score mate + pv 7g7f 3c3d'; echo 'bestmove resign';; esac;; esac;;\n quit) exit;;\n esac\ndone\n";
    let engine = folder.path().join("odd.sh");
    std::fs::write(&engine, script).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = write(folder.path(), "game.kif", "手合割：平手\n手数----指手--\n1 ７六歩(77)\n", Encoding::ShiftJis);
    let name = path.to_str().unwrap();
    let arguments = ["--in-place", "--depth", "3", "--engine", engine.to_str().unwrap(), name];
    assert!(!succeed(&arguments).contains("warning"));
    let document = Document::open(&path).unwrap();
    assert_eq!(document.encoding, Encoding::ShiftJis);
    let game = &document.games[0];
    let root = read_engine_lines(game, NodeId::ROOT);
    assert_eq!(root[0].evaluation, Some(Evaluation::Mate { winner: Color::Black, plies: None }));
    let after = read_engine_lines(game, game.main_end());
    assert_eq!(after[0].evaluation, Some(Evaluation::Cp(-120)));
    assert_eq!(after[0].pv.len(), 1);
    assert_eq!(after[0].engine.as_deref(), Some("Odd〓 = エンジン"));
    let first = std::fs::read(&path).unwrap();
    assert!(succeed(&arguments).contains("0 positions analysed"));
    assert_eq!(std::fs::read(&path).unwrap(), first);
    // It has no options at all.
    let said = succeed(&[&arguments[..], &["--multipv", "2"]].concat());
    assert!(said.contains("warning: the engine does not offer MultiPV and shows one line only"), "{said}");
}

/// An engine that dies at some positions is restarted, and the other positions are analysed.
#[cfg(unix)]
#[test]
fn an_engine_that_dies() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\nwhile read word rest; do\n case $word in\n usi) echo 'id name Mortal'; echo usiok;;\n isready) echo readyok;;\n\
         position) p=$rest;;\n go) case $p in *3c3d | FATAL) exit 3;; esac; echo 'info depth 1 score cp 5'; echo 'bestmove resign';;\n\
         quit) exit;;\n esac\ndone\n";
    let engine = folder.path().join("mortal.sh");
    let set = |fatal: &str| {
        std::fs::write(&engine, script.replace("FATAL", fatal)).unwrap();
        std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let path = write(folder.path(), "game.kif", GAME, Encoding::Utf8 { bom: false });
    let arguments =
        ["--in-place", "--depth", "1", "--mate", "0", "--engine", engine.to_str().unwrap(), path.to_str().unwrap()];
    let said = |output: Output| String::from_utf8_lossy(&output.stderr).into_owned();
    set("*3a2b");
    let text = said(analyze(&arguments));
    assert!(
        text.contains("failed at move 2: the engine ended by itself (exit status: 3)\n")
            && text.contains("failed at move 4: ")
            && text.contains("4 positions analysed"),
        "{text}"
    );
    // What failed is tried again; three failures are enough for a game.
    set("*");
    let path = write(folder.path(), "other.kif", GAME, Encoding::Utf8 { bom: false });
    let mut arguments = arguments;
    arguments[7] = path.to_str().unwrap();
    let text = said(analyze(&arguments));
    assert!(
        text.contains("failed at move 2: ")
            && text.contains("(exit status: 3); the rest of the game is left out")
            && text.contains("0 positions analysed"),
        "{text}"
    );
}

/// After a kill at any moment every file is the old or the new one, complete, and the next run finishes the work.
#[cfg(unix)]
#[test]
fn a_kill_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..12).map(|index| format!("{index}.kif")).collect();
    for name in &names {
        write(folder.path(), name, GAME, Encoding::ShiftJis);
    }
    let original = Document::read(GAME.as_bytes(), None).unwrap();
    let moves = |record: &Record| record.moves_to(record.main_end());
    for pause in [300, 150, 450, 220, 700] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hagane"))
            .args([
                "analyze",
                "--hash",
                "1",
                "--threads",
                "1",
                "--jobs",
                "2",
                "--in-place",
                "--nodes",
                "200",
                "--mate",
                "0",
                "-q",
            ])
            .arg(folder.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        for name in &names {
            let document = Document::open(&folder.path().join(name)).unwrap();
            assert!(document.warnings.is_empty() && !document.malformed);
            let game = &document.games[0];
            assert_eq!(game.ids().count(), original.games[0].ids().count());
            assert_eq!(moves(game), moves(&original.games[0]));
        }
    }
    succeed(&["--in-place", "--nodes", "200", "--mate", "0", "-q", folder.path().to_str().unwrap()]);
    for name in &names {
        let document = Document::open(&folder.path().join(name)).unwrap();
        let game = &document.games[0];
        let analysed =
            game.main_line().into_iter().filter(|&id| read_engine_lines(game, id).iter().any(|t| !t.by_player));
        assert_eq!(analysed.count(), 6);
    }
}

#[test]
fn reports_need_nothing_else_and_trust_no_name() {
    let mut text = GAME.to_owned();
    for (ply, score) in [(1, 40), (2, 30), (3, -800)] {
        let row = format!("\n   {ply} ");
        let at = text.find(&row).unwrap() + 1;
        let end = at + text[at..].find('\n').unwrap() + 1;
        text.insert_str(end, &format!("*#評価値={score}\n*#読み筋=\n*#エンジン=x\n"));
    }
    text = text.replacen("*開始局面\n", "*開始局面\n*#評価値=50\n*#読み筋=▲７六歩△３四歩\n*#エンジン=x\n", 1);
    let document = Document::read(text.as_bytes(), None).unwrap();
    let game = &document.games[0];
    let judgement =
        Judgement::new(game, |id| read_engine_lines(game, id).into_iter().filter(|line| !line.by_player).collect());
    assert_eq!(judgement.moves.len(), 3);
    let page = html_report(game, &judgement, "x & <y>", "time 100ms", None);
    assert!(page.len() < 1_000_000);
    for external in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(external), "{external}");
    }
    assert!(!page.contains("森<b>") && page.contains("森&lt;b&gt;") && page.contains("x &amp; &lt;y&gt;"));
    // Names with tags do not end a script: the page has exactly two scripts.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("<svg id=\"graph\"") && page.contains("悪手") && page.contains("blunder"));
    assert!(!page.contains("{{"));
}

/// Analyses files of 40 positions each without writing anything; returns positions, thinking and wall time, seconds.
fn measure(games: usize, workers: usize, budget: Budget) -> (usize, f64, f64) {
    let folder = tempfile::tempdir().unwrap();
    let mut position = Position::startpos();
    let mut game = String::from("position startpos moves");
    // Always the move in the middle of the list.
    for _ in 0..39 {
        let moves = position.legal_moves();
        let mv = moves[moves.len() / 2];
        game.push_str(&format!(" {mv}"));
        position.do_move(mv);
    }
    let jobs = (0..games)
        .map(|index| FileJob {
            source: write(folder.path(), &format!("{index}.sfen"), &game, Encoding::Utf8 { bom: false }),
            goal: Destination::Nowhere,
        })
        .collect();
    let plan = AnalysisPlan {
        engines: vec![
            EngineSpec::new(env!("CARGO_BIN_EXE_hagane"))
                .with_option("Threads", "1")
                .with_option("USI_Hash", "16")
                .with_option("USI_OwnBook", "false"),
        ],
        budget,
        mate: Duration::ZERO,
        lines: 1,
        style: CommentStyle::Pairs,
        variations: false,
        workers,
        force: false,
    };
    let start = Instant::now();
    let outcomes = analyze_files(&plan, jobs, &Interrupt::never(), &|_| {}).unwrap();
    let wall = start.elapsed().as_secs_f64();
    let sum = |part: fn(&hagane::analysis::FileOutcome) -> Duration| {
        outcomes.iter().map(part).sum::<Duration>().as_secs_f64()
    };
    let analyzed = outcomes.iter().map(|outcome| outcome.analyzed).sum();
    assert_eq!(analyzed, 40 * games);
    if workers == 1 {
        println!(
            "{analyzed} positions: {:.3} s of thinking, {:.3} s in all, {wall:.3} s with the engine's start",
            sum(|outcome| outcome.search_time),
            sum(|outcome| outcome.elapsed)
        );
    }
    (analyzed, sum(|outcome| outcome.elapsed), wall)
}

#[test]
#[ignore = "needs a quiet machine for a few seconds"]
fn little_time_is_lost_around_the_thinking() {
    let (positions, elapsed, _) = measure(2, 1, Budget::Time(Duration::from_millis(100)));
    let overhead = elapsed / (positions as f64 * 0.1) - 1.0;
    println!("over 100 ms a position: {:.2} %", overhead * 100.0);
    assert!(overhead < 0.03, "{overhead}");
}

#[test]
#[ignore = "needs two quiet cores for a minute"]
fn two_games_at_once_take_half_the_time() {
    let mut gains: Vec<f64> = (0..3)
        .map(|_| {
            let budget = Budget::Nodes(50_000);
            let (one, two) = (measure(2, 1, budget).2, measure(2, 2, budget).2);
            println!("one at a time {one:.2} s, two at once {two:.2} s");
            one / two
        })
        .collect();
    gains.sort_by(f64::total_cmp);
    println!("gain, median of three: {:.2}", gains[1]);
    assert!(gains[1] >= 1.9, "{gains:?}");
}

/// Random moves from a position, the same for each seed.
fn wander(position: &mut Position, plies: usize, seed: u64) -> Vec<Move> {
    position.play_out(plies, &mut Random::new(seed), |_| {})
}

/// The page of a game of 150 moves with a line of 24 moves at each.
fn long_report(language: Option<Language>) -> String {
    let mut record = Record::new(Start::of(Handicap::Even));
    let (mut position, mut at) = (Position::startpos(), NodeId::ROOT);
    for ply in 0..150 {
        let moves = wander(&mut position, 1, ply);
        at = record.add(at, Action::Move(moves[0]));
    }
    record.add(at, Action::End(hagane::record::End::Resign));
    assert_eq!(record.moves_to(at).len(), 150);
    let judgement = Judgement::new(&record, |id| {
        let ply = record.ply(id) as u64;
        let mut position = record.start_position().unwrap();
        for mv in record.moves_to(id) {
            position.do_move(mv);
        }
        vec![EngineLine {
            evaluation: Some(Evaluation::Cp((ply * 7919 % 2000) as i32 - 1000)),
            pv: wander(&mut position, 24, ply * 31),
            ..EngineLine::default()
        }]
    });
    assert_eq!(judgement.moves.len(), 150);
    html_report(&record, &judgement, "engine", "time 100ms", language)
}

#[test]
fn a_report_of_150_moves_is_small() {
    let size = long_report(None).len();
    println!("{size} bytes");
    assert!(size < 1_000_000, "{size}");
}

/// Board, list and graph as a browser builds them, and how long it takes.
#[cfg(unix)]
#[test]
#[ignore = "needs Chromium"]
fn a_report_opens_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    // The page writes its load time and errors into its own document.
    let probe = "<script>addEventListener('load', () => document.documentElement.dataset.loaded = \
                 Math.round(performance.now()));addEventListener('error', (event) => \
                 document.documentElement.dataset.error = event.message);</script>";
    let page = |language| long_report(language).replacen("<head>", &format!("<head>{probe}"), 1);
    let path = write(folder.path(), "game.html", &page(None), Encoding::Utf8 { bom: false });
    let open = |hash: &str| {
        let output = Command::new("chromium")
            .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .args(["--dump-dom", &format!("file://{}#{hash}", path.display())])
            .output()
            .expect("chromium starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let mut times = Vec::new();
    for (hash, language, move_text) in [("ja", "ja", "開始局面"), ("en", "en", ">start<"), ("ja3", "ja", "開始局面")]
    {
        let dom = open(hash);
        assert!(!dom.contains("data-error"), "{dom}");
        assert!(dom.contains(&format!("data-lang=\"{language}\"")));
        let part = |from: &str, to: &str| dom.split(from).nth(1).unwrap().split(to).next().unwrap();
        let board = part("<div id=\"board\">", "<p class=\"buttons\">");
        assert_eq!(board.matches("<td").count(), 81);
        assert_eq!(board.matches("<span").count(), 40);
        let list = part("<ol id=\"moves\">", "</ol>");
        assert_eq!(list.matches("<li").count(), 1 + 150 + 1);
        assert!(list.contains(move_text), "{list}");
        let loaded = dom.split("data-loaded=\"").nth(1).unwrap();
        times.push(loaded.split('"').next().unwrap().parse::<u32>().unwrap());
    }
    times.sort_unstable();
    println!("loaded and drawn after {times:?} ms");
    assert!(times[1] < 1000, "{times:?}");
    // Without a word in the address the page's own language counts, whatever the browser's is.
    for (language, code) in [(Language::Japanese, "ja"), (Language::English, "en")] {
        write(folder.path(), "game.html", &page(Some(language)), Encoding::Utf8 { bom: false });
        assert!(open("").contains(&format!("data-lang=\"{code}\"")));
    }
    let dom = open("84");
    let chosen: Vec<&str> =
        dom.split("<li class=\"").filter(|item| item.split('"').next().unwrap().ends_with("on")).collect();
    assert_eq!(chosen.len(), 1);
    assert!(chosen[0].contains("<i>84</i>"), "{}", chosen[0]);
}
