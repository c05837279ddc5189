//! The result of a match as one JSON object.

use serde_json::{Value, json};

use super::result::Effort;
use super::runner::{MatchSummary, StopReason};
use super::setup::{Match, Rules};
use super::statistics::{Estimate, elo_estimate, los, nelo_estimate, ratings};
use super::tally::Tally;

/// A number, or `null` if it is infinite or not a number.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn estimate(estimate: Estimate) -> Value {
    json!({
        "value": number(estimate.value),
        "margin": number(estimate.margin()),
        "low": number(estimate.low),
        "high": number(estimate.high),
    })
}

fn effort(effort: &Effort) -> Value {
    let moves = f64::from(effort.moves.max(1));
    json!({
        "moves": effort.moves,
        "seconds_per_move": effort.seconds / moves,
        "nodes_per_move": effort.nodes as f64 / moves,
        "nps": number(effort.nodes as f64 / effort.node_seconds),
        "depth": number(effort.depth as f64 / f64::from(effort.depth_moves)),
        "latest_ms": effort.latest * 1000.0,
        "noise_lines": effort.noise,
    })
}

/// The object: `engines` (with results by colour, effort, faults and rating), `pairings`, `sprt`, `endings`, `stop`.
pub fn report(setup: &Match, summary: &MatchSummary) -> Value {
    let tally = &summary.tally;
    let solo = matches!(setup.rules, Rules::Solo { .. });
    let ratings = ratings(setup.players.len(), &tally.pairing_scores());
    let name = |engine: usize| setup.players[engine].name.as_str();
    let engines: Vec<Value> = (0..setup.players.len())
        .map(|engine| {
            let faults: serde_json::Map<String, Value> = tally
                .faults
                .iter()
                .filter(|((culprit, _), _)| *culprit == engine)
                .map(|((_, kind), (count, detail))| {
                    let key = json!(kind).as_str().unwrap_or("fault").to_owned();
                    (key, json!({ "count": count, "first": detail }))
                })
                .collect();
            let [black, white] = tally.colors[engine];
            let mut value = json!({
                "name": name(engine),
                "time": setup.players[engine].control.to_string(),
                "effort": effort(&tally.efforts[engine]),
                "faults": faults,
            });
            if solo {
                let scores: Vec<f64> = tally.solo_scores[engine].values().copied().collect();
                let mean = scores.iter().sum::<f64>() / scores.len() as f64;
                value["games"] = json!(scores.len());
                value["mean_score"] = number(mean);
                value["scores"] = json!(scores);
            } else {
                value["black"] = json!(black);
                value["white"] = json!(white);
                value["rating"] =
                    json!({ "elo": number(ratings[engine].elo), "margin": number(ratings[engine].margin) });
            }
            value
        })
        .collect();
    let pairings: Vec<Value> = tally
        .versus
        .iter()
        .map(|(&(first, second), versus)| {
            let counts = Tally::best_counts(&versus.wdl, &versus.pairs);
            json!({
                "first": name(first),
                "second": name(second),
                "results": versus.wdl,
                "score": versus.wdl.score(),
                "pentanomial": versus.pairs,
                "elo": estimate(elo_estimate(&counts)),
                "nelo": estimate(nelo_estimate(&counts)),
                "los": number(los(&counts)),
            })
        })
        .collect();
    let sprt = setup.sprt.map(|sprt| {
        let (lower, upper) = sprt.bounds();
        json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta, "model": sprt.model,
            "llr": tally.llr(), "lower": lower, "upper": upper,
            "decision": match summary.stop { StopReason::Decided(decision) => json!(decision), _ => Value::Null },
        })
    });
    let endings: serde_json::Map<String, Value> = tally
        .reasons
        .iter()
        .map(|(reason, count)| (json!(reason).as_str().unwrap_or("").to_owned(), json!(count)))
        .collect();
    json!({
        "stop": match &summary.stop {
            StopReason::Complete => "complete",
            StopReason::Decided(_) => "decided",
            StopReason::Interrupted => "interrupted",
            StopReason::Withdrawn(_) => "withdrawn",
        },
        "games": tally.games,
        "scheduled": summary.scheduled,
        "seconds": summary.seconds,
        "plies": tally.plies,
        "faults": tally.fault_count(None),
        "engines": engines,
        "pairings": pairings,
        "sprt": sprt,
        "endings": endings,
    })
}
