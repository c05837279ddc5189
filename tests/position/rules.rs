//! Rules that engines get wrong, one test each.

use hagane::position::{Declaration, EnteringKingRule, Generate, MoveList, Position, Repetition};
use hagane::types::Move;

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn legal(sfen: &str, mv: &str) -> bool {
    position(sfen).is_legal(mv.parse().unwrap())
}

fn why(sfen: &str, mv: &str) -> String {
    position(sfen).check_move(mv.parse().unwrap()).unwrap_err().to_string()
}

fn refused(sfen: &str) -> String {
    Position::from_sfen(sfen).map(|_| ()).unwrap_err().to_string()
}

fn useful(sfen: &str, mv: &str) -> bool {
    let mut list = MoveList::new();
    position(sfen).generate(Generate::Legal, &mut list);
    list.contains(&mv.parse::<Move>().unwrap())
}

#[test]
fn a_pawn_drop_must_not_mate() {
    let mate = "7lk/9/8S/9/9/9/9/7L1/8K b P 1";
    assert!(!legal(mate, "P*1b"));
    assert!(why(mate, "P*1b").contains("pawn drop mate"));
}

#[test]
fn a_pawn_drop_that_can_be_answered_is_only_a_check() {
    // The gold on 2b may take the pawn; it is not pinned.
    assert!(legal("7lk/7g1/8S/9/9/9/9/9/8K b P 1", "P*1b"));
    // The bishop on 3d takes, and could promote doing it.
    assert!(legal("7lk/9/8S/6b2/9/9/9/7L1/8K b P 1", "P*1b"));
    // The king steps away to 2a.
    assert!(legal("8k/9/8S/9/9/9/9/9/8K b P 1", "P*1b"));
    // No check at all.
    assert!(legal("7lk/9/8S/9/9/9/9/7L1/8K b P 1", "P*5e"));
}

#[test]
fn a_pinned_taker_does_not_save_from_pawn_drop_mate() {
    // The bishop on 4d pins the gold on 2b to the king.
    assert!(!legal("7lk/7g1/8S/5B3/9/9/9/7L1/8K b P 1", "P*1b"));
    // The lance on 1e pins the rook on 1c, but along the very line on which the pawn lands.
    assert!(legal("7lk/9/7Sr/9/8L/9/9/9/8K b P 1", "P*1b"));
}

#[test]
fn an_unpromoted_capture_may_be_the_only_reply() {
    // Black is in check by the knight. The lance takes it; promoted or not is both legal.
    let sfen = "4k4/9/4n4/9/5K3/4L4/9/9/9 b - 1";
    assert!(position(sfen).in_check());
    assert!(legal(sfen, "5f5c") && legal(sfen, "5f5c+"));
    let pawn = "4k4/9/4n4/4P4/5K3/9/9/9/9 b - 1";
    assert!(position(pawn).in_check());
    assert!(legal(pawn, "5d5c") && legal(pawn, "5d5c+"));
}

#[test]
fn two_pawns_on_a_file_ignore_promoted_ones() {
    assert!(!legal("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e"));
    assert!(why("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e").contains("two pawns"));
    assert!(legal("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e"));
    assert!(legal("4k4/9/9/9/9/9/4p4/9/4K4 b P 1", "P*5e"));
}

#[test]
fn nothing_goes_where_it_could_never_move_again() {
    let black = "9/4P1k2/4N4/4L4/9/9/9/9/4K4 b PLN 1";
    for mv in ["P*1a", "L*1a", "N*1a", "N*1b", "5b5a", "5c4a", "5c6a"] {
        assert!(!legal(black, mv), "{mv}");
        assert!(why(black, mv).contains("dead-end"), "{mv}");
    }
    for mv in ["P*1b", "L*1b", "N*1c", "5b5a+", "5c6a+"] {
        assert!(legal(black, mv), "{mv}");
    }
    let white = "4k4/9/9/9/9/4l4/4n4/4p1K2/9 w pln 1";
    for mv in ["P*1i", "L*1i", "N*1i", "N*1h", "5h5i", "5g4i"] {
        assert!(!legal(white, mv), "{mv}");
    }
    for mv in ["P*1h", "L*1h", "N*1g", "5h5i+", "5g4i+"] {
        assert!(legal(white, mv), "{mv}");
    }
}

#[test]
fn legal_non_promotions_are_accepted_though_not_generated() {
    let sfen = "9/9/4L3P/1B5R1/9/9/9/9/k3K4 b - 1";
    for mv in ["1c1b", "2d2c", "8d7c", "5c5b"] {
        assert!(legal(sfen, mv), "{mv}");
        assert!(!useful(sfen, mv), "{mv}");
    }
    // A lance that stays on the third rank is worth considering.
    assert!(useful("4k4/9/9/L8/9/9/9/9/4K4 b - 1", "9d9c"));
}

#[test]
fn no_legal_move_is_a_loss_and_there_is_no_stalemate() {
    let mated = position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert!(mated.in_check() && !mated.has_legal_move());
    let stalemate = position("k8/2R6/1+R7/9/9/9/9/9/4K4 w - 1");
    assert!(!stalemate.in_check() && !stalemate.has_legal_move());
}

#[test]
fn repetition_needs_four_occurrences_of_board_hands_and_side() {
    let mut game = position(Position::STARTPOS);
    let cycle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    for round in 1..=3 {
        for mv in cycle {
            assert_eq!(game.repetition(), None);
            game.do_move(mv.parse().unwrap());
        }
        assert_eq!(game.repetition().is_some(), round == 3);
    }
    assert_eq!(game.repetition(), Some(Repetition::Draw));
}

#[test]
fn a_long_cycle_counts_over_the_whole_game() {
    // The rook goes round four squares and the king does too: eight plies a cycle.
    let cycle = "9h8h 1b2b 8h8g 2b2c 8g9g 2c1c 9g9h 1c1b ";
    let mut game = position("9/8k/9/9/9/9/9/R8/4K4 b - 1");
    let moves = cycle.repeat(3);
    for mv in moves.split_whitespace() {
        assert_eq!(game.repetition(), None);
        game.do_move(mv.parse().unwrap());
    }
    assert_eq!(game.repetition(), Some(Repetition::Draw));
}

#[test]
fn declaration_by_27_points() {
    let win = position("K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB3P 1");
    assert_eq!(win.declaration(EnteringKingRule::CSARule27), Some(Declaration::Points));
    assert_eq!(win.declaration(EnteringKingRule::CSARule24), None);
    assert_eq!(win.declaration(EnteringKingRule::NoEnteringKing), None);
}

#[test]
fn hands_may_come_in_any_order_and_count_to_eighteen() {
    let board = "4k4/9/9/9/9/9/9/9/4K4";
    assert_eq!(position(&format!("{board} b 18PR 1")).to_sfen(), format!("{board} b R18P 1"));
    assert_eq!(position(&format!("{board} w pPbR2g 7")).to_sfen(), format!("{board} w RPb2gp 7"));
}

#[test]
fn sfens_of_every_client() {
    let plain = Position::STARTPOS;
    assert_eq!(position(&plain.replace(' ', "_")).to_sfen(), plain);
    assert_eq!(position(plain.trim_end_matches(" 1")).to_sfen(), plain);
    assert_eq!(position(&format!("  {}\t\r\n", plain.replace(' ', "  \t"))).to_sfen(), plain);
    assert_eq!(position(&plain.replace(" 1", " 0")).to_sfen(), plain);
}

#[test]
fn impossible_positions_are_refused_in_words() {
    for (sfen, words) in [
        ("", "lacks the board"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1", "8 ranks"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", "lacks the side to move"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b", "lacks the hands"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1", "'x' instead of b or w"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN b - 1", "rank i"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN? b - 1", "'?'"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSG+KGSNL b - 1", "'+K'"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1", "19 pawns"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "19P"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "3 rooks"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 5 1", "'5'"),
        ("4k4/9/9/9/9/9/9/9/4K4 b K 1", "'K'"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - x", "move number"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1 extra", "'extra'"),
        ("4k4/9/9/9/4k4/9/9/9/4K4 b - 1", "white has two kings"),
        ("9/9/9/9/9/9/9/9/9 b - 1", "no king"),
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "dead-end"),
        ("4k4/9/9/9/9/9/9/9/l3K4 b - 1", "dead-end"),
        ("4k4/N8/9/9/9/9/9/9/4K4 b - 1", "dead-end"),
        ("4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1", "two pawns"),
        ("4k4/4G4/9/9/9/9/9/9/4K4 b - 1", "in check"),
    ] {
        let message = refused(sfen);
        assert!(message.contains(words), "{sfen}: {message}");
    }
}

#[test]
fn a_missing_king_is_fine_on_one_side() {
    let tsume = position("4k4/9/4P4/9/9/9/9/9/9 b G 1");
    assert!(tsume.is_legal("G*5b".parse().unwrap()));
    let moves = tsume.legal_moves();
    assert!(moves.contains(&"G*5b".parse().unwrap()));
}

#[test]
fn illegal_moves_are_explained() {
    let start = Position::STARTPOS;
    for (mv, words) in [
        ("5e5d", "no piece on 5e"),
        ("3c3d", "belongs to white"),
        ("7g7e", "cannot reach"),
        ("8h2b+", "cannot reach"),
        ("9i9g", "black's own pawn"),
        ("2h2f", "cannot reach"),
        ("7g7f+", "neither square is in the promotion zone"),
        ("4i4h+", "cannot promote"),
        ("P*5e", "no pawn in hand"),
    ] {
        let message = why(start, mv);
        assert!(message.contains(words), "{mv}: {message}");
    }
    assert!(why("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h").contains("king on 5i could be captured"));
    assert!(why("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*1e").contains("king on 5i could be captured"));
    assert!(why("4k4/9/9/9/9/3r5/9/9/4K4 b - 1", "5i6i").contains("king on 6i could be captured"));
    assert!(why("4k4/9/9/9/9/4P4/9/9/4K4 b P 1", "P*5f").contains("occupied"));
}
