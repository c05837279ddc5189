//! Results in words, in English (moves in USI) and Japanese (moves in KI2).

use std::time::Duration;

use super::result::ProblemResult;
use super::soundness_text::soundness_text;
use crate::platform::wording::counted;
use crate::position::Board;
use crate::record::Language;

/// The line of one result: name, verdict, length, nodes, milliseconds, solution, soundness.
pub fn result_text(result: &ProblemResult, language: Language) -> String {
    let mut text = format!("{}\t{}", result.id, verdict_text(&result.verdict, language));
    if result.verdict == "error" {
        return format!("{text}\t{}", result.solution);
    }
    text += &match (result.length, language) {
        (None, _) => "\t-".to_owned(),
        (Some(length), Language::English) => format!("\t{length}"),
        (Some(length), Language::Japanese) => format!("\t{length}手"),
    };
    if result.shortest {
        text.push('!');
    }
    text += &format!("\t{}\t{:.1}\t{}", result.nodes, result.ms, solution_text(result, language));
    if let Some(check) = &result.check {
        text += &format!("\t{}", soundness_text(result, check, language));
    }
    text
}

fn verdict_text(verdict: &str, language: Language) -> &str {
    match (language, verdict) {
        (Language::English, _) => verdict,
        (Language::Japanese, "mate") => "詰み",
        (Language::Japanese, "nomate") => "不詰",
        (Language::Japanese, "error") => "エラー",
        (Language::Japanese, _) => "不明",
    }
}

fn solution_text(result: &ProblemResult, language: Language) -> String {
    match (language, Board::from_sfen(&result.sfen)) {
        (Language::Japanese, Ok((start, _))) => language.line_text(&start, &result.moves(), None),
        _ => result.solution.clone(),
    }
}

/// A summary of some results of `total` problems.
pub fn summary_text(rows: &[ProblemResult], total: usize, elapsed: Duration, language: Language) -> String {
    let japanese = language == Language::Japanese;
    let mut lines = Vec::new();
    // Japanese letters are twice as wide as the others.
    let mut line = |english: &str, in_japanese: &str, value: String| {
        let name = if japanese { in_japanese } else { english };
        let width = if japanese { 2 * name.chars().count() } else { name.len() };
        lines.push(format!("{name}{} {value}", " ".repeat(10_usize.saturating_sub(width))));
    };
    let problems = if rows.len() < total { format!("{} / {total}", rows.len()) } else { total.to_string() };
    line("problems", "問題", problems);
    let verdicts = [
        ("mate", "mate", "詰み"),
        ("nomate", "no mate", "不詰"),
        ("unknown", "unknown", "不明"),
        ("error", "errors", "エラー"),
    ];
    for (verdict, english, in_japanese) in verdicts {
        let count = rows.iter().filter(|row| row.verdict == verdict).count();
        if count > 0 {
            line(english, in_japanese, count.to_string());
        }
    }
    if let Some(longest) = rows.iter().filter_map(|row| row.length).max() {
        line("longest", "最長", if japanese { format!("{longest}手") } else { counted(longest, "ply", "plies") });
    }
    line("nodes", "局面数", rows.iter().map(|row| row.nodes).sum::<u64>().to_string());
    let mut times: Vec<f64> = rows.iter().filter(|row| row.verdict != "error").map(|row| row.ms).collect();
    times.sort_by(f64::total_cmp);
    if let (Some(median), Some(slowest)) = (times.get(times.len() / 2), times.last()) {
        let value = if japanese {
            format!("{median:.1} ms、最大 {slowest:.1} ms")
        } else {
            format!("{median:.1} ms, slowest {slowest:.1} ms")
        };
        line("median", "中央値", value);
    }
    line("time", "時間", format!("{:.2} {}", elapsed.as_secs_f64(), if japanese { "秒" } else { "s" }));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::check::{Cook, Soundness};
    use super::*;

    fn solved() -> ProblemResult {
        ProblemResult {
            id: "one".into(),
            sfen: "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1".into(),
            verdict: "mate".into(),
            length: Some(3),
            shortest: true,
            nodes: 12,
            ms: 1.25,
            solution: "1d2c 1b1a 2c2b".into(),
            check: Some(Soundness {
                left_over: "P".into(),
                first_moves: vec!["2d2a+".into()],
                cooks: vec![Cook { ply: 3, mv: "2d2a+".into(), ..Cook::default() }],
                stated: Some(5),
                ..Soundness::default()
            }),
            ..ProblemResult::default()
        }
    }

    #[test]
    fn results_are_written_in_both_languages() {
        let row = solved();
        assert_eq!(
            result_text(&row, Language::English),
            "one\tmate\t3!\t12\t1.2\t1d2c 1b1a 2c2b\tunsound; shorter than the solution given (5 plies); left over P; \
             other first moves 2d2a+; ply 3 also 2d2a+"
        );
        assert_eq!(
            result_text(&row, Language::Japanese),
            "one\t詰み\t3手!\t12\t1.2\t▲２三金△１一玉▲２二金\t不完全；早詰（作意5手）；駒余り；余詰 初手▲２一飛成；\
             最終手余詰 3手目▲２一飛成"
        );
        let none = ProblemResult { verdict: "nomate".into(), id: "two".into(), ..ProblemResult::default() };
        assert_eq!(result_text(&none, Language::Japanese), "two\t不詰\t-\t0\t0.0\t");
        let bad = ProblemResult { verdict: "error".into(), solution: "why".into(), ..ProblemResult::default() };
        assert_eq!(result_text(&bad, Language::Japanese), "\tエラー\twhy");
    }

    #[test]
    fn a_summary_says_how_many_are_left() {
        let text = summary_text(&[solved()], 3, Duration::from_millis(1500), Language::English);
        assert!(text.starts_with("problems   1 / 3\nmate       1\nlongest    3 plies\n"), "{text}");
        let text = summary_text(&[solved()], 1, Duration::from_millis(1500), Language::Japanese);
        assert!(text.starts_with("問題       1\n詰み       1\n最長       3手\n"), "{text}");
        assert!(text.ends_with("時間       1.50 秒"), "{text}");
    }
}
