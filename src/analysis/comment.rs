//! Thinking comments: key=value lines as ShogiHome defines them (思考コメントの仕様), and Floodgate's one-liners.
//!
//! A comment belongs to the position after the move it stands at. Lines begin with `#` for analysis and `*` for a
//! player's own search; one result is a run of such lines, and lines that are not pairs separate two results.

use super::{EngineLine, Evaluation};
use crate::record::{Comment, Diagram, NodeId, Record, line_in_japanese, read_japanese_line};
use crate::types::{Color, Move, Square};

/// The key of the search budget: not in the specification, hence with the program's prefix.
const BUDGET_KEY: &str = "Hagane-Budget";

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
                let mut engine_lines = read_engine_lines(record, id);
                engine_lines.retain(|engine_line| self.is_mine(engine_line));
                engine_lines
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
                let last_to = record.node(id).mv().map(Move::to);
                let comments = &record.node(id).comments;
                let mut after_pair = comments.last().is_some_and(|last| is_pair(last.line()));
                for (index, engine_line) in engine_lines.iter().enumerate() {
                    if index > 0 {
                        lines.push(Comment::Text(format!("候補{}", index + 1)));
                    } else if after_pair || !comments.is_empty() {
                        lines.push(Comment::Text(String::new()));
                    }
                    after_pair = true;
                    lines.extend(self.pairs(engine_line, &diagram, last_to).into_iter().map(Comment::Text));
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
    fn pairs(&self, engine_line: &EngineLine, diagram: &Diagram, last_to: Option<Square>) -> Vec<String> {
        let mark = if engine_line.by_player { '*' } else { '#' };
        let mut lines = Vec::new();
        let mut pair = |key: &str, value: &str| lines.push(format!("{mark}{key}={value}"));
        match engine_line.evaluation {
            Some(Evaluation::Mate { winner, plies }) => {
                let winner = if winner == Color::Black { "先手勝ち" } else { "後手勝ち" };
                match plies {
                    Some(plies) => pair("詰み", &format!("{winner}:{plies}手")),
                    None => pair("詰み", winner),
                }
            }
            Some(Evaluation::Cp(cp)) => {
                lines.push(situation(cp).to_owned());
                lines.push(format!("{mark}評価値={cp}"));
            }
            None => {}
        }
        let mut pair = |key: &str, value: &str| lines.push(format!("{mark}{key}={value}"));
        if !engine_line.pv.is_empty() {
            pair("読み筋", &line_in_japanese(diagram, &engine_line.pv, last_to));
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
    let comments = &record.node(id).comments;
    if !comments.iter().any(|comment| is_pair(comment.line())) {
        return Vec::new();
    }
    let diagram = record.diagram_at(id);
    let last_to = record.node(id).mv().map(Move::to);
    let mut engine_lines = Vec::new();
    let mut current: Option<(EngineLine, Vec<&str>)> = None;
    for comment in comments {
        let pair = match comment {
            Comment::Text(line) => split_pair(line),
            Comment::Remark(_) => None,
        };
        let Some((by_player, key, value)) = pair else {
            engine_lines.extend(current.take().map(|(engine_line, _)| engine_line));
            continue;
        };
        // A repeated key begins the next result.
        let same =
            matches!(&current, Some((engine_line, keys)) if engine_line.by_player == by_player && !keys.contains(&key));
        if !same {
            engine_lines.extend(current.take().map(|(engine_line, _)| engine_line));
        }
        let (engine_line, keys) =
            current.get_or_insert_with(|| (EngineLine { by_player, ..EngineLine::default() }, Vec::new()));
        keys.push(key);
        match key {
            "評価値" => {
                if let Ok(cp) = value.trim().parse::<f64>() {
                    // A mate may stand beside a number and takes precedence.
                    let cp = Evaluation::Cp(cp.clamp(-1e6, 1e6).round() as i32);
                    engine_line.evaluation = engine_line.evaluation.or(Some(cp));
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
    engine_lines.extend(current.map(|(engine_line, _)| engine_line));
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
fn floodgate(engine_line: &EngineLine, diagram: &Diagram) -> String {
    let mut text = format!("* {}", engine_line.evaluation.map_or(0, Evaluation::centipawns));
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
pub fn read_floodgate(line: &str, diagram: &Diagram) -> Option<EngineLine> {
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
    let evaluation = if score.abs() > 29_000 {
        let winner = if score > 0 { Color::Black } else { Color::White };
        let plies = u32::try_from(30_000 - score.abs()).ok().filter(|&plies| plies > 0);
        Evaluation::Mate { winner, plies }
    } else {
        Evaluation::Cp(score)
    };
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
                "後手有望",
                "#評価値=-215",
                "#読み筋=△３四歩▲２二角成△同　銀",
                "#深さ=12",
                "#ノード数=34567",
                "#エンジン=Hagane 0.1 = #*",
                "#Hagane-Budget=time 100ms multipv 2",
                "候補2",
                "#詰み=後手勝ち:8手",
                "#読み筋=△８四歩▲２六歩",
                "#深さ=12",
                "#ノード数=34567",
                "#エンジン=Hagane 0.1 = #*",
                "#Hagane-Budget=time 100ms multipv 2",
            ]
        );
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
