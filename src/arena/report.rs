//! The result of a match as text: the progress line and the closing report.

use std::fmt::Write as _;

use super::result::{FaultKind, GameResult, Reason, Winner};
use super::runner::{MatchSummary, StopReason};
use super::setup::{Match, Rules};
use super::statistics::{Decision, Estimate, Model, Rating, Wdl, Z95, elo_estimate, los, nelo_estimate, ratings};
use super::tally::Tally;

/// `+12.3`, `-4.0`, `0.0`.
fn signed(value: f64) -> String {
    // Adding 0 makes a negative zero a plain one.
    let value = (value * 10.0).round() / 10.0 + 0.0;
    if value == 0.0 { "0.0".to_owned() } else { format!("{value:+.1}") }
}

/// An estimate with its 95 % interval: `+12.3 [-4.0, +29.1]`.
fn interval(estimate: Estimate) -> String {
    if estimate.margin().is_infinite() {
        return format!("{} [?]", signed(estimate.value));
    }
    format!("{} [{}, {}]", signed(estimate.value), signed(estimate.low), signed(estimate.high))
}

/// A rating with its margin: `+12.3 ±16.5`.
pub(super) fn plus_minus(rating: Rating) -> String {
    let margin = if rating.margin.is_finite() { format!("{:.1}", rating.margin) } else { "?".to_owned() };
    format!("{} ±{margin}", signed(rating.elo))
}

/// The progress line.
pub fn progress(setup: &Match, tally: &Tally, scheduled: u32) -> String {
    let mut line = format!("{}/{scheduled}", tally.games);
    if let [first, second] = &setup.players[..]
        && !matches!(setup.rules, Rules::Solo { .. })
    {
        let (wdl, pairs) = tally.main();
        let counts = Tally::best_counts(&wdl, &pairs);
        let _ = write!(
            line,
            "  {} - {}: {}-{}-{}  {:.1}%  Elo {}  LOS {:.1}%",
            first.name,
            second.name,
            wdl.wins,
            wdl.draws,
            wdl.losses,
            wdl.score() * 100.0,
            interval(elo_estimate(&counts)),
            los(&counts) * 100.0,
        );
        if let (Some(sprt), Some(llr)) = (setup.sprt, tally.llr()) {
            let (lower, upper) = sprt.bounds();
            let _ = write!(line, "  LLR {llr:.2} ({lower:.2}, {upper:.2})");
        }
    } else {
        for (index, player) in setup.players.iter().enumerate() {
            let scores = &tally.solo_scores[index];
            if scores.is_empty() {
                let wdl = tally.total(index);
                let _ = write!(line, "  {} {}-{}-{}", player.name, wdl.wins, wdl.draws, wdl.losses);
            } else {
                let mean = scores.values().sum::<f64>() / scores.len() as f64;
                let _ = write!(line, "  {} {mean:.2}", player.name);
            }
        }
    }
    match tally.fault_count(None) {
        0 => {}
        faults => {
            let _ = write!(line, "  faults {faults}");
        }
    }
    line
}

/// How a game ended, in one line.
pub fn game(names: [&str; 2], result: &GameResult) -> String {
    let outcome = match (result.winner, result.score) {
        (_, Some(score)) => format!("{}: score {score}", names[0]),
        (Winner::Black, None) => format!("{} beats {}", names[0], names[1]),
        (Winner::White, None) => format!("{} beats {}", names[1], names[0]),
        (Winner::Draw, None) => format!("{} and {} draw", names[0], names[1]),
    };
    let mut line = format!("game {}: {outcome} by {}, {} moves", result.game + 1, result.reason.word(), result.plies);
    if !result.detail.is_empty() {
        let _ = write!(line, " ({})", result.detail);
    }
    line
}

/// The closing report, in English with the Japanese terms.
pub fn closing(setup: &Match, summary: &MatchSummary) -> String {
    let tally = &summary.tally;
    let mut text = String::new();
    let stop = match &summary.stop {
        StopReason::Complete => "all games played (全対局終了)".to_owned(),
        StopReason::Decided(decision) => {
            let sprt = setup.sprt.unwrap_or_default();
            let (hypothesis, likelier, other) = match decision {
                Decision::H0 => ("H0", sprt.elo0, sprt.elo1),
                Decision::H1 => ("H1", sprt.elo1, sprt.elo0),
            };
            let unit = match sprt.model {
                Model::Logistic => "Elo",
                Model::Normalized => "nElo",
            };
            format!("SPRT: {hypothesis} accepted ({hypothesis}採択), {likelier} {unit} rather than {other}")
        }
        StopReason::Interrupted => "interrupted (中断)".to_owned(),
        StopReason::Withdrawn(engines) => {
            let names: Vec<&str> = engines.iter().map(|&engine| setup.players[engine].name.as_str()).collect();
            format!("withdrawn, does not start (起動しないため棄権): {}", names.join(", "))
        }
    };
    let _ = writeln!(
        text,
        "Result (結果): {stop}; {} of {} games (対局), {:.1} s",
        tally.games, summary.scheduled, summary.seconds
    );
    if matches!(setup.rules, Rules::Solo { .. }) {
        solo(&mut text, setup, tally);
    } else {
        for (&(first, second), versus) in &tally.versus {
            pairing(&mut text, setup, tally, [first, second], versus.wdl, &versus.pairs);
        }
        if setup.players.len() > 2 {
            rating_table(&mut text, setup, tally);
        }
        colors(&mut text, setup, tally);
    }
    efforts(&mut text, setup, tally);
    let reasons: Vec<String> =
        tally.reasons.iter().map(|(reason, count)| format!("{} {count}", reason.word())).collect();
    let _ = writeln!(text, "Endings (終局): {}", reasons.join(", "));
    if tally.faults.is_empty() {
        let _ = writeln!(text, "Faults (不具合): none");
    } else {
        let _ = writeln!(text, "Faults (不具合): {}", tally.fault_count(None));
        for (&(engine, kind), (count, detail)) in &tally.faults {
            let _ = writeln!(text, "  {} {} {count}×; first: {detail}", setup.players[engine].name, kind.words());
        }
    }
    text
}

/// Why no game of a match could start, where that is so.
pub fn cause_without_a_game(setup: &Match, tally: &Tally) -> Option<String> {
    let only_failures = tally.games > 0 && tally.reasons.keys().all(|&reason| reason == Reason::NoStart);
    let causes = tally.faults.iter().filter(|((_, kind), _)| *kind != FaultKind::RefusedOption);
    let cause = causes.map(|(&(engine, _), (_, detail))| format!("engine {} {detail}", setup.players[engine].name));
    only_failures.then(|| cause.collect::<Vec<_>>().join("; "))
}

fn pairing(text: &mut String, setup: &Match, tally: &Tally, engines: [usize; 2], wdl: Wdl, pairs: &[u64; 5]) {
    let counts = Tally::best_counts(&wdl, pairs);
    let [first, second] = engines.map(|engine| setup.players[engine].name.as_str());
    let _ = writeln!(
        text,
        "{first} - {second}: {} wins, {} draws, {} losses (勝-分-敗), {:.2}%",
        wdl.wins,
        wdl.draws,
        wdl.losses,
        wdl.score() * 100.0
    );
    let _ = writeln!(
        text,
        "  Elo {}  nElo {}  LOS {:.1}%  pairs 0-½-1-1½-2 (組) [{}, {}, {}, {}, {}]",
        interval(elo_estimate(&counts)),
        interval(nelo_estimate(&counts)),
        los(&counts) * 100.0,
        pairs[0],
        pairs[1],
        pairs[2],
        pairs[3],
        pairs[4]
    );
    if let (Some(sprt), Some(llr), [0, 1]) = (setup.sprt, tally.llr(), engines) {
        let (lower, upper) = sprt.bounds();
        let _ = writeln!(
            text,
            "  SPRT [{}, {}] {:?}: LLR {llr:.3} ({lower:.3}, {upper:.3})",
            sprt.elo0, sprt.elo1, sprt.model
        );
    }
}

fn rating_table(text: &mut String, setup: &Match, tally: &Tally) {
    let ratings = ratings(setup.players.len(), &tally.pairing_scores());
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let _ = writeln!(text, "Ratings (レーティング), {} = 0:", setup.players[0].name);
    for engine in order {
        let wdl = tally.total(engine);
        let _ = writeln!(
            text,
            "  {:<24} {:>16}  {:>6} games  {:5.1}%",
            setup.players[engine].name,
            plus_minus(ratings[engine]),
            wdl.games(),
            wdl.score() * 100.0
        );
    }
}

fn colors(text: &mut String, setup: &Match, tally: &Tally) {
    let _ = writeln!(text, "By colour (先後別), wins-draws-losses:");
    for (player, [black, white]) in setup.players.iter().zip(&tally.colors) {
        let _ = writeln!(
            text,
            "  {:<24} Black (先手) {}-{}-{}  White (後手) {}-{}-{}",
            player.name, black.wins, black.draws, black.losses, white.wins, white.draws, white.losses
        );
    }
}

fn efforts(text: &mut String, setup: &Match, tally: &Tally) {
    let _ = writeln!(text, "Per move (一手平均):");
    for (player, effort) in setup.players.iter().zip(&tally.efforts) {
        let moves = f64::from(effort.moves.max(1));
        let depth = match effort.depth_moves {
            0 => "-".to_owned(),
            count => format!("{:.1}", effort.depth as f64 / f64::from(count)),
        };
        let speed = if effort.node_seconds > 0.0 {
            format!("{:.0}", effort.nodes as f64 / effort.node_seconds)
        } else {
            "-".to_owned()
        };
        let noise = match effort.noise {
            0 => String::new(),
            lines => format!(", {lines} lines that are not USI"),
        };
        let _ = writeln!(
            text,
            "  {:<24} {:.4} s, {:.0} nodes, {speed} nps, depth {depth}, latest {:.1} ms over{noise}  [{}]",
            player.name,
            effort.seconds / moves,
            effort.nodes as f64 / moves,
            effort.latest * 1000.0,
            player.control
        );
    }
}

fn solo(text: &mut String, setup: &Match, tally: &Tally) {
    let _ = writeln!(text, "Scores (得点), mean with 95 % interval:");
    let estimate = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        (mean, Z95 * (variance / n).sqrt())
    };
    for (player, scores) in setup.players.iter().zip(&tally.solo_scores) {
        let values: Vec<f64> = scores.values().copied().collect();
        if values.is_empty() {
            let _ = writeln!(text, "  {:<24} no game", player.name);
            continue;
        }
        let (mean, margin) = estimate(&values);
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let _ = writeln!(text, "  {:<24} {mean:.3} ±{margin:.3}  best {best}  {} games", player.name, values.len());
    }
    let first = &tally.solo_scores[0];
    for (player, scores) in setup.players.iter().zip(&tally.solo_scores).skip(1) {
        let differences: Vec<f64> = first.iter().filter_map(|(seed, score)| Some(score - scores.get(seed)?)).collect();
        if differences.is_empty() {
            continue;
        }
        let (mean, margin) = estimate(&differences);
        let mut wdl = Wdl::default();
        for &difference in &differences {
            wdl.add(if difference > 0.0 { 2 } else { u8::from(difference == 0.0) });
        }
        let _ = writeln!(
            text,
            "  {} - {} on the same tokens: {mean:+.3} ±{margin:.3}, better {} equal {} worse {}",
            setup.players[0].name, player.name, wdl.wins, wdl.draws, wdl.losses
        );
    }
}
