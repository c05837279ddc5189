//! The kinds of which `faults.rs` has one example each, as tables.

use hagane::record::{Document, Encoding, End, FileFormat, Handicap, WarningKind};
use hagane::types::Color;

use super::sketch::{headers, sketch, warnings};
use super::{assert_round_trip, read};

/// Every kind of line in every place of the head: the rest of the head is read all the same.
#[test]
fn nothing_in_a_head_ends_it() {
    let head = ["手合割：角落ち", "棋戦：某", "下手：甲", "上手：乙", "# 註"];
    let expected = "棋戦=某; 下手=甲; 上手=乙";
    let rows = "手数----指手--\n1 ６二銀(71)\n2 ７六歩(77)\n";
    let words = "\n△６二銀 ▲７六歩\n";
    for (format, moves) in [(FileFormat::Kif, rows), (FileFormat::Ki2, words)] {
        for (line, shown, understood) in [
            ("*大会の棋譜", "{*大会の棋譜}", true),
            ("*先手：丙", "{*先手：丙}", true),
            ("&しおり", "<しおり>", true),
            ("盤面回転", "?盤面回転", false),
            ("Sente: A", "?Sente: A", false),
            ("第１局　練習", "?第１局　練習", false),
            ("-------", "?-------", false),
            ("変化：3手", "?変化：3手", false),
            ("2024/01/02", "?2024/01/02", false),
            ("2024 年", "?2024 年", false),
        ] {
            for place in 0..=head.len() {
                let mut lines = head.to_vec();
                lines.insert(place, line);
                let text = format!("{}\n{moves}", lines.join("\n"));
                let document =
                    Document::read(text.as_bytes(), Some(format)).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let game = &document.games[0];
                let all = headers(game) + &sketch(game);
                assert_eq!(document.format, format, "{text}");
                assert_eq!(game.start.handicap, Some(Handicap::Bishop), "{text}");
                assert!(all.contains(shown), "{all}\n{text}");
                assert_eq!(game.main_line().len(), 3, "{text}");
                let known =
                    headers(game).split("; ").filter(|part| !part.starts_with('?')).collect::<Vec<_>>().join("; ");
                assert_eq!(known, expected, "{text}");
                let warned = if understood { String::new() } else { format!("{}!", place + 1) };
                assert_eq!(warnings(&document), warned, "{text}");
                assert_round_trip(&document, &text);
            }
        }
    }
}

/// Every spelling of a number with everything that may follow a move.
#[test]
fn rows_of_all_spellings() {
    let numbers = ["   1 ", "1 ", "1. ", "1.", "1手目 ", "1手目　", "１　", "１．", "1)", "1、"];
    let moves = ["７六歩(77)", "▲７六歩(77)", "７六歩", "76歩(77)", "７六　歩(77)"];
    let tails = [
        ("", "", ""),
        ("   ( 0:05/00:00:05)", "[5]", ""),
        ("(0:5/)+", "[5]", ""),
        (" (00:05 / 00:00:05)", "[5]", ""),
        ("   ( 0:05/00:00:05) ( 0:05/00:00:05)", "[5]", ""),
        ("   0:05", "[5]", ""),
        ("   0:05/0:00:05", "[5]", ""),
        ("   (5秒)", "[5]", ""),
        ("   +", "", ""),
        ("   *10:05 開始", "{*10:05 開始}", ""),
        ("   ( 0:05/00:00:05) *好手", "[5]{*好手}", ""),
        ("   ( 0:05/00:00:05)+ *好手", "[5]{*好手}", ""),
        ("   好手", "{#好手}", "2!"),
        ("   ( 0:05/00:00:05) 好手", "[5]{#好手}", "2!"),
        ("   (好手)", "{#(好手)}", "2!"),
        ("   (開始 10:05)", "{#(開始 10:05)}", "2!"),
        ("   ( 0:-5/00:00:00)", "[0]", "2!"),
        ("   ( 0:05/00:00:05) ( 0:09/00:00:09)", "[5]", "2!"),
    ];
    for number in numbers {
        for mv in moves {
            for (tail, shown, warned) in tails {
                let text = format!("手数----指手--\n{number}{mv}{tail}\n");
                let document = read(&text);
                assert_eq!(sketch(&document.games[0]), format!("startpos 7g7f{shown}"), "{text}");
                assert_eq!(warnings(&document), warned, "{text}");
                assert_eq!(document.format, FileFormat::Kif);
                assert_round_trip(&document, &text);
            }
        }
    }
}

/// Without a number, without the line above the moves, as KI2 without marks.
#[test]
fn moves_are_not_lost_silently() {
    for text in [
        "７六歩(77)\n３四歩(33)\n２六歩(27)\n",
        "先手：甲\n1.７六歩(77)\n2.３四歩(33)\n3.２六歩(27)\n",
        "先手：甲\n1手目 ７六歩(77)\n2手目 ３四歩(33)\n3手目 ２六歩(27)\n",
        "１７六歩(77)\n２３四歩(33)\n３２六歩(27)\n",
        "▲７六歩 △３四歩\n２六歩\n",
        "▲７六歩△３四歩▲２六歩",
        "☗７六歩\n☖３四歩\n☗２六歩\n",
    ] {
        let document = read(text);
        assert_eq!(sketch(&document.games[0]), "startpos 7g7f 3c3d 2g2f", "{text}");
        assert_eq!(document.not_understood(), None, "{text}");
    }
    let document = read("▲７六歩 △３四歩 *角道\n▲２六歩*飛先\n");
    assert_eq!(sketch(&document.games[0]), "startpos 7g7f 3c3d{*角道} 2g2f{*飛先}");
    // A line of moves that does not fit is kept, as any line that is not understood.
    let document = read("▲７六歩\n５五角 ３四歩\n");
    assert_eq!(sketch(&document.games[0]), "startpos 7g7f{?５五角 ３四歩}");
    assert_eq!(warnings(&document), "2!");
    // A game in which no move could be read, though there seem to be some, is refused.
    for text in ["手数----指手--\n【1】７六歩(77)\n【2】３四歩(33)\n", "先手：甲\n手数----指手--\n- ７六歩(77)\n"]
    {
        let error = Document::read(text.as_bytes(), None).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.ends_with("the line seems to have a move that cannot be read"), "{error} in {text}");
    }
    let document = read("position startpos moves 7g7f resign 3c3d\n");
    assert_eq!(warnings(&document), "1!");
}

#[test]
fn variations_begin_where_the_rows_are_numbered() {
    let rows = |first: usize, line: &[&str]| -> String {
        line.iter().enumerate().map(|(index, word)| format!("{} {word}\n", first + index)).collect()
    };
    let main = ["７六歩(77)", "３四歩(33)", "２六歩(27)", "８四歩(83)"];
    for first in [1, 3, 10, 171] {
        let played = if first == 1 { String::new() } else { format!("手数＝{}　まで\n", first - 1) };
        let text = |at: usize, line: &[&str]| {
            format!("{played}手数----指手--\n{}\n変化：{at}手\n{}", rows(first, &main), rows(at, line))
        };
        for (index, word) in ["２六歩(27)", "８四歩(83)", "２五歩(26)"].into_iter().enumerate().take(2) {
            let document = read(&text(first + index, &[word]));
            let game = &document.games[0];
            let parent = game.main_line()[index];
            assert_eq!(game.node(parent).children().len(), 2, "move {index} from {first}");
            assert_eq!(document.warnings, [], "from {first}");
            assert_eq!(game.first_number as usize, first);
            assert_round_trip(&document, "numbered");
            let written = game.write(FileFormat::Kif).0;
            assert!(written.contains(&format!("\n変化：{}手\n", first + index)), "{written}");
        }
        for missing in [first - 1, first + 5, first + 100] {
            let refused = Document::read(text(missing, &["２五歩(26)"]).as_bytes(), None).unwrap_err();
            assert!(refused.to_string().contains(&format!("begins at move {missing}, but")), "{refused}");
        }
    }
    // Rows that jump: the variation follows their numbers, too.
    let document = read("1 ７六歩(77)\n2 ３四歩(33)\n5 ２六歩(27)\n6 ８四歩(83)\n変化：5手\n5 ６八銀(79)\n");
    assert_eq!(sketch(&document.games[0]), "startpos 7g7f 3c3d 2g2f ( 7i6h ) 8c8d");
    assert_eq!(warnings(&document), "3");
}

#[test]
fn one_table_of_end_words_for_all_formats() {
    for (end, words, csa, usi) in [
        (End::Resign, &["投了"][..], "%TORYO", "resign"),
        (End::Interrupt, &["中断"], "%CHUDAN", "break"),
        (End::Repetition, &["千日手"], "%SENNICHITE", "rep_draw"),
        (End::Impasse, &["持将棋"], "%JISHOGI", "%JISHOGI"),
        (End::Checkmate, &["詰み", "詰"], "%TSUMI", "%TSUMI"),
        (End::TimeUp, &["切れ負け", "時間切れ"], "%TIME_UP", "timeout"),
        (End::Declaration, &["入玉勝ち", "宣言勝ち"], "%KACHI", "win"),
        (End::Draw, &["引き分け", "引分"], "%HIKIWAKE", "draw"),
        (End::IllegalLoss, &["反則負け"], "%ILLEGAL_MOVE", "%ILLEGAL_MOVE"),
        (End::IllegalWin, &["反則勝ち"], "%-ILLEGAL_ACTION", "反則勝ち"),
        (End::MaxMoves, &["最大手数"], "%MAX_MOVES", "最大手数"),
    ] {
        let mut texts = vec![
            format!("V2.2\nPI\n+\n+7776FU\n-3334FU\n{csa}\n"),
            format!("position startpos moves 7g7f 3c3d {usi}\n"),
            format!(
                "{{\"moves\":[{{}},{{\"move\":{{\"from\":{{\"x\":7,\"y\":7}},\"to\":{{\"x\":7,\"y\":6}},\"piece\":\"FU\"}}}},\
                {{\"move\":{{\"from\":{{\"x\":3,\"y\":3}},\"to\":{{\"x\":3,\"y\":4}},\"piece\":\"FU\"}}}},{{\"special\":\"{}\"}}]}}",
                &csa[1..]
            ),
        ];
        for word in words {
            texts.push(format!("1 ７六歩(77)\n2 ３四歩(33)\n3 {word}\n"));
            texts.push(format!("1. ７六歩(77)\n2. ３四歩(33)\n3. {word} ( 0:01/00:00:01)\n"));
            texts.push(format!("▲７六歩 △３四歩 ▲{word}\n"));
            texts.push(format!("▲７六歩 △３四歩 ▲{word}\nまで2手で終局\n"));
            texts.push(format!("position startpos moves 7g7f 3c3d {word}\n"));
        }
        for text in &texts {
            let game = read(text).games.swap_remove(0);
            assert_eq!(game.node(game.main_end()).end(), Some(&end), "{text}");
            assert_eq!(game.turn_at(game.main_end()), Color::Black);
        }
    }
}

#[test]
fn csa_as_people_write_it() {
    let plain = "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\nT1\n-3334FU\nT2\n%TORYO\n";
    let expected = "startpos 7g7f[1] 3c3d[2] 投了";
    for text in [
        plain.to_owned(),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.replace('\n', " \n"),
        plain.replace('\n', "\n "),
        plain.replace('\n', "\n\t"),
        plain.replace("\nT", ",T"),
        plain.replace("\nT", ", T"),
        plain.replace("\nT", "\t,\tT"),
        format!("{plain}\u{1a}"),
        format!("{plain}\0\0\0\0"),
        "V2.2, PI, +\n+7776FU, T1, -3334FU, T2, %TORYO\n".to_owned(),
    ] {
        let document = read(&text);
        assert_eq!(sketch(&document.games[0]), expected, "{text:?}");
        assert_eq!(document.warnings, [], "{text:?}");
        assert_round_trip(&document, &text);
    }
    // Blanks in the rows of a board, as mail and web pages leave them.
    let board = Handicap::Two.diagram();
    let rows = read(&format!("sfen {}\n", board.to_sfen(1))).games[0].write(FileFormat::Csa).0;
    for blanks in ["*", " *", "* ", " * ", "\t*", " *\t", "  *  "] {
        for before_sign in ["", " "] {
            let text = rows.replace(" * ", blanks).replace("-K", &format!("{before_sign}-K"));
            assert_eq!(read(&text).games[0].start.diagram, board, "{text}");
        }
    }
    for row in ["P1-KY-KE-GI-KI-OU-KI-GI-KE", "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY-KY", "P1**********", "P1"] {
        assert!(Document::read(format!("V2.2\n{row}\n+\n").as_bytes(), None).is_err(), "{row}");
    }
    for (time, seconds, warned) in [("T", 0, "5"), ("T-3", 0, "5!"), ("T12.5", 12, ""), ("T 7", 7, "")] {
        let document = read(&format!("V2.2\nPI\n+\n+7776FU\n{time}\n"));
        assert_eq!(sketch(&document.games[0]), format!("startpos 7g7f[{seconds}]"));
        assert_eq!(warnings(&document), warned, "{time}");
    }
}

#[test]
fn handicaps_of_all_names() {
    for (name, board, warned) in [
        ("平手", "lnsgkgsnl/1r5b1/ppppppppp b", ""),
        ("香落ち", "lnsgkgsn1/1r5b1/ppppppppp w", ""),
        ("左香落ち", "lnsgkgsn1/1r5b1/ppppppppp w", ""),
        ("右香落ち", "1nsgkgsnl/1r5b1/ppppppppp w", ""),
        ("両香落ち", "1nsgkgsn1/1r5b1/ppppppppp w", ""),
        ("角落ち", "lnsgkgsnl/1r7/ppppppppp w", ""),
        ("角行落ち", "lnsgkgsnl/1r7/ppppppppp w", ""),
        ("飛車落ち", "lnsgkgsnl/7b1/ppppppppp w", ""),
        ("飛車落", "lnsgkgsnl/7b1/ppppppppp w", ""),
        ("飛香落ち", "lnsgkgsn1/7b1/ppppppppp w", ""),
        ("二枚落ち", "lnsgkgsnl/9/ppppppppp w", ""),
        ("二枚落", "lnsgkgsnl/9/ppppppppp w", ""),
        ("三枚落ち", "lnsgkgsn1/9/ppppppppp w", "1"),
        ("四枚落ち", "1nsgkgsn1/9/ppppppppp w", ""),
        ("五枚落ち", "2sgkgsn1/9/ppppppppp w", ""),
        ("左五枚落ち", "1nsgkgs2/9/ppppppppp w", ""),
        ("六枚落ち", "2sgkgs2/9/ppppppppp w", ""),
        ("七枚落ち", "3gkgs2/9/ppppppppp w", "1!"),
        ("左七枚落ち", "2sgkg3/9/ppppppppp w", ""),
        ("八枚落ち", "3gkg3/9/ppppppppp w", ""),
        ("九枚落ち", "4kg3/9/ppppppppp w", "1!"),
        ("十枚落ち", "4k4/9/ppppppppp w", ""),
        ("歩三兵", "4k4/9/9 w 3p", ""),
        ("裸玉", "4k4/9/9 w", ""),
        ("トンボ", "4k4/1r5b1/ppppppppp w", ""),
    ] {
        let text = format!("手合割：{name}\n下手：甲\n上手：乙\n手数----指手---------消費時間--\n");
        let document = read(&text);
        let (rows, rest) = board.split_once(' ').unwrap();
        let (turn, hand) = rest.split_once(' ').unwrap_or((rest, "-"));
        let sfen = format!("{rows}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn} {hand} 1");
        assert_eq!(document.games[0].start.to_sfen(), sfen, "{name}");
        assert_eq!(warnings(&document), warned, "{name}");
        for format in [FileFormat::Kif, FileFormat::Ki2, FileFormat::Csa, FileFormat::Usi, FileFormat::Jkf] {
            let written = document.games[0].write(format).0;
            let again = Document::read(written.as_bytes(), Some(format)).unwrap();
            assert_eq!(again.games[0].start.to_sfen(), sfen, "{name} as {format}");
        }
    }
    let error = Document::read("手合割：右四枚落ち\n".as_bytes(), None).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1: the handicap '右四枚落ち' is not known") && error.contains("四枚落ち 五枚落ち"),
        "{error}"
    );
}

/// The side to move of a drawn board without a line that names it.
#[test]
fn the_first_move_says_who_is_to_move() {
    let board = "手合割：その他\n上手の持駒：歩\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n下手の持駒：なし\n";
    for (moves, turn, warned) in [
        ("1 ４二玉(51)\n", Color::White, "13"),
        ("1 ５五歩打\n", Color::White, "13"),
        ("1 ５八玉(59)\n", Color::Black, ""),
        ("△４二玉\n", Color::White, "13"),
        ("△５五歩\n", Color::White, "13"),
        ("▲５八玉\n", Color::Black, ""),
        ("", Color::Black, ""),
        ("上手番\n", Color::White, ""),
        ("上手番\n1 ４二玉(51)\n", Color::White, ""),
        ("*註\n後手番\n", Color::White, ""),
    ] {
        let text = format!("{board}{moves}");
        let document = read(&text);
        assert_eq!(document.games[0].start.diagram.side_to_move(), turn, "{moves}");
        assert_eq!(warnings(&document), warned, "{moves}");
        assert_round_trip(&document, moves);
    }
}

/// The move before a diagram: kept, and what 同 refers to.
#[test]
fn the_move_before_a_diagram_is_kept() {
    let text = "先手の持駒：\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・v歩 ・ ・ ・ ・|\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
        | ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n手数＝60  △５五歩打  まで\n手数----指手--\n1 同　歩(56)\n";
    let document = read(text);
    assert_eq!(sketch(&document.games[0]), "sfen 4k4/9/9/9/4p4/4P4/9/9/4K4 b - 61 5f5e");
    assert_eq!(document.warnings, []);
    assert!(document.games[0].write(FileFormat::Kif).0.contains("手数＝60　△５五歩打　まで\n"));
    assert_round_trip(&document, "previous move");
}

/// Fields of JKF that are not known stay in the file.
#[test]
fn unknown_fields_of_jkf_survive() {
    let text = "{\"header\":{},\"tool\":{\"a\":[1,2]},\"moves\":[{\"eval\":3},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\
        \"piece\":\"FU\"},\"eval\":-12.5}]}";
    let document = read(text);
    assert_eq!(warnings(&document), "1! 1! 1!");
    let written = document.games[0].write(FileFormat::Jkf).0.replace(char::is_whitespace, "");
    for field in ["\"tool\":{\"a\":[1,2]}", "\"eval\":3", "\"eval\":-12.5"] {
        assert!(written.contains(field), "{field} in {written}");
    }
    assert_round_trip(&document, "unknown fields");
    let lost = read(&text.replace("\"piece\"", "\"colour\":1,\"piece\""));
    assert!(lost.warnings.iter().any(|w| w.kind == WarningKind::NotUnderstood && w.text.contains("colour")));
}

/// What has no place in the record is never dropped without a word.
#[test]
fn nothing_is_left_out_silently() {
    let kif = |rest: &str| format!("手数----指手--\n1 ７六歩(77)\n{rest}");
    let csa = |rest: &str| format!("V2.2\nPI\n+\n{rest}");
    let jkf = |initial: &str, first: &str, second: &str| {
        let mv = "\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}";
        format!(
            "{{\"header\":{{}},\"initial\":{{\"preset\":\"HIRATE\"{initial}}},\"moves\":[{{{first}}},{{{mv}{second}}}]}}"
        )
    };
    for text in [
        kif("&one\n&two\n"),
        format!("&one\n&two\n{}", kif("")),
        format!("手合割：平手\n手合割：飛車落ち\n{}", kif("").replace("７六歩(77)", "３四歩(33)")),
        kif("2 ３四歩(33)\n変化：2手 本筋\n2 ８四歩(83)\n"),
        csa("+7776FU good move\n"),
        csa("+7776FU\nT5\nT7\n"),
        csa("+7776FU\n'&one\n'&two\n"),
        jkf(",\"mode\":1", "", ""),
        jkf("", "\"forks\":[[]]", ""),
        jkf("", "", ",\"special\":\"TORYO\""),
        jkf("", "", ",\"time\":{\"now\":{\"m\":1,\"ms\":5}}"),
        jkf("", "", ",\"time\":{\"now\":{\"m\":1},\"zone\":5}"),
        jkf("", "", ",\"comments\":[\"&one\",\"&two\"]"),
    ] {
        let document = read(&text);
        assert!(document.not_understood().is_some(), "{text}");
        assert_round_trip(&document, &text);
    }
}

#[test]
fn result_lines_keep_what_the_end_does_not_say() {
    let rows = "手数----指手--\n1 ７六歩(77)\n";
    for (end, line, kept) in [
        ("2 投了\n", "まで1手で先手の勝ち", false),
        ("2 切れ負け\n", "まで1手で先手の勝ち", false),
        ("2 切れ負け\n", "まで1手で時間切れにより先手の勝ち", false),
        ("", "まで1手で時間切れにより先手の勝ち", false),
        ("2 投了\n", "まで1手で時間切れにより先手の勝ち", true),
        ("2 投了\n", "まで1手で先手の勝ち (新手)", true),
        ("2 千日手\n", "まで1手で持将棋", true),
        ("", "まで1手で時間切れにより先手の勝ち 感想戦なし", true),
    ] {
        let text = format!("{rows}{end}{line}\n");
        let document = read(&text);
        assert_eq!(warnings(&document), if kept { if end.is_empty() { "3" } else { "4" } } else { "" }, "{text}");
        assert_round_trip(&document, &text);
        let written = document.games[0].write(FileFormat::Kif).0;
        assert!(written.lines().any(|written| written == line) || !kept, "{text}");
        assert_round_trip(&read(&format!("▲７六歩\n{line}\n")), line);
    }
}

#[test]
fn moves_of_csa_end_after_seven_characters() {
    for (text, shown) in [
        ("+7776FUT12\n", "7g7f[12]"),
        ("+7776FU T12\n", "7g7f[12]"),
        ("+7776FU'*good\n", "7g7f{*good}"),
        ("+7776FU good\n", "7g7f{#good}"),
        ("+7776FU\nT1\n%TORYO\n/\n'*good\n", "7g7f[1] 投了{*good}"),
    ] {
        let document = read(&format!("V2.2\nPI\n+\n{text}"));
        assert_eq!(sketch(&document.games[0]), format!("startpos {shown}"), "{text}");
        assert_round_trip(&document, text);
    }
}

#[test]
fn text_behind_a_rank_of_csa_is_a_remark() {
    let document = read("V2.2\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY note\n+\n");
    assert_eq!((warnings(&document).as_str(), &document.games[0].remarks[..]), ("2", &["note".to_owned()][..]));
    assert_round_trip(&document, "rank");
}

/// The board counts, and the name stays in the file.
#[test]
fn an_unknown_handicap_beside_a_board_is_kept() {
    let board = |sfen: &str| read(&format!("sfen {sfen}\n")).games[0].write(FileFormat::Kif).0;
    let sfen = "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w - 1";
    for (name, kept) in [("猫落ち", true), ("その他", false), ("平手", false), ("二枚落ち", false)] {
        let text = format!("手合割：{name}\n{}", board(sfen));
        let document = read(&text);
        assert_eq!(document.games[0].start.to_sfen(), sfen, "{text}");
        assert_eq!(document.games[0].write(FileFormat::Kif).0.contains(name), kept, "{text}");
        assert_eq!(warnings(&document), if kept || name == "二枚落ち" { "1" } else { "" }, "{text}");
        assert_round_trip(&document, &text);
    }
    // The name of the board's own handicap takes its place.
    let dragonfly = board(&Handicap::Dragonfly.diagram().to_sfen(1));
    for (name, warned) in [("猫落ち", "1!"), ("その他", ""), ("トンボ", "")] {
        let document = read(&dragonfly.replace("手合割：トンボ", &format!("手合割：{name}")));
        assert_eq!(warnings(&document), warned, "{name}");
        assert_eq!(document.games[0].start.handicap, Some(Handicap::Dragonfly));
        assert_round_trip(&document, name);
    }
}

/// Gaiji of Shift_JIS, and a kanji of JIS X 0212 in EUC-JP.
#[test]
fn characters_that_cannot_be_written_again_are_warned_of() {
    let mut gaiji = Encoding::ShiftJis.encode("手合割：平手\n1 ７六歩(77)\n*").0;
    gaiji.extend(b"\xf0\x40\n");
    let kanji = b"V2.2\n'CSA encoding=EUC-JP\nN+\xb5\xfe\x8f\xb0\xa1\nPI\n+\n".to_vec();
    for bytes in [gaiji, kanji] {
        let document = Document::read(&bytes, None).unwrap();
        let warning = document.not_understood().map(ToString::to_string).unwrap_or_default();
        assert_eq!(
            warning,
            format!("line 3: there are characters that cannot be written again in {}", document.encoding)
        );
    }
}
