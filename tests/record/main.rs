//! Game records: every oddity read or refused with line and reason, and what is written again means the same.

mod convert;
mod faults;
mod kinds;
mod mutations;
mod sketch;
mod trees;
mod tsshogi;

use std::path::{Path, PathBuf};

use hagane::platform::random::Random;
use hagane::record::{Action, Comment, Document, Encoding, End, FileFormat, Handicap, Newline, NodeId, Record};

fn read(text: &str) -> Document {
    Document::read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// Reads, writes and reads again in the document's own format: nothing may be lost, and a second writing changes
/// nothing.
fn assert_round_trip(document: &Document, name: &str) {
    let (bytes, losses) = document.to_bytes();
    let again = Document::read(&bytes, Some(document.format))
        .unwrap_or_else(|error| panic!("{name}: {error} in\n{}", Encoding::decode(&bytes).0));
    assert_eq!(losses, [""; 0], "{name}");
    assert_eq!(again.format, document.format, "{name}");
    assert_eq!(again.encoding, document.encoding, "{name}");
    assert_eq!(again.newline, document.newline, "{name}");
    assert_eq!(again.games.len(), document.games.len(), "{name}");
    for (before, after) in document.games.iter().zip(&again.games) {
        assert_eq!(before.difference(after), None, "{name}");
        assert_eq!(before.remarks, after.remarks, "{name}");
    }
    assert_eq!(again.to_bytes().0, bytes, "{name}");
}

/// What every format but USI holds: the game, its comments and its end.
fn assert_converts(document: &Document, name: &str) {
    let game = &document.games[0];
    for format in [FileFormat::Kif, FileFormat::Ki2, FileFormat::Csa, FileFormat::Jkf, FileFormat::Usi] {
        let (text, _) = game.write(format);
        let other = Document::read(text.as_bytes(), Some(format))
            .unwrap_or_else(|error| panic!("{name} as {format}: {error} in\n{text}"));
        assert_eq!(other.format, format, "{name}\n{text}");
        let other = &other.games[0];
        assert_eq!(other.start.diagram, game.start.diagram, "{name} as {format}");
        let moves = |record: &Record| record.moves_to(record.main_end());
        assert_eq!(moves(other), moves(game), "{name} as {format}");
        if format == FileFormat::Usi {
            continue;
        }
        for (a, b) in game.main_line().into_iter().zip(other.main_line()) {
            let text = |record: &Record, id| -> Vec<String> {
                let comments = &record.node(id).comments;
                let texts = comments.iter().filter(|c| matches!(c, Comment::Text(_)));
                texts.map(|c| c.line().to_owned()).collect()
            };
            let has_remarks = game.node(a).comments.iter().any(|c| !matches!(c, Comment::Text(_)));
            if format != FileFormat::Jkf || !has_remarks {
                assert_eq!(text(game, a), text(other, b), "{name} as {format}");
            }
            let clock = |record: &Record, id| record.node(id).clock.map(|clock| clock.spent.as_secs());
            if format != FileFormat::Ki2 {
                assert_eq!(clock(game, a), clock(other, b), "{name} as {format}");
            }
        }
        if format != FileFormat::Csa {
            assert_eq!(other.ids().count(), game.ids().count(), "{name} as {format}\n{text}");
        }
    }
}

/// Small samples, one oddity or more each.
pub const SAMPLES: &[(&str, &str)] = &[
    (
        "KIF of Kifu for Windows with clocks, comments, a bookmark and variations",
        "#KIF version=2.0 encoding=UTF-8\n# ---- a remark ----\n開始日時：2000/12/30 10：00\n手合割：平手　　\n先手：\n後手：先手：後手\n\
         手数----指手---------消費時間--\n*root\n*\n* indented\n&しおり\n   1 ７六歩(77)   ( 0:02/00:00:02)+\n*one\n#remark\n   2 ３四歩(33)   ( 0:01/00:00:01)+\n\
         \x20  3 ２六歩(27)   (61:03/01:01:05)+\n*last\n   4 投了         ( 0:00/00:00:01)\n*after\nまで3手で先手の勝ち\n\n\
         変化：3手\n   3 ７五歩(76)   ( 0:01/00:00:03)\n   4 中断         ( 0:00/00:00:01)\nまで3手で中断\n\n\
         変化：2手\n   2 ８四歩(83)   ( 0:07/00:00:07)\n   3 ６八銀(79)   ( 0:02/00:00:04)+\n   4 持将棋       ( 0:00/00:00:07)\n\n\
         変化：3手\n   3 ２六歩(27)   ( 0:08/00:00:10)\n   4 切れ負け     ( 0:00/00:00:07)\n\n\
         変化：1手\n   1 ２六歩(27)   ( 0:05/00:00:05)\n   2 反則勝ち     ( 0:00/00:00:03)\nまで1手で後手の反則勝ち\n",
    ),
    (
        "KIF of other programs: spaced clocks, missing totals, short fields, no blanks, 王, 竜, ▲",
        "手合割：平手\n先手：a\n後手：b\n手数----指手---------消費時間--\n1 ▲７六歩(77) (00:31 / 00:00:31)\n2   △３四歩(33)   ( 0:7/)\n\
         3 ２二角成(88)   (0:4/0:0:4)\n4 同銀(31) ( 0:01/00:00:02)+\n5 ５八王(59)\n6 ４二王(51)\n7 Time-up ( 0:0/)\n",
    ),
    (
        "KIF with full-width and half-width 同, promoted pieces in one character, 不成",
        "手数----指手--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角不成(88)\n   4 同　飛(82)\n   5 ３三角打\n   6 同 桂(21)\n",
    ),
    (
        "KIF without the line above the moves, without an end row",
        "先手：a\n   1 ７六歩(77)\n   2 ３四歩(33)\nまで2手で中断\n",
    ),
    (
        "KIF with a handicap",
        "手合割：六枚落ち\n下手：s\n上手：u\n手数----指手--\n1 ４二玉(51)\n2 ７六歩(77)\n3 投了\nまで2手で下手の勝ち\n",
    ),
    (
        "KIF of a problem: one king, drawn board, 詰み",
        "後手の持駒：飛二　角　銀二　桂四　香四　歩九　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ 杏 圭 全 ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n\
         +---------------------------+\n先手の持駒：角　金四　歩十一\n手数----指手--\n*作者\n   1 ５二金打\n   2 詰み\nまで1手で詰み\n",
    ),
    (
        "KIF that no game can reach: nine pawns on a file, White to move, declaration",
        "手合割：その他　\n上手の持駒：銀四　桂四　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n| ・ ・ ・ ・ ・ ・ ・v歩v玉|一\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|二\n\
         | ・ ・ ・ ・ ・ ・ ・v歩 ・|三\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|四\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|五\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|六\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|七\n\
         | ・ ・ ・ ・ ・ ・ ・v歩 ・|八\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|九\n+---------------------------+\n下手の持駒：飛二　香四　\n上手番\n下手：s\n上手：u\n\
         手数----指手--\n   1 １二桂打\n   2 １三香打\n   3 入玉勝ち\n",
    ),
    ("KIF with an end at the first move", "手数----指手--\n   1 入玉勝ち\n"),
    ("KIF without moves", "手合割：角落ち\n下手：\n上手：\n手数----指手--\n*comment\n"),
    (
        "KIF with a sealed move",
        "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:00/00:00:00)\n   2 封じ手       (25:00/00:25:00)\nまで1手で封じ手\n",
    ),
    (
        "KI2 with comments between moves, marks of every kind, distinctions, variations",
        "開始日時：2014/10/16\n先手：a\n後手：b\n\n*root\n▲７六歩    ▽３四歩    ☗２六歩 ☖４四歩▲４八銀\n*comment\n**評価値=80\n*\n△４二銀    ▲５六歩\nまで7手で中断\n\n\
         変化：   3手\n▲６六歩\nまで3手で先手の勝ち\n\n変化：   2手\n△８四歩    ▲６八銀\n\n変化：   3手\n▲２六歩\nまで3手で時間切れにより先手の勝ち\n",
    ),
    ("KI2 on one line without anything else", "▲７六歩△３四歩▲２二角成△同銀▲４五角△５二金右▲５八金左△６二銀"),
    (
        "KI2 with a handicap and an end below the root",
        "手合割：左七枚落ち\n下手：s\n上手：u\n\nまで0手で上手の入玉勝ち\n",
    ),
    (
        "CSA 2.2 with all headers, comments, remarks, clocks",
        "V2.2\nN+NAKAHARA\nN-YONENAGA\n'a remark\n$EVENT:13th World Computer Shogi Championship\n$SITE:KAZUSA ARC\n$START_TIME:2003/05/03 10:30:00\n\
         $END_TIME:2003/05/03 11:11:05\n$TIME_LIMIT:00:25+00\n$OPENING:YAGURA\n$X_OWN:value\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
         P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  *\nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n\
         P8 * +KA *  *  *  *  * +HI *.\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\nP+\nP-\n+\n'rating:a:b\n+2726FU\nT12\n'** 104 -3334FU +7776FU\n'*comment\n-3334FU\nT6\n%CHUDAN\n'summary:x\n",
    ),
    (
        "CSA in one line each, with commas; a foul",
        "'encoding=UTF-8\nV2\nPI\n+\n+7776FU,T2\n-3334FU  ,T5      ,'T3      ,'3334\n+8822UM,T6\n%-ILLEGAL_ACTION,T51\n",
    ),
    (
        "CSA 3.0 with fractions of seconds",
        "'CSA encoding=UTF-8\nV3.0\nN+先手\nPI\n+\n+7776FU\nT1.500\n-3334FU\nT0.025\n%TORYO\nT3\n",
    ),
    ("CSA with a handicap by removal", "V2.2\nN+s\nN-u\nPI82HI22KA\n-\n-5142OU\n+7776FU\n%TSUMI\n"),
    (
        "CSA with single squares and the rest in hand",
        "V2.2\nP-11OU21FU22FU23FU24FU25FU\nP+15FU00HI00HI\nP-00AL\n+\n+0012HI\n%TIME_UP\n",
    ),
    ("CSA with two games", "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nV2.2\nN+b\nPI\n+\n+2726FU\n-8384FU\n%KACHI\n"),
    ("CSA of version 1 without a side line", "N+a\nN-b\nPI\n+7776FU\n-3334FU\n%SENNICHITE\n"),
    (
        "USI lines",
        "position startpos moves 7g7f 3c3d 8h2b+ resign\nposition startpos\nposition sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 12 moves 5a4b win\n",
    ),
    ("bare SFEN", "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1\n"),
    (
        "JKF with forks in forks, comments, a bookmark, times, an end",
        r#"{"header":{"先手":"na2hiro","n":1},"initial":{"preset":"HIRATE"},"moves":[{"comments":["a","","b"]},
        {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"},"time":{"now":{"m":1,"s":2},"total":{"h":0,"m":1,"s":2}},"comments":["&mark"]},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"color":1,"piece":"FU"},"forks":[[{"move":{"from":{"x":8,"y":3},"to":{"x":8,"y":4},"color":1,"piece":"FU"}},
          {"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":6},"color":0,"piece":"FU"},"forks":[[{"special":"CHUDAN"}]]}],[{"special":"TIME_UP"}]]},
        {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"color":0,"piece":"KA","promote":true,"capture":"KA"}},
        {"move":{"from":{"x":3,"y":1},"same":true,"color":1,"piece":"GI","capture":"UM"}},
        {"move":{"to":{"x":5,"y":5},"color":0,"piece":"KA"}},{"special":"TORYO"}]}"#,
    ),
    (
        "JKF with an own board",
        r#"{"header":{},"initial":{"preset":"OTHER","data":{"color":1,"board":[[{"color":1,"kind":"OU"},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{"color":0,"kind":"UM"},{},{},{},{},{},{}],
        [{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{"color":0,"kind":"OU"}]],
        "hands":[{"FU":2},{"HI":1,"FU":0}]}},"moves":[{},{"move":{"to":{"x":2,"y":2},"piece":"HI"}}]}"#,
    ),
];

#[test]
fn samples_round_trip_in_every_encoding() {
    for (name, text) in SAMPLES {
        let mut document = read(text);
        assert_round_trip(&document, name);
        for encoding in ["utf8-bom", "sjis", "euc-jp", "utf16"] {
            document.encoding = encoding.parse().unwrap();
            if document.to_bytes().0.is_ascii() {
                continue;
            }
            assert_round_trip(&document, &format!("{name} in {encoding}"));
        }
        for newline in [Newline::CrLf, Newline::Cr] {
            document.newline = newline;
            document.encoding = Encoding::Utf8 { bom: false };
            assert_round_trip(&document, &format!("{name} with {newline:?}"));
        }
    }
}

#[test]
fn samples_convert_to_every_format() {
    for (name, text) in SAMPLES {
        assert_converts(&read(text), name);
    }
}

#[test]
fn samples_say_what_they_say() {
    let game = |index: usize| read(SAMPLES[index].1).games.swap_remove(0);
    let kif = game(0);
    assert_eq!(kif.ids().count(), 14);
    assert_eq!(kif.header("後手"), Some("先手：後手"));
    assert_eq!(kif.remarks, [" ---- a remark ----"]);
    let root = kif.node(NodeId::ROOT);
    assert_eq!(root.comments, ["root", "", " indented"].map(|line| Comment::Text(line.to_owned())));
    assert_eq!(root.bookmark.as_deref(), Some("しおり"));
    let line = kif.main_line();
    let clock = kif.node(line[3]).clock.unwrap();
    assert_eq!((clock.spent.as_secs(), clock.total.unwrap().as_secs()), (3663, 3665));
    assert_eq!(kif.node(line[4]).end(), Some(&End::Resign));
    assert_eq!(kif.node(NodeId::ROOT).children().len(), 2);
    assert_eq!(kif.node(line[1]).children().len(), 2);

    // A variation of a variation hangs on the variation.
    let second = kif.node(line[1]).children()[1];
    assert_eq!(kif.node(second).children().len(), 2);

    assert_eq!(game(4).start.handicap, Some(Handicap::Six));
    assert_eq!(game(4).side_name(hagane::types::Color::White), "上手");
    let foul = game(14);
    assert_eq!(foul.node(foul.main_end()).end(), Some(&End::IllegalLoss));
    assert!(matches!(foul.node(foul.main_line()[2]).comments[..], [Comment::Remark(_)]));
    let handicap = game(16);
    assert_eq!(handicap.start.handicap, Some(Handicap::Two));
    assert_eq!(handicap.header("下手"), Some("s"));
    let hands = game(17);
    assert_eq!(hands.start.diagram.hand(hagane::types::Color::White, hagane::types::PieceType::Pawn), 12);
    let jkf = read(SAMPLES[22].1).games.swap_remove(0);
    assert_eq!(jkf.node(jkf.main_line()[1]).bookmark.as_deref(), Some("mark"));
    assert_eq!(jkf.node(jkf.main_line()[1]).children().len(), 3);
    assert_eq!(jkf.moves_to(jkf.main_end()).last().unwrap().to_string(), "B*5e");
}

#[test]
fn refusals_name_line_and_reason() {
    for (text, message) in [
        ("", "line 1: the file is empty"),
        ("hello\n", "line 1: this is none of KIF, KI2, CSA, USI and JKF"),
        ("#YANEURAOU-DB2016 1.00\n", "line 1: this is an opening book (YaneuraOu's format), not a game record"),
        ("\0\0", "line 1: this is not text (byte 0 at offset 0)"),
        ("手合割：平手\n手数----指手--\n1 ７六歩(77)\n2 ３四歩(22)\n", "line 4: the piece on 2b is 角, not 歩"),
        ("手数----指手--\n1 ７六歩(55)\n", "line 2: there is no piece on 5e"),
        ("手数----指手--\n1 ３四歩(33)\n", "line 2: '３四歩(33)': the piece on 3c is the opponent's"),
        ("手数----指手--\n1 ５五角打\n", "line 2: '５五角打': there is no bishop in hand"),
        ("手数----指手--\n1 同　歩(77)\n", "line 2: 同 stands where there is no move before it"),
        ("手数----指手--\n1 ７猫歩(77)\n", "line 2: '７猫歩(77)' is not a move"),
        ("手数----指手--\n1 ７六歩(77) (0:xx/)\n", "line 2: '(0:xx/)' is no clock (expected ( 0:12/00:01:30))"),
        ("手数----指手--\n1 パス\n", "line 2: a pass is no move"),
        (
            "手数----指手--\n1 ７六歩(77)\n\n変化：5手\n5 ２六歩(27)\n",
            "line 4: the variation begins at move 5, but the line before it has only 1 move (first move 1)",
        ),
        ("手数----指手--\n1 投了\n2 ７六歩(77)\n", "line 3: a move follows the end of the game"),
        (
            "手合割：猫落ち\n手数----指手--\n",
            "line 1: the handicap '猫落ち' is not known and no board is drawn (known are 平手 香落ち 右香落ち 角落ち 飛車落ち \
             飛香落ち 二枚落ち 三枚落ち 四枚落ち 五枚落ち 左五枚落ち 六枚落ち 左七枚落ち 右七枚落ち 八枚落ち 十枚落ち 両香落ち \
             左九枚落ち 右九枚落ち 歩三兵 裸玉 トンボ トンボ＋香 トンボ＋桂香)",
        ),
        ("| ・ ・|一\n手数----指手--\n", "line 1: the drawn rank '・ ・' has 2 squares, not 9"),
        ("先手：a\n▲７六歩 △３四\n", "line 2: '△３四' names no piece"),
        ("▲７六歩 △５二金\n", "line 1: '△５二金': 2 pieces 金 can go to 5b: 4a, 6a"),
        ("▲５五歩\n", "line 1: '▲５五歩': no 歩 can go to 5e"),
        ("V2.2\nPI\n+\n+7775FU\n-3334FU\n+3333FU\n", "line 6: '+3333FU': there is no piece on 3c"),
        ("V2.2\nPI\n+\n-3334FU\n", "line 4: '-3334FU': it is black's move"),
        ("V2.2\nPI\n+\n+7776KY\n", "line 4: '+7776KY': the piece on 7g is a pawn"),
        ("V2.2\nP1-XX * \n", "line 2: '-XX' is no piece"),
        ("V2.2\nPI\n+\nQ\n", "line 4: 'Q' is no statement of CSA"),
        ("V2.2\nPI\n+\n+7776FU\nTx\n", "line 5: 'Tx' is no time (expected T12)"),
        ("position startpos moves 7g7f 9x9y\n", "line 1: '9x9y' is not a move (expected 7g7f, 8h2b+ or P*5e)"),
        ("position sfen 9/9 b - 1\n", "line 1: the board '9/9' has 2 ranks, not 9"),
        ("{\"moves\": 3}", "line 1: not JKF: invalid type: integer `3`, expected a sequence at line 1 column 11"),
        (
            "{\"moves\":[{},{\"move\":{\"from\":{\"x\":5,\"y\":5},\"to\":{\"x\":5,\"y\":4},\"piece\":\"FU\"}}]}",
            "line 1: move 1: there is no piece on 5e",
        ),
    ] {
        let error = Document::read(text.as_bytes(), None).err();
        assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(message), "{text}");
    }
}

#[test]
fn oddities_are_read_with_a_warning() {
    for (text, warning) in [
        ("手数----指手--\n1 ７六歩(77)\n1 ３四歩(33)\n", "line 3: the move is numbered 1, where 2 was expected"),
        ("手数----指手--\n1 ７六歩(77)\nmeow\n", "line 3: 'meow' is no line of the format; kept as it is"),
        ("手数----指手--\n1 猫勝ち\n", "line 2: '猫勝ち' is taken for the end of the game"),
        ("手数----指手--\n1 投了\n2 中断\n", "line 3: '2 中断' follows the end of the line"),
        ("△７六歩\n", "line 1: '△７六歩' has the mark of the side that is not to move"),
        ("V9\nPI\n+\n", "line 1: version 'V9' is not known; read as V2.2"),
    ] {
        let document = read(text);
        let warnings: Vec<String> = document.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, [warning]);
        assert_round_trip(&Document { warnings: Vec::new(), ..document }, text);
    }
}

#[test]
fn shift_jis_stays_shift_jis_and_holds_nothing_else() {
    let text = "手合割：平手\n先手：森\n手数----指手--\n1 ７六歩(77)\n";
    let mut document = read(text);
    document.encoding = Encoding::ShiftJis;
    let (bytes, _) = document.to_bytes();
    let mut document = Document::read(&bytes, None).unwrap();
    assert_eq!(document.encoding, Encoding::ShiftJis);
    document.games[0].set_header("先手", "森雞二🙂〜");
    let (bytes, losses) = document.to_bytes();
    assert_eq!(losses, ["Shift_JIS cannot hold '雞', '🙂'; 〓 stands for them"]);
    let again = Document::read(&bytes, None).unwrap();
    assert!(!again.malformed);
    assert_eq!(again.games[0].header("先手"), Some("森〓二〓～"));
}

#[test]
fn a_save_replaces_the_whole_file_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("棋譜.kif");
    let document = read(SAMPLES[0].1);
    document.save(&path).unwrap();
    let first = std::fs::read(&path).unwrap();
    document.save(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), first);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(document.save(&folder.path().join("nowhere/a.kif")).is_err());
}

/// Bytes of all sorts: refused or read, never a panic.
#[test]
fn damaged_files_never_panic() {
    let mut random = Random::new(1);
    for (name, text) in SAMPLES {
        let document = read(text);
        for encoding in [Encoding::Utf8 { bom: false }, Encoding::ShiftJis] {
            let bytes = Document { encoding, ..document.clone() }.to_bytes().0;
            for _ in 0..150 {
                let mut bytes = bytes.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    match random.below(4) {
                        0 => bytes.truncate(at.max(1)),
                        1 => bytes[at] = random.below(256) as u8,
                        2 => {
                            bytes.remove(at);
                            if bytes.is_empty() {
                                bytes.push(b'1');
                            }
                        }
                        _ => {
                            let copied = bytes[at..].to_vec();
                            bytes.extend(copied);
                        }
                    }
                }
                if let Ok(document) = Document::read(&bytes, None) {
                    for format in [FileFormat::Kif, FileFormat::Ki2, FileFormat::Csa, FileFormat::Usi, FileFormat::Jkf]
                    {
                        let _ = (Document { format, ..document.clone() }).to_bytes();
                    }
                } else if bytes.is_empty() {
                    panic!("{name}");
                }
            }
        }
    }
}

/// A thousand variations, each inside the one before.
#[test]
fn deep_variations_are_no_danger() {
    let mut text = String::from("手数----指手--\n");
    for ply in 1..=1000 {
        if ply > 1 {
            text.push_str(&format!("変化：{ply}手\n"));
        }
        let word = [["５八玉(59)", "５二玉(51)"], ["５九玉(58)", "５一玉(52)"]][(ply - 1) / 2 % 2][(ply - 1) % 2];
        text.push_str(&format!("{ply} {word}\n{} 中断\n", ply + 1));
    }
    let document = read(&text);
    assert_eq!(document.games[0].ids().count(), 2001);
    assert_round_trip(&document, "deep");
    let (jkf, losses) = document.games[0].write(FileFormat::Jkf);
    assert_eq!(losses.len(), 1);
    assert!(Document::read(jkf.as_bytes(), None).is_ok());
}

fn files_under(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_under(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Real files of many programs, where they are at hand.
#[test]
fn real_files_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/records");
    if !folder.is_dir() {
        println!("skipped: {} is not here", folder.display());
        return;
    }
    let mut files = Vec::new();
    files_under(&folder, &mut files);
    let (mut read, mut refused) = (0, Vec::new());
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        match Document::read(&bytes, FileFormat::of_path(path)) {
            Ok(document) => {
                read += 1;
                assert_round_trip(&document, &name);
                assert_converts(&document, &name);
            }
            Err(error) => refused.push((path, format!("{name}: {error}"))),
        }
    }
    println!("{} files: {read} read and round-tripped, {} refused", files.len(), refused.len());
    for (_, line) in &refused {
        println!("{line}");
    }
    // Only what is no record at all: opening books.
    refused.retain(|(path, _)| {
        !path.components().any(|part| part.as_os_str().to_string_lossy().ends_with("_book_testdata"))
    });
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn every_action_of_a_game_has_its_node() {
    let game = read(SAMPLES[0].1).games.swap_remove(0);
    for id in game.ids() {
        match game.node(id).action() {
            Action::Start => assert_eq!(id, NodeId::ROOT),
            Action::Move(_) | Action::End(_) => {
                let parent = game.node(id).parent().unwrap();
                assert!(game.node(parent).children().contains(&id));
                assert_eq!(game.ply(parent) + 1, game.ply(id));
            }
        }
    }
}

#[test]
fn fouls_are_found_in_every_line() {
    let fouls = |text: &str| -> Vec<String> {
        let game = read(text).games.swap_remove(0);
        game.illegal_moves().into_iter().map(|foul| format!("{}: {}", game.ply(foul.node), foul.reason)).collect()
    };
    assert_eq!(fouls(SAMPLES[0].1), [""; 0]);
    let check = "手数----指手--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ３三角成(88)\n4 ６二銀(71)\n変化：2手\n2 ４二玉(51)\n3 ３三角成(88)\n4 ３三玉(42)\n5 ３三歩打\n";
    let found = fouls(&check.replace("5 ３三歩打\n", ""));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("4: "), "{found:?}");
    let two_pawns = fouls("position startpos moves 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 8e8f P*9f");
    assert_eq!(two_pawns.len(), 1, "{two_pawns:?}");
    let unplayable = fouls("9/9/9/9/9/9/9/9/P8 w - 1");
    assert!(unplayable[0].starts_with("0: "));
}
