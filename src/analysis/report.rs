//! The report on one game: a self-contained HTML page in Japanese and English.
//!
//! The page holds all text in both languages, and a button switches; a small script drives board, move list and graph.
//! The game is embedded as JSON with an SFEN for every ply, so that the script needs no rules.

use serde_json::{Value, json};

use super::fact::Fact;
use super::graph;
use super::judgement::{Judgement, win_probability};
use super::language::Language;
use super::move_judgement::{Mark, MoveJudgement};
use super::page::{both, escape, fill, in_both, percent, program};
use crate::position::Board;
use crate::record::{Action, Record};
use crate::types::{Color, Move, Square};

const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/page.css");
const SCRIPT: &str = include_str!("report/page.js");

/// The page of a judged game. `engine` and `budget` name the analysis; without a language the reader's browser chooses.
pub fn html_report(
    record: &Record,
    judgement: &Judgement,
    engine: &str,
    budget: &str,
    language: Option<Language>,
) -> String {
    let names = Color::ALL.map(|color| record.player(color).unwrap_or(record.side_name(color)).to_owned());
    let title = format!("{} － {}", names[0], names[1]);
    let fields = [
        ("{{language}}", language.map_or("", Language::code).to_owned()),
        ("{{title}}", escape(&title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{headers}}", headers(record)),
        ("{{summary}}", summary_table(&names, judgement)),
        ("{{graph}}", graph::svg(judgement)),
        ("{{mistakes}}", mistakes(record, judgement)),
        ("{{engine}}", escape(engine)),
        ("{{budget}}", escape(budget)),
        ("{{program}}", program(engine)),
        // `</` would end the script element and `<!--` open a comment in it.
        ("{{data}}", data(record, judgement, &names).to_string().replace('<', "\\u003c")),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    fill(PAGE, &fields)
}

fn headers(record: &Record) -> String {
    let shown = ["棋戦", "表題", "場所", "開始日時", "終了日時", "持ち時間", "戦型", "作品名", "作者"];
    let english = ["Event", "Title", "Place", "Start", "End", "Time", "Opening", "Work", "Author"];
    shown
        .iter()
        .zip(english)
        .filter_map(|(key, english)| {
            let value = record.header(key).filter(|value| !value.is_empty())?;
            Some(format!("<div><dt>{}</dt><dd>{}</dd></div>", both(key, english), escape(value)))
        })
        .collect()
}

fn summary_table(names: &[String; 2], judgement: &Judgement) -> String {
    let [black, white] = &judgement.players;
    let mut rows = vec![
        (both("正確さ", "Accuracy"), percent(black.accuracy), percent(white.accuracy)),
        (
            both("平均損失（勝率%）", "Mean loss (win %)"),
            format!("{:.2}", black.mean_loss),
            format!("{:.2}", white.mean_loss),
        ),
    ];
    for (index, name) in
        [("最善手", "Best moves"), ("緩手", "Inaccuracies"), ("疑問手", "Mistakes"), ("悪手", "Blunders")]
            .into_iter()
            .enumerate()
    {
        rows.push((both(name.0, name.1), black.marks[index].to_string(), white.marks[index].to_string()));
    }
    for (index, name) in [("序盤", "Opening"), ("中盤", "Middle game"), ("終盤", "Endgame")].into_iter().enumerate()
    {
        let label = both(&format!("{}の正確さ", name.0), &format!("Accuracy, {}", name.1.to_lowercase()));
        rows.push((label, percent(black.by_phase[index]), percent(white.by_phase[index])));
    }
    let body: String = rows
        .iter()
        .map(|(label, black, white)| format!("<tr><th>{label}</th><td>{black}</td><td>{white}</td></tr>"))
        .collect();
    let turning = judgement.turning_point.map_or_else(String::new, |ply| {
        format!(
            "<p>{} <button class=\"goto\" data-ply=\"{ply}\">{ply}{}</button></p>",
            both("勝負の分かれ目：", "Turning point: move"),
            both("手目", "")
        )
    });
    format!(
        "<table class=\"summary\"><thead><tr><th></th><th>▲{}</th><th>△{}</th></tr></thead><tbody>{body}</tbody></table>{turning}",
        escape(&names[0]),
        escape(&names[1])
    )
}

fn mark_words(mark: Mark) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match mark {
        Mark::Best => ("最善", "best", "best"),
        Mark::Good => return None,
        Mark::Inaccuracy => ("緩手", "inaccuracy", "inaccuracy"),
        Mark::Mistake => ("疑問手", "mistake", "mistake"),
        Mark::Blunder => ("悪手", "blunder", "blunder"),
    })
}

fn sentences(facts: &[Fact], language: Language) -> String {
    let space = if language == Language::English { " " } else { "" };
    let texts: Vec<String> = facts.iter().map(|fact| fact.text(language)).collect();
    texts.join(space)
}

fn mistakes(record: &Record, judgement: &Judgement) -> String {
    let bad: Vec<&MoveJudgement> = judgement.moves.iter().filter(|mv| mv.mark >= Mark::Inaccuracy).collect();
    if bad.is_empty() {
        return format!("<p>{}</p>", both("大きなミスはありませんでした。", "No mistakes worth mentioning."));
    }
    let rows: String = bad
        .into_iter()
        .filter_map(|judged| {
            let parent = record.node(judged.node).parent()?;
            let before = record.diagram_at(parent);
            let last_to = record.node(parent).mv().map(Move::to);
            let (japanese, english, class) = mark_words(judged.mark)?;
            let best = &judged.best[..judged.best.len().min(8)];
            let after = record.diagram_at(judged.node);
            let reply = &judged.reply[..judged.reply.len().min(8)];
            let facts = in_both(|language| {
                let said = sentences(&judged.facts, language);
                let reply = language.line_text(&after, reply, Some(judged.mv.to()));
                match (reply.is_empty(), language) {
                    (true, _) => said,
                    (false, Language::Japanese) => format!("{said}本譜には{reply}"),
                    (false, Language::English) => {
                        format!("{said} The move played allows {reply}").trim_start().to_owned()
                    }
                }
            });
            Some(format!(
                "<tr class=\"{class}\"><td><button class=\"goto\" data-ply=\"{ply}\">{ply}</button></td><td>{mv}</td>\
                 <td>{mark}</td><td>{loss:.1}</td><td>{before_text} → {after_text}</td>\
                 <td><button class=\"line\" data-ply=\"{from}\">{best}</button><p>{facts}</p></td></tr>",
                ply = judged.ply,
                from = judged.ply - 1,
                mv = in_both(|language| language.move_text(&before, judged.mv, last_to)),
                mark = both(japanese, english),
                loss = judged.loss * 100.0,
                before_text = in_both(|language| language.evaluation_text(judged.before)),
                after_text = in_both(|language| language.evaluation_text(judged.after)),
                best = in_both(|language| language.line_text(&before, best, last_to)),
            ))
        })
        .collect();
    format!(
        "<table class=\"mistakes\"><thead><tr><th>#</th><th>{}</th><th></th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>{rows}</tbody></table>",
        both("指し手", "Move"),
        both("損失%", "Loss %"),
        both("評価値", "Evaluation"),
        both("最善の順と説明", "Better line, and why")
    )
}

/// The game for the script: SFEN, text, evaluation, mark, explanation and engine line of each ply.
fn data(record: &Record, judgement: &Judgement, names: &[String; 2]) -> Value {
    let mut plies = Vec::new();
    let mut diagram = record.start.diagram.clone();
    let mut last_to = None;
    let mut end = Value::Null;
    for (ply, id) in record.main_line().into_iter().enumerate() {
        let node = record.node(id);
        let mut text = json!({ "ja": "開始局面", "en": "start" });
        let mut to = Value::Null;
        match node.action() {
            Action::Start => {}
            Action::Move(mv) => {
                text = json_in_both(|language| language.move_text(&diagram, *mv, last_to));
                if diagram.apply(*mv).is_err() {
                    break;
                }
                last_to = Some(mv.to());
                to = json!(mv.to().to_string());
            }
            Action::End(word) => {
                end = json_in_both(|language| language.end_text(word).to_owned());
                break;
            }
        }
        let judged = judgement.moves.iter().find(|judged| judged.ply == ply);
        let next = judgement.moves.iter().find(|judged| judged.ply == ply + 1);
        let line = next.map(|next| next.best.as_slice()).or_else(|| Some(judged?.reply.as_slice()));
        let evaluation = judgement.evaluations.get(ply).copied().flatten();
        let mut entry = json!({ "sfen": diagram.to_sfen(1), "text": text, "to": to });
        if let Some(evaluation) = evaluation {
            entry["worth"] = json_in_both(|language| language.evaluation_text(evaluation));
            entry["win"] = json!((win_probability(evaluation) * 1000.0).round() / 10.0);
        }
        if let Some(judged) = judged {
            entry["mark"] = json!(mark_words(judged.mark).map(|words| words.2));
            entry["why"] = json_in_both(|language| sentences(&judged.facts, language));
        }
        if let Some(line) = line.filter(|line| !line.is_empty()) {
            entry["line"] = line_data(&diagram, line, last_to);
        }
        plies.push(entry);
    }
    json!({ "names": names, "plies": plies, "end": end })
}

fn json_in_both(text: impl Fn(Language) -> String) -> Value {
    json!({ "ja": text(Language::Japanese), "en": text(Language::English) })
}

/// The engine's line: a text, a position and the destination for each move.
fn line_data(start: &Board, line: &[Move], last_to: Option<Square>) -> Value {
    let (mut diagram, mut last_to) = (start.clone(), last_to);
    let mut steps = Vec::new();
    for &mv in line.iter().take(24) {
        let text = json_in_both(|language| language.move_text(&diagram, mv, last_to));
        if diagram.apply(mv).is_err() {
            break;
        }
        last_to = Some(mv.to());
        steps.push(json!({ "text": text, "sfen": diagram.to_sfen(1), "to": mv.to().to_string() }));
    }
    Value::Array(steps)
}
