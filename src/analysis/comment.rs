//! Thinking comments: key=value lines as ShogiHome defines them (思考コメントの仕様), and Floodgate's one-liners.
//!
//! A comment belongs to the position after the move it stands at. Lines begin with `#` for analysis and `*` for a
//! player's own search; one result is a run of such lines, and lines that are not pairs separate two results.
//!
//! Of several best lines the best is written last, each below a line `候補N` with its rank: ShogiHome takes for its graph
//! the last `評価値` and the last `詰み` of a position, and a `詰み` before any `評価値`. So a mate in a line that is not the
//! best stands there as a number, unless the best line is a mate as well.

use super::{EngineLine, Evaluation};
use crate::position::Board;
use crate::record::{Comment, NodeId, Record, line_in_japanese, read_japanese_line};
use crate::types::{Color, Move};

/// The key of the search budget: not in the specification, hence with the program's prefix.
const BUDGET_KEY: &str = "Hagane-Budget";

/// Heads a line of several best ones, followed by its rank.
const RANK: &str = "候補";

/// The form of the comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CommentStyle {
    /// Key=value lines (思考コメント).
    #[default]
    Pairs,
    /// `* SCORE PV`: the score from Black's view in centipawns, the line in CSA's moves.
    Floodgate,
}

/// The word for an evaluation in centipawns from Black's view, with ShogiHome's thresholds.
pub fn situation(cp: i32) -> &'static str {
    match cp {
        1500.. => "先手勝勢",
        600.. => "先手優勢",
        400.. => "先手有利",
        200.. => "先手有望",
        -200.. => "互角",
        -400.. => "後手有望",
        -600.. => "後手有利",
        -1500.. => "後手優勢",
        _ => "後手勝勢",
    }
}

/// Writes engine lines into a record as comments, and recognises its own.
#[derive(Clone, Debug)]
pub struct Annotator {
    /// The form of the comments.
    pub style: CommentStyle,
    /// The engine's name as it is written.
    pub engine: String,
    /// The search budget as it is written.
    pub budget: String,
}

impl Annotator {
    /// Whether a node has lines of this engine with this budget.
    pub fn has_done(&self, record: &Record, id: NodeId) -> bool {
        match self.style {
            CommentStyle::Pairs => read_engine_lines(record, id).iter().any(|engine_line| self.is_mine(engine_line)),
            CommentStyle::Floodgate => {
                let remark = Comment::Remark(self.signature());
                record.node(id).comments.contains(&remark)
            }
        }
    }

    /// Whether a line is of this engine with this budget.
    pub fn is_mine(&self, engine_line: &EngineLine) -> bool {
        !engine_line.by_player
            && engine_line.engine.as_deref() == Some(self.engine.as_str())
            && engine_line.budget.as_deref() == Some(self.budget.as_str())
    }

    /// The lines of this engine with this budget at a node, best first.
    pub fn mine(&self, record: &Record, id: NodeId) -> Vec<EngineLine> {
        match self.style {
            CommentStyle::Pairs => {
                let mut engine_lines = read_ranked_lines(record, id);
                engine_lines.retain(|(_, engine_line)| self.is_mine(engine_line));
                engine_lines.sort_by_key(|&(rank, _)| rank);
                engine_lines.into_iter().map(|(_, engine_line)| engine_line).collect()
            }
            CommentStyle::Floodgate => {
                let comments = &record.node(id).comments;
                let signature = Comment::Remark(self.signature());
                let place = comments.iter().position(|comment| *comment == signature);
                let line = place.and_then(|place| comments.get(place.checked_sub(1)?));
                line.and_then(|line| {
                    let mut engine_line = read_floodgate(line.line(), &record.diagram_at(id))?;
                    engine_line.engine = Some(self.engine.clone());
                    engine_line.budget = Some(self.budget.clone());
                    engine_line.by_player = false;
                    Some(engine_line)
                })
                .into_iter()
                .collect()
            }
        }
    }

    /// Appends lines to the comments of a node.
    pub fn write(&self, record: &mut Record, id: NodeId, engine_lines: &[EngineLine]) {
        let diagram = record.diagram_at(id);
        let mut lines = Vec::new();
        match self.style {
            CommentStyle::Pairs => {
                if !record.node(id).comments.is_empty() {
                    lines.push(Comment::Text(String::new()));
                }
                let best = engine_lines.first().and_then(|line| line.evaluation).and_then(Evaluation::mate);
                for (index, engine_line) in engine_lines.iter().enumerate().rev() {
                    if engine_lines.len() > 1 {
                        lines.push(Comment::Text(format!("{RANK}{}", index + 1)));
                    }
                    let mate_in_words = index == 0 || best.is_some();
                    lines.extend(self.pairs(engine_line, &diagram, mate_in_words).into_iter().map(Comment::Text));
                }
            }
            CommentStyle::Floodgate => {
                if let Some(engine_line) = engine_lines.first() {
                    lines.push(Comment::Text(floodgate(engine_line, &diagram)));
                    lines.push(Comment::Remark(self.signature()));
                }
            }
        }
        record.node_mut(id).comments.extend(lines);
    }

    fn signature(&self) -> String {
        format!("{BUDGET_KEY}={} {}", self.budget, self.engine)
    }

    /// The comment lines of an engine line, in the order of the specification; a player's own with `*`.
    fn pairs(&self, engine_line: &EngineLine, diagram: &Board, mate_in_words: bool) -> Vec<String> {
        let mark = if engine_line.by_player { '*' } else { '#' };
        let mut lines = Vec::new();
        match engine_line.evaluation {
            Some(Evaluation::Mate { winner, plies }) if mate_in_words => {
                let winner = if winner == Color::Black { "先手勝ち" } else { "後手勝ち" };
                let length = plies.map_or_else(String::new, |plies| format!(":{plies}手"));
                lines.push(format!("{mark}詰み={winner}{length}"));
            }
            Some(evaluation) => {
                let number = evaluation.number();
                lines.push(situation(number).to_owned());
                lines.push(format!("{mark}評価値={number}"));
            }
            None => {}
        }
        let mut pair = |key: &str, value: &str| lines.push(format!("{mark}{key}={value}"));
        if !engine_line.pv.is_empty() {
            // Without the previous move: ShogiHome cannot read a line that begins with 同.
            pair("読み筋", &line_in_japanese(diagram, &engine_line.pv, None));
        }
        if let Some(depth) = engine_line.depth {
            pair("深さ", &depth.to_string());
        }
        if let Some(nodes) = engine_line.nodes {
            pair("ノード数", &nodes.to_string());
        }
        pair("エンジン", &self.engine);
        pair(BUDGET_KEY, &self.budget);
        lines
    }
}

/// `^[*#][^*#= ]+=.*$`, the regular expression of the specification.
fn is_pair(line: &str) -> bool {
    split_pair(line).is_some()
}

/// Whether a comment line is a player's, its key and its value.
fn split_pair(line: &str) -> Option<(bool, &str, &str)> {
    let by_player = match line.chars().next()? {
        '*' => true,
        '#' => false,
        _ => return None,
    };
    let (key, value) = line[1..].split_once('=')?;
    (!key.is_empty() && !key.contains(['*', '#', ' '])).then_some((by_player, key, value))
}

/// The engine lines in the comments of a node, in order, both of players and of analyses.
pub fn read_engine_lines(record: &Record, id: NodeId) -> Vec<EngineLine> {
    read_ranked_lines(record, id).into_iter().map(|(_, engine_line)| engine_line).collect()
}

/// The engine lines in the comments of a node, in order, with their ranks; 1 where none is given.
fn read_ranked_lines(record: &Record, id: NodeId) -> Vec<(u32, EngineLine)> {
    let comments = &record.node(id).comments;
    if !comments.iter().any(|comment| is_pair(comment.line())) {
        return Vec::new();
    }
    let diagram = record.diagram_at(id);
    let last_to = record.node(id).mv().map(Move::to);
    let mut engine_lines: Vec<(u32, EngineLine)> = Vec::new();
    // The keys of the result that is being read, which is the last one; none between two results.
    let mut keys: Vec<&str> = Vec::new();
    let mut rank = 1;
    for comment in comments {
        let pair = match comment {
            Comment::Text(line) => split_pair(line),
            Comment::Remark(_) | Comment::Unknown(..) => None,
        };
        let Some((by_player, key, value)) = pair else {
            if !keys.is_empty() {
                (rank, keys) = (1, Vec::new());
            }
            if let Some(number) = comment.line().strip_prefix(RANK) {
                rank = number.trim().parse().unwrap_or(1);
            }
            continue;
        };
        // A repeated key begins the next result.
        let same = !keys.is_empty() && !keys.contains(&key);
        let last = engine_lines.last_mut().filter(|(_, line)| same && line.by_player == by_player);
        let engine_line = match last {
            Some((_, engine_line)) => engine_line,
            None => {
                keys.clear();
                engine_lines.push((rank, EngineLine { by_player, ..EngineLine::default() }));
                let Some((_, engine_line)) = engine_lines.last_mut() else {
                    break;
                };
                engine_line
            }
        };
        keys.push(key);
        match key {
            "評価値" => {
                if let Ok(number) = value.trim().parse::<f64>() {
                    // A mate may stand beside a number and takes precedence.
                    let number = Evaluation::of_number(number.clamp(-1e6, 1e6).round() as i32);
                    engine_line.evaluation = engine_line.evaluation.or(Some(number));
                }
            }
            "詰み" => engine_line.evaluation = read_mate(value.trim()).or(engine_line.evaluation),
            "読み筋" => engine_line.pv = read_japanese_line(&diagram, value, last_to),
            "深さ" => engine_line.depth = value.trim().parse::<f64>().ok().map(|depth| depth as u32),
            "ノード数" => engine_line.nodes = value.trim().parse().ok(),
            "エンジン" => engine_line.engine = Some(value.to_owned()),
            BUDGET_KEY => engine_line.budget = Some(value.to_owned()),
            _ => {}
        }
    }
    engine_lines
}

/// `(先手勝ち|後手勝ち)(:[0-9]+手)?`
fn read_mate(value: &str) -> Option<Evaluation> {
    let (winner, rest) = match value.strip_prefix("先手勝ち") {
        Some(rest) => (Color::Black, rest),
        None => (Color::White, value.strip_prefix("後手勝ち")?),
    };
    let plies = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?.strip_suffix('手')?.parse().ok()?) };
    Some(Evaluation::Mate { winner, plies })
}

/// Floodgate's form without the comment's own mark: `* -35 +2625FU -8485FU`.
fn floodgate(engine_line: &EngineLine, diagram: &Board) -> String {
    let mut text = format!("* {}", engine_line.evaluation.map_or(0, Evaluation::number));
    let mut diagram = diagram.clone();
    for &mv in &engine_line.pv {
        let word = crate::record::move_in_csa(&diagram, mv);
        if diagram.apply(mv).is_err() {
            break;
        }
        text.push(' ');
        text.push_str(&word);
    }
    text
}

/// Reads Floodgate's form (`* SCORE PV`, moves in CSA's form as far as they can be read).
pub fn read_floodgate(line: &str, diagram: &Board) -> Option<EngineLine> {
    let mut words = line.strip_prefix("* ")?.split_whitespace();
    let score: i32 = words.next()?.parse().ok()?;
    let mut diagram = diagram.clone();
    let mut pv = Vec::new();
    for word in words {
        let Some(mv) = crate::record::read_csa_move(&diagram, word) else {
            break;
        };
        if diagram.apply(mv).is_err() {
            break;
        }
        pv.push(mv);
    }
    let evaluation = Evaluation::of_number(score);
    Some(EngineLine { evaluation: Some(evaluation), pv, by_player: true, ..EngineLine::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Action, Handicap, Start};

    fn record() -> (Record, NodeId) {
        let mut record = Record::new(Start::of(Handicap::Even));
        let id = record.add(NodeId::ROOT, Action::Move("7g7f".parse().unwrap()));
        (record, id)
    }

    fn annotator(style: CommentStyle) -> Annotator {
        Annotator { style, engine: "Hagane 0.1 = #*".to_owned(), budget: "time 100ms multipv 2".to_owned() }
    }

    fn engine_lines() -> Vec<EngineLine> {
        let moves = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let base = EngineLine {
            depth: Some(12),
            nodes: Some(34567),
            engine: Some("Hagane 0.1 = #*".to_owned()),
            budget: Some("time 100ms multipv 2".to_owned()),
            ..EngineLine::default()
        };
        vec![
            EngineLine { evaluation: Some(Evaluation::Cp(-215)), pv: moves("3c3d 8h2b+ 3a2b"), ..base.clone() },
            EngineLine {
                evaluation: Some(Evaluation::Mate { winner: Color::White, plies: Some(8) }),
                pv: moves("8c8d 2g2f"),
                ..base
            },
        ]
    }

    #[test]
    fn the_lines_are_those_of_the_specification() {
        let (mut record, id) = record();
        let old = "**評価値=80";
        record.node_mut(id).comments.push(Comment::Text(old[1..].to_owned()));
        annotator(CommentStyle::Pairs).write(&mut record, id, &engine_lines());
        let lines: Vec<&str> = record.node(id).comments.iter().map(Comment::line).collect();
        assert_eq!(
            lines,
            [
                "*評価値=80",
                "",
                "候補2",
                "後手勝勢",
                "#評価値=-99992",
                "#読み筋=△８四歩▲２六歩",
                "#深さ=12",
                "#ノード数=34567",
                "#エンジン=Hagane 0.1 = #*",
                "#Hagane-Budget=time 100ms multipv 2",
                "候補1",
                "後手有望",
                "#評価値=-215",
                "#読み筋=△３四歩▲２二角成△同　銀",
                "#深さ=12",
                "#ノード数=34567",
                "#エンジン=Hagane 0.1 = #*",
                "#Hagane-Budget=time 100ms multipv 2",
            ]
        );
    }

    /// Files of earlier versions have the best line first, without a heading.
    #[test]
    fn the_best_line_is_the_first_whatever_the_order() {
        let (mut record, id) = record();
        let annotator = annotator(CommentStyle::Pairs);
        for line in [
            "#評価値=-215",
            "#エンジン=Hagane 0.1 = #*",
            "#Hagane-Budget=time 100ms multipv 2",
            "候補2",
            "#詰み=後手勝ち:8手",
            "#エンジン=Hagane 0.1 = #*",
            "#Hagane-Budget=time 100ms multipv 2",
        ] {
            record.node_mut(id).comments.push(Comment::Text(line.to_owned()));
        }
        let evaluations = |record: &Record| -> Vec<_> {
            annotator.mine(record, id).iter().filter_map(|line| line.evaluation).collect()
        };
        let mate = Evaluation::Mate { winner: Color::White, plies: Some(8) };
        assert_eq!(evaluations(&record), [Evaluation::Cp(-215), mate]);
        let (mut record, id) = self::record();
        let mut lines = engine_lines();
        lines.swap(0, 1);
        annotator.write(&mut record, id, &lines);
        assert_eq!(annotator.mine(&record, id), lines);
        // Both lines are mates: both in words, the best last.
        lines[1].evaluation = Some(mate);
        let (mut record, id) = self::record();
        annotator.write(&mut record, id, &lines);
        let words = record.node(id).comments.iter().filter(|comment| comment.line().starts_with("#詰み"));
        assert_eq!(words.count(), 2);
    }

    #[test]
    fn a_line_never_begins_with_the_same_square() {
        let mut record = Record::new(Start::of(Handicap::Even));
        let mut id = NodeId::ROOT;
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            id = record.add(id, Action::Move(mv.parse().unwrap()));
        }
        let annotator = annotator(CommentStyle::Pairs);
        let mut line = engine_lines().remove(0);
        line.pv = ["3a2b", "B*4e"].iter().map(|mv| mv.parse().unwrap()).collect();
        annotator.write(&mut record, id, std::slice::from_ref(&line));
        assert!(
            record.node(id).comments.contains(&Comment::Text("#読み筋=△２二銀▲４五角打".to_owned())) || {
                record.node(id).comments.contains(&Comment::Text("#読み筋=△２二銀▲４五角".to_owned()))
            }
        );
        assert_eq!(annotator.mine(&record, id), [line]);
        // What others have written so is read.
        record.node_mut(id).comments = vec![Comment::Text("#読み筋=△同　銀▲４五角".to_owned())];
        assert_eq!(read_engine_lines(&record, id)[0].pv.len(), 2);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for style in [CommentStyle::Pairs, CommentStyle::Floodgate] {
            let (mut record, id) = record();
            let annotator = annotator(style);
            assert!(!annotator.has_done(&record, id));
            annotator.write(&mut record, id, &engine_lines());
            assert!(annotator.has_done(&record, id));
            let mut expected = engine_lines();
            if style == CommentStyle::Floodgate {
                expected.truncate(1);
                (expected[0].depth, expected[0].nodes) = (None, None);
                assert_eq!(record.node(id).comments[0], Comment::Text("* -215 -3334FU +8822UM -3122GI".to_owned()));
            }
            assert_eq!(annotator.mine(&record, id), expected);
        }
    }

    #[test]
    fn a_players_own_lines_have_an_asterisk() {
        let (mut record, id) = record();
        let annotator = annotator(CommentStyle::Pairs);
        let mut own = engine_lines();
        own[0].by_player = true;
        annotator.write(&mut record, id, &own[..1]);
        let lines: Vec<&str> = record.node(id).comments.iter().map(Comment::line).collect();
        assert_eq!(lines[..2], ["後手有望", "*評価値=-215"]);
        assert!(lines[1..].iter().all(|line| line.starts_with('*')));
        assert_eq!(read_engine_lines(&record, id), own[..1]);
        // That is not an analysis.
        assert!(!annotator.has_done(&record, id));
    }

    #[test]
    fn comments_of_other_programs() {
        let (mut record, id) = record();
        for line in [
            "【悪手】",
            "互角",
            "*評価値=92.5",
            "*読み筋=△３四歩(33)▲２六歩(27)",
            "*深さ=15",
            "*エンジン=たぬき ９",
            "",
            "#詰み=先手勝ち",
            "#評価値=30000",
            "#評価値=-1",
            "not a pair",
            "# 評価値=3",
            "#=4",
            "* -35 -8384FU +2726FU x",
        ] {
            record.node_mut(id).comments.push(Comment::Text(line.to_owned()));
        }
        let engine_lines = read_engine_lines(&record, id);
        assert_eq!(engine_lines.len(), 3);
        assert_eq!(engine_lines[0].evaluation, Some(Evaluation::Cp(93)));
        assert!(engine_lines[0].by_player && engine_lines[0].pv.len() == 2 && engine_lines[0].depth == Some(15));
        assert_eq!(engine_lines[0].engine.as_deref(), Some("たぬき ９"));
        assert_eq!(engine_lines[1].evaluation, Some(Evaluation::Mate { winner: Color::Black, plies: None }));
        assert_eq!(engine_lines[2].evaluation, Some(Evaluation::Cp(-1)));
        let floodgate = read_floodgate("* -35 -8384FU +2726FU x", &record.diagram_at(id)).unwrap();
        assert_eq!((floodgate.evaluation, floodgate.pv.len()), (Some(Evaluation::Cp(-35)), 2));
        assert_eq!(read_floodgate("*評価値=3", &record.diagram_at(id)), None);
        for (text, plies) in [("* -99990", Some(10)), ("* -29990", Some(10)), ("* -30000", None)] {
            let mate = Evaluation::Mate { winner: Color::White, plies };
            assert_eq!(read_floodgate(text, &record.diagram_at(id)).unwrap().evaluation, Some(mate));
        }
    }

    #[test]
    fn situations_change_where_shogihome_changes_them() {
        let words: Vec<_> = [1500, 1499, 599, 399, 199, -200, -201, -401, -601, -1500, -1501].map(situation).to_vec();
        assert_eq!(
            words,
            [
                "先手勝勢",
                "先手優勢",
                "先手有利",
                "先手有望",
                "互角",
                "互角",
                "後手有望",
                "後手有利",
                "後手優勢",
                "後手優勢",
                "後手勝勢"
            ]
        );
    }
}
