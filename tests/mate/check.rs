//! `hagane mate --check` against a slow referee that follows the definitions of docs/problem-check.md, and on problems whose
//! faults are known.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use hagane::platform::random::Random;
use hagane::position::Position;
use hagane::record::{Document, Record};
use hagane::types::{Color, Move, PieceType};
use serde_json::Value;

use crate::positions::{distant, problem};
use crate::referee::{CountedReferee, Referee};

/// What `--check` says of problems.
fn check(lines: &[String], more: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.sfen");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.args(["mate", "--check", "--json", "--hash", "16", "--jobs", "1"]).args(more).arg(&file);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), lines.len(), "{}", String::from_utf8_lossy(&output.stderr));
    rows
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// Ply and moves of a list of branches or cooks.
fn branches(list: &Value, moves: &str) -> BTreeSet<(usize, String)> {
    let branch =
        |branch: &Value| (branch["ply"].as_u64().unwrap() as usize, branch[moves].as_str().unwrap().to_owned());
    list.as_array().map_or_else(BTreeSet::new, |list| list.iter().map(branch).collect())
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.do_move(mv);
    after
}

fn checks(position: &Position) -> Vec<Move> {
    position.legal_moves().iter().copied().filter(|&mv| position.gives_check(mv)).collect()
}

/// Answers by the definition; Black attacks.
#[derive(Default)]
struct AnswerReferee(CountedReferee);

impl AnswerReferee {
    fn mates_within(&mut self, position: &Position, plies: u32) -> bool {
        self.0.defence(&mut position.clone(), plies).is_some()
    }

    fn best(&mut self, position: &Position, plies: u32) -> Vec<Move> {
        if position.side_to_move() == Color::Black {
            return checks(position)
                .into_iter()
                .filter(|&mv| self.mates_within(&after(position, mv), plies - 1))
                .collect();
        }
        let counting = self.0.counting(&mut position.clone(), plies);
        counting.into_iter().filter(|&(_, length)| length == plies).map(|(mv, _)| mv).collect()
    }

    /// Whether nothing is left over if the attacker wants something to be.
    fn is_clean(&mut self, position: &Position, plies: u32) -> bool {
        if plies == 0 {
            return position.hand(Color::Black).is_empty();
        }
        let attacks = position.side_to_move() == Color::Black;
        let mut next = self.best(position, plies).into_iter().map(|mv| self.is_clean(&after(position, mv), plies - 1));
        if attacks { next.all(|clean| clean) } else { next.any(|clean| clean) }
    }

    fn best_defences(&mut self, position: &Position, plies: u32) -> Vec<Move> {
        let longest = self.best(position, plies);
        let clean: Vec<Move> =
            longest.iter().copied().filter(|&mv| self.is_clean(&after(position, mv), plies - 1)).collect();
        if clean.is_empty() { longest } else { clean }
    }

    /// Slower mates that are as long as the answer, along any best line of a variation.
    fn slower(&mut self, position: &Position, plies: u32, longest: u32, line: &[Move], found: &mut BTreeSet<String>) {
        if plies == 0 {
            return;
        }
        if position.side_to_move() == Color::Black {
            for mv in checks(position) {
                let slower = after(position, mv);
                if self.mates_within(&slower, longest - 1)
                    && !(longest >= 3 && self.mates_within(&slower, longest - 3))
                    && self.is_clean(&slower, longest - 1)
                {
                    let line = [line, &[mv]].concat();
                    found.insert(line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
                }
            }
        }
        for mv in self.best(position, plies) {
            self.slower(&after(position, mv), plies - 1, longest - 1, &[line, &[mv]].concat(), found);
        }
    }

    /// Compares a row with the definitions; whether it had anything to say.
    fn compare(&mut self, row: &Value) -> [bool; 5] {
        let name = row["sfen"].as_str().unwrap();
        let mut position = Position::from_sfen(name).unwrap();
        let answer = moves(row["solution"].as_str().unwrap());
        let found = &row["check"];
        let (mut first, mut cooks, mut equal) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let (mut slower, mut possible) = (BTreeSet::new(), BTreeSet::new());
        let given = branches(&found["slower_variations"], "moves");
        let end = answer.iter().fold(position.clone(), |position, &mv| after(&position, mv));
        let left_over = end.hand(Color::Black).to_string();
        for (index, &mv) in answer.iter().enumerate() {
            let left = (answer.len() - index) as u32;
            if index % 2 == 0 {
                let best = self.best(&position, left);
                assert!(best.contains(&mv), "{name} {mv}");
                for other in best.into_iter().filter(|&other| other != mv) {
                    if index == 0 {
                        first.push(other.to_string());
                    } else {
                        cooks.insert((index + 1, other.to_string()));
                    }
                }
            } else {
                let best = self.best_defences(&position, left);
                assert!(best.contains(&mv), "{name} {mv} {best:?}");
                let others = self.0.counting(&mut position.clone(), left).into_iter();
                for (other, length) in others.filter(|&(other, _)| other != mv) {
                    if best.contains(&other) {
                        equal.insert((index + 1, other.to_string()));
                    } else if left_over.is_empty() {
                        let mut lines = BTreeSet::new();
                        self.slower(&after(&position, other), length - 1, left - 1, &[other], &mut lines);
                        possible.extend(lines.into_iter().map(|line| (index + 1, line)));
                    }
                }
            }
            position.do_move(mv);
        }
        assert_eq!(found["left_over"], left_over, "{name}");
        let mut found_first = words(&found["first_moves"]);
        found_first.sort();
        first.sort();
        assert_eq!(found_first, first, "{name}");
        let fast = |cook: &&Value| cook.get("longer").is_none();
        let listed = found["cooks"].as_array().unwrap();
        let fast: Vec<Value> = listed.iter().filter(fast).cloned().collect();
        assert_eq!(branches(&Value::Array(fast), "mv"), cooks, "{name}");
        assert_eq!(branches(&found["equal_variations"], "moves"), equal, "{name}");
        // The program follows one best line of each variation, the referee all of them.
        slower.extend(given);
        assert!(slower.is_subset(&possible), "{name} {slower:?} {possible:?}");
        let direct = |set: &BTreeSet<(usize, String)>| -> BTreeSet<(usize, String)> {
            set.iter().filter(|(_, line)| line.split(' ').count() == 2).cloned().collect()
        };
        assert_eq!(direct(&slower), direct(&possible), "{name}");
        self.compare_longer(&answer, row);
        [!left_over.is_empty(), !first.is_empty(), !cooks.is_empty(), !equal.is_empty(), !slower.is_empty()]
    }

    /// Moves that mate later than the answer: each has a line to a mate, and all that mate within five plies are there.
    fn compare_longer(&mut self, answer: &[Move], row: &Value) {
        let name = row["sfen"].as_str().unwrap();
        let mut position = Position::from_sfen(name).unwrap();
        let longer: Vec<&Value> = row["check"]["cooks"].as_array().unwrap().iter().collect();
        for (index, &mv) in answer.iter().enumerate() {
            let left = (answer.len() - index) as u32;
            if index % 2 == 0 && left > 1 {
                for other in checks(&position).into_iter().filter(|&other| other != mv) {
                    let text = other.to_string();
                    let is_it = |cook: &&&Value| cook["ply"] == index + 1 && cook["mv"] == text.as_str();
                    let cook = longer.iter().find(is_it).filter(|cook| cook.get("longer").is_some());
                    let next = after(&position, other);
                    assert!(cook.is_none() || !self.mates_within(&next, left - 1), "{name} {other}");
                    if let Some(cook) = cook {
                        let line = moves(cook["line"].as_str().unwrap());
                        let end = line.iter().fold(next, |position, &mv| after(&position, mv));
                        assert!(self.mates_within(&end, 0), "{name} {other} {line:?}");
                    } else if left == 3 && row["check"]["undecided"] == 0 && !self.mates_within(&next, 2) {
                        assert!(!self.mates_within(&next, 4), "{name} {other}");
                    }
                }
            }
            position.do_move(mv);
        }
    }
}

/// Compares `--check` with the referee on random problems of up to some plies; what was seen how often.
fn compare(count: usize, limit: u32, seed: u64) -> [usize; 5] {
    let mut random = Random::new(seed);
    let mut lines = Vec::new();
    while lines.len() < count {
        let position = match random.below(3) {
            0 => Some(distant(&mut random)),
            _ => problem(&mut random),
        };
        // With many pieces in hand, nearly every move mates.
        let few = |position: &Position| {
            let held: u32 = PieceType::HAND.into_iter().map(|kind| position.hand(Color::Black).count(kind)).sum();
            position.king(Color::Black).is_none() && held <= 2
        };
        let Some(position) = position.filter(few) else { continue };
        if Referee::shortest(&position, limit).is_some_and(|plies| plies > 1) {
            lines.push(position.to_sfen());
        }
    }
    let (mut seen, mut undecided) = ([0; 5], 0);
    for row in check(&lines, &[]) {
        // What is undecided are mates of any length.
        undecided += usize::from(row["check"]["undecided"] != 0);
        let said = AnswerReferee::default().compare(&row);
        (0..5).for_each(|kind| seen[kind] += usize::from(said[kind]));
    }
    println!(
        "{count} problems up to {limit} plies, {undecided} undecided: left over, first moves, cooks, equal, slower: {seen:?}"
    );
    seen
}

#[test]
fn findings_are_the_referees_on_random_problems() {
    let seen = compare(10, 3, 5);
    assert!(seen[..4].iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn findings_are_the_referees_on_problems_with_slower_variations() {
    let problems = ["6R1S/9/8S/5B2k/9/9/9/9/9 b rb4g2s4n4l18p 1", "9/7kp/9/9/6R1B/9/9/9/9 b Nrb4g4s3n4l17p 1"];
    for row in check(&problems.map(str::to_owned), &[]) {
        let said = AnswerReferee::default().compare(&row);
        assert!(said[4], "{row}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn findings_are_the_referees_on_many_random_problems() {
    compare(1000, 3, 6);
    compare(60, 5, 7);
}

#[test]
fn a_solution_that_is_not_the_answer_is_told_where_it_goes_wrong() {
    let sound = "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1";
    let deviation = |line: &str| {
        let row = check(&[line.to_owned()], &[]).remove(0);
        let found = row["check"]["deviation"].clone();
        (found["fault"].as_str().unwrap_or("none").to_owned(), found["ply"].as_u64().unwrap_or(0), row)
    };
    let (fault, _, row) = deviation(&format!("{sound} moves 1d2c 1b1a 2c2b"));
    assert_eq!(fault, "none", "{row}");
    for (moves, fault, ply) in [
        ("2d2b 1b2b", "nomate", 1),
        ("1d2c 1b1a 2c1b 1a1b", "nomate", 3),
        ("1d2c 1b1a", "unfinished", 3),
        ("1d2c 1b1a 2c2b 1a2b", "illegal", 4),
        ("1d2c 1b1a 5e5d", "illegal", 3),
        ("1d2c here", "illegal", 2),
    ] {
        let (found, at, row) = deviation(&format!("{sound} moves {moves}"));
        assert_eq!((found.as_str(), at), (fault, ply), "{moves} {row}");
        assert_eq!(row["check"]["sound"], false);
    }
}

#[test]
fn solution_and_all_variations_are_written() {
    for (sfen, variations) in
        [("9/9/8k/6L2/7L1/9/9/9/9 b G2r2b3g4s4n2l18p 1", 3), ("9/8l/7lS/8k/9/8S/9/9/9 b 2BG2r3g2s4n2l18p 1", 8)]
    {
        let record = written_record(sfen);
        // Every defence that counts has a line, and each line ends in mate.
        let mut referee = CountedReferee::default();
        let mut written: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut ends = 0;
        for id in record.ids() {
            let moves = record.moves_to(id);
            let position = moves.iter().fold(Position::from_sfen(sfen).unwrap(), |position, &mv| after(&position, mv));
            if record.node(id).mv().is_some() && moves.len() % 2 == 1 {
                let replies = record.node(id).children().iter().filter_map(|&id| record.node(id).mv());
                let replies: BTreeSet<String> = replies.map(|mv| mv.to_string()).collect();
                ends += usize::from(replies.is_empty());
                // A position that comes up twice is explained once.
                written.entry(Referee::name(&position)).or_default().extend(replies);
            }
        }
        for (name, replies) in written {
            let mut position = Position::from_sfen(&format!("{name} 1")).unwrap();
            let counting = referee.counting(&mut position, 4).into_iter();
            let counting: BTreeSet<String> = counting.map(|(mv, _)| mv.to_string()).collect();
            assert_eq!(counting, replies, "{name}");
        }
        assert!(ends >= variations, "{ends} lines of {sfen}");
    }
}

/// The record of a problem that `--check` writes.
fn written_record(sfen: &str) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let (problems, kif) = (folder.path().join("problem.sfen"), folder.path().join("problem.kif"));
    std::fs::write(&problems, sfen).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.args(["mate", "--check", "--hash", "16", "--language", "ja", "-o"]).args([&kif, &problems]);
    assert!(command.output().unwrap().status.success());
    let mut document = Document::open(&kif).unwrap();
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    document.games.remove(0)
}
