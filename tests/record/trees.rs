//! Random trees of variations through all pairs of formats: what both formats hold stays.

use std::time::Duration;

use hagane::platform::random::Random;
use hagane::position::Board;
use hagane::position::Position;
use hagane::record::{Action, Comment, Document, Encoding, End, FileFormat, Handicap, NodeId, Record, Start, TimeUsed};
use hagane::types::Color;

pub const FORMATS: [FileFormat; 5] =
    [FileFormat::Kif, FileFormat::Ki2, FileFormat::Csa, FileFormat::Usi, FileFormat::Jkf];

const ENDS: [End; 17] = [
    End::Resign,
    End::Interrupt,
    End::Impasse,
    End::Repetition,
    End::Checkmate,
    End::NoMate,
    End::TimeUp,
    End::IllegalWin,
    End::IllegalLoss,
    End::Declaration,
    End::Draw,
    End::MaxMoves,
    End::DefaultWin,
    End::DefaultLoss,
    End::Sealed,
    End::TakeBack,
    End::Error,
];

const HANDICAPS: [Handicap; 24] = [
    Handicap::Even,
    Handicap::Lance,
    Handicap::RightLance,
    Handicap::Bishop,
    Handicap::Rook,
    Handicap::RookLance,
    Handicap::Two,
    Handicap::Three,
    Handicap::Four,
    Handicap::Five,
    Handicap::FiveLeft,
    Handicap::Six,
    Handicap::SevenLeft,
    Handicap::SevenRight,
    Handicap::Eight,
    Handicap::Ten,
    Handicap::BothLances,
    Handicap::NineLeft,
    Handicap::NineRight,
    Handicap::ThreePawns,
    Handicap::NakedKing,
    Handicap::Dragonfly,
    Handicap::DragonflyLances,
    Handicap::DragonflyKnights,
];

fn one<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    &all[random.below(all.len())]
}

/// A start: even, a handicap, or a position in the middle of a game.
fn start(random: &mut Random) -> Start {
    match random.below(4) {
        0 => Start::of(*one(random, &HANDICAPS)),
        1 => {
            let mut position = Position::startpos();
            for _ in 0..random.below(80) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.do_move(*one(random, &moves));
            }
            let (diagram, number) = Board::from_sfen(&position.to_sfen()).unwrap();
            Start { move_number: number, ..Start::from_diagram(diagram) }
        }
        _ => Start::of(Handicap::Even),
    }
}

/// A record of up to 60 nodes with variations in variations, ends anywhere, comments, bookmarks, times and headers.
pub fn random_record(random: &mut Random) -> Record {
    let mut record = Record::new(start(random));
    let handicap = record.start.handicap.is_some_and(|handicap| handicap != Handicap::Even);
    let (black, white) = if handicap { ("下手", "上手") } else { ("先手", "後手") };
    for (key, value) in [("棋戦", "某戦 第１局"), (black, "甲"), (white, "乙,丙"), ("備考", "a：b:c")] {
        if random.below(2) == 0 {
            record.headers.push((key.to_owned(), value.to_owned()));
        }
    }
    if random.below(4) == 0 {
        record.first_number = record.start.move_number;
    }
    let timed = random.below(2) == 0;
    annotate(&mut record, NodeId::ROOT, false, random);
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..random.below(60) {
        // Mostly the line read last goes on; else a variation begins anywhere.
        let parent = if random.below(4) > 0 { nodes[nodes.len() - 1] } else { *one(random, &nodes) };
        if record.node(parent).end().is_some() {
            continue;
        }
        let Some(position) = position_at(&record, parent) else { continue };
        let moves = position.legal_moves();
        let action = if random.below(12) == 0 || moves.is_empty() {
            Action::End(one(random, &ENDS).clone())
        } else {
            Action::Move(*one(random, &moves))
        };
        let known = |&child: &NodeId| *record.node(child).action() == action;
        if record.node(parent).children().iter().any(known) {
            continue;
        }
        let id = record.add(parent, action);
        annotate(&mut record, id, timed, random);
        nodes.push(id);
    }
    record
}

fn annotate(record: &mut Record, id: NodeId, timed: bool, random: &mut Random) {
    let node = record.node_mut(id);
    for line in ["よい手", "", " indented", "*stars", "評価値=35", "１ ７六歩(77)", "変化：3手", "まで3手で中断"]
    {
        if random.below(12) == 0 {
            node.comments.push(Comment::Text(line.to_owned()));
        }
    }
    if random.below(15) == 0 {
        node.bookmark = Some("しおり".to_owned());
    }
    if timed {
        node.clock = Some(TimeUsed { spent: Duration::from_secs(random.below(4000) as u64), total: None });
    }
}

fn position_at(record: &Record, id: NodeId) -> Option<Position> {
    let mut position = record.start_position().ok()?;
    for mv in record.moves_to(id) {
        position.do_move(mv);
    }
    Some(position)
}

/// What a format holds of a record.
pub fn held_by(record: &Record, format: FileFormat) -> Record {
    let mut held = Record::new(record.start.clone());
    let main_line_only = matches!(format, FileFormat::Csa | FileFormat::Usi);
    if format != FileFormat::Usi {
        held.headers = record.headers.clone();
    }
    let mut stack = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((from, to)) = stack.pop() {
        let node = record.node(from);
        let copy = held.node_mut(to);
        if format != FileFormat::Usi {
            copy.comments = node.comments.clone();
            copy.bookmark = node.bookmark.clone();
        }
        if !matches!(format, FileFormat::Usi | FileFormat::Ki2) {
            copy.clock = node.clock;
        }
        let kept = if main_line_only { 1 } else { usize::MAX };
        for &child in node.children().iter().take(kept) {
            let turn = record.turn_at(from);
            let action = match record.node(child).action().clone() {
                Action::End(end) if format == FileFormat::Csa && end.csa(turn).is_none() => Action::End(End::Interrupt),
                Action::End(end) if format == FileFormat::Usi && end.usi().is_none() => continue,
                action => action,
            };
            let copied = held.add(to, action);
            stack.push((child, copied));
        }
    }
    held
}

fn written_and_read(record: &Record, format: FileFormat, name: &str) -> Record {
    let document = Document::new(record.clone(), format, Encoding::Utf8 { bom: false });
    let (bytes, _) = document.to_bytes();
    let again = Document::read(&bytes, Some(format))
        .unwrap_or_else(|error| panic!("{name}: {error} in\n{}", String::from_utf8_lossy(&bytes)));
    assert_eq!(again.format, format, "{name}");
    assert_eq!(again.not_understood(), None, "{name}:\n{}", String::from_utf8_lossy(&bytes));
    again.games.into_iter().next().unwrap()
}

#[test]
fn random_trees_stay_equal_through_all_pairs_of_formats() {
    let mut random = Random::new(47);
    let (mut nodes, mut variations, mut turns) = (0, 0, [0, 0]);
    for index in 0..200 {
        let record = random_record(&mut random);
        nodes += record.ids().count();
        variations += record.ids().map(|id| record.node(id).children().len().saturating_sub(1)).sum::<usize>();
        turns[usize::from(record.start.diagram.side_to_move() == Color::White)] += 1;
        for first in FORMATS {
            let name = format!("record {index} as {first}");
            let once = written_and_read(&record, first, &name);
            let expected = held_by(&record, first);
            assert_eq!(expected.difference(&once), None, "{name}\n{}", record.write(first).0);
            if first == FileFormat::Kif {
                assert_eq!(once.first_number, record.first_number, "{name}");
            }
            for second in FORMATS {
                let name = format!("{name} and {second}");
                let twice = written_and_read(&once, second, &name);
                let expected = held_by(&expected, second);
                assert_eq!(expected.difference(&twice), None, "{name}\n{}", once.write(second).0);
            }
        }
    }
    assert!(nodes > 4000 && variations > 400 && turns[1] > 20, "{nodes} nodes, {variations} variations, {turns:?}");
}
