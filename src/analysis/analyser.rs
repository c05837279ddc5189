//! An engine that analyses one position after another.

use std::time::{Duration, Instant};

use super::budget::Budget;
use super::engine_line::{EngineLine, Evaluation};
use crate::client::{Client, ClientError, EngineSpec, Fault, Info, Interrupt, MateAnswer, MultiPv};
use crate::position::Position;
use crate::types::Move;

/// Time limit of a search with a node or depth budget.
const PATIENCE: Duration = Duration::from_secs(600);

/// A running engine with a budget.
pub struct Analyser {
    client: Client,
    warnings: Vec<String>,
    budget: Budget,
    /// The number of best lines.
    lines: usize,
    /// Time for the engine's mate solver on each position; zero for none.
    mate: Duration,
    /// Search time so far, from each `go` to its answer.
    search_time: Duration,
}

impl Analyser {
    /// Starts an engine with `lines` best lines (MultiPV); its mate solver gets the time `mate` on each position.
    ///
    /// # Errors
    /// Those of [`Client`].
    pub fn start(
        spec: &EngineSpec,
        budget: Budget,
        lines: u32,
        mate: Duration,
        interrupt: &Interrupt,
    ) -> Result<Self, ClientError> {
        let mut client = Client::start(spec, interrupt)?;
        let mut warnings = Vec::new();
        if lines > 1 {
            match ["MultiPV", "USI_MultiPV"].into_iter().find(|name| client.offers(name)) {
                Some(name) => client.set_option(name, &lines.to_string())?,
                None => warnings.push("the engine does not offer MultiPV and shows one line only".to_owned()),
            }
        }
        client.ready()?;
        let refused = client.refused_options().iter();
        warnings.extend(refused.map(|refusal| format!("an option was not set: {refusal}")));
        Ok(Self { client, warnings, budget, lines: lines as usize, mate, search_time: Duration::ZERO })
    }

    /// The engine's name (`id name`).
    pub fn name(&self) -> &str {
        self.client.name()
    }

    /// What the engine did not take of its settings, one sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Search time so far.
    pub fn search_time(&self) -> Duration {
        self.search_time
    }

    /// Starts a new game, so that the engine forgets earlier ones.
    ///
    /// # Errors
    /// Those of [`Client`].
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.client.new_game()?;
        self.client.ready()
    }

    /// The engine's lines at a position, best first; at least one. `start` is the SFEN that the moves of `position`
    /// begin from.
    ///
    /// # Errors
    /// Those of [`Client`].
    pub fn analyse(&mut self, start: &str, position: &Position) -> Result<Vec<EngineLine>, ClientError> {
        let turn = position.side_to_move();
        if !position.has_legal_move() {
            // Checkmated: nothing to search.
            return Ok(vec![EngineLine {
                evaluation: Some(Evaluation::Mate { winner: !turn, plies: None }),
                ..EngineLine::default()
            }]);
        }
        let mut text = format!("sfen {start}");
        if position.game_length() > 0 {
            text.push_str(" moves");
            for mv in position.moves() {
                text.push_str(&format!(" {mv}"));
            }
        }
        self.client.position(&text)?;
        let (infos, best) = self.search()?;
        let mut lines: Vec<EngineLine> = infos
            .into_iter()
            .map(|info| EngineLine {
                evaluation: info.score.map(|score| Evaluation::of_score(score, turn)),
                pv: legal_line(position, &info.pv),
                depth: info.depth,
                nodes: info.nodes,
                ..EngineLine::default()
            })
            .collect();
        if lines.is_empty() {
            lines.push(EngineLine::default());
        }
        let first = &mut lines[0];
        match best.as_str() {
            "win" => first.evaluation = Some(Evaluation::Mate { winner: turn, plies: None }),
            // A line says more than the bare move.
            best if first.pv.is_empty() => first.pv = legal_line(position, &[best.to_owned()]),
            _ => {}
        }
        let known = first.evaluation.and_then(Evaluation::mate);
        if !self.mate.is_zero()
            && best != "win"
            && !matches!(known, Some((winner, _)) if winner == turn)
            && let Some(moves) = self.solve_mate()?
        {
            let pv = legal_line(position, &moves);
            // A mate line with an illegal move is ignored.
            if !pv.is_empty() && pv.len() == moves.len() {
                // In a problem with one king the side to move may be the one that is mated: the last move decides.
                let winner = if pv.len() % 2 == 1 { turn } else { !turn };
                let evaluation = Some(Evaluation::Mate { winner, plies: Some(pv.len() as u32) });
                let line = EngineLine { evaluation, pv, ..lines[0].clone() };
                // The other lines keep their order behind it; its move must not stand there once more.
                lines.retain(|other| !other.pv.is_empty() && other.pv.first() != line.pv.first());
                lines.insert(0, line);
                lines.truncate(self.lines);
            }
        }
        Ok(lines)
    }

    /// One search: the best lines, and the word after `bestmove`.
    fn search(&mut self) -> Result<(Vec<Info>, String), ClientError> {
        // `infinite` and `stop` work with every engine and give exactly the requested time.
        let (arguments, limit) = match self.budget {
            Budget::Time(time) => ("infinite".to_owned(), time),
            Budget::Nodes(nodes) => (format!("nodes {nodes}"), PATIENCE),
            Budget::Depth(depth) => (format!("depth {depth}"), PATIENCE),
        };
        let mut lines = MultiPv::default();
        let (best, _) = self.ask(&arguments, limit, |line| {
            if let Some(rest) = line.strip_prefix("info ") {
                lines.take(Info::parse(rest));
            }
            let best = line.strip_prefix("bestmove")?;
            Some(best.split_whitespace().next().unwrap_or("").to_owned())
        })?;
        Ok((lines.lines(self.lines), best))
    }

    /// Runs the engine's mate solver; `None` if it finds no mate. An engine without one, or one that has to be stopped, is
    /// not asked again.
    fn solve_mate(&mut self) -> Result<Option<Vec<String>>, ClientError> {
        let arguments = format!("mate {}", self.mate.as_millis());
        let (answer, stopped) = self.ask(&arguments, self.mate + STOP_LIMIT, MateAnswer::of_line)?;
        if stopped || answer == MateAnswer::NotImplemented {
            self.mate = Duration::ZERO;
        }
        Ok(match answer {
            MateAnswer::Mate(moves) => Some(moves.split_whitespace().map(str::to_owned).collect()),
            MateAnswer::NoMate | MateAnswer::Unknown | MateAnswer::NotImplemented => None,
        })
    }

    /// Sends `go` with arguments, and `stop` after `limit`; hands over every line until `answer` is one. Returns the
    /// answer, and whether the engine had to be stopped.
    fn ask<T>(
        &mut self,
        arguments: &str,
        limit: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, bool), ClientError> {
        self.client.follow(true);
        let start = self.client.go(arguments)?;
        let mut deadline = start + limit;
        let mut stopped = false;
        let answer = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.client.next_line(left)? {
                Some((_, line)) => {
                    if let Some(answer) = answer(&line) {
                        break answer;
                    }
                }
                None if stopped => return Err(Fault::NoBestmove(STOP_LIMIT).into()),
                None => {
                    stopped = true;
                    self.client.stop()?;
                    deadline = Instant::now() + STOP_LIMIT;
                }
            }
        };
        self.search_time += start.elapsed();
        self.client.follow(false);
        Ok((answer, stopped))
    }

    /// Ends the engine.
    pub fn quit(self) {
        // An engine that ignores `quit` is killed; all its answers are in.
        let _ = self.client.quit();
    }
}

/// Time limit from `stop` to the answer.
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// The moves up to the first illegal one.
fn legal_line(position: &Position, words: &[String]) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for word in words {
        match word.parse::<Move>() {
            Ok(mv) if position.is_legal(mv) => {
                position.do_move(mv);
                line.push(mv);
            }
            _ => break,
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_before_the_first_illegal_move() {
        let words = ["7g7f", "3c3d", "8h2b+", "5a5i", "2g2f"].map(str::to_owned);
        assert_eq!(legal_line(&Position::startpos(), &words).len(), 3);
    }
}
