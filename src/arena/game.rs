//! One game: asks the engines in turn and keeps their clocks.

use std::time::{Duration, Instant};

use crate::client::{Answer, Client, ClientError, ScoreText};
use crate::platform::random::Random;
use crate::types::Color;

use super::adjudication::{Adjudication, Adjudicator};
use super::result::{Effort, Ending, FaultKind, Reason};
use super::rules::Referee;
use super::time_control::{GameClock, TimeControl, go_arguments};

/// Resigning with at least this score in centipawns is reported as a fault.
const WINNING: i32 = 1000;

/// An engine that plays one side of a game.
pub struct Seat<'a> {
    /// The engine, ready for a new game.
    pub client: &'a mut Client,
    /// Its time control.
    pub control: &'a TimeControl,
    /// Whether it ponders.
    pub ponder: bool,
}

/// What an engine reported with a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveEvaluation {
    /// Time charged to the clock.
    pub time: Duration,
    /// Score from its own view.
    pub score: Option<ScoreText>,
    /// Depth.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move as the engine wrote it.
    pub token: String,
    /// What the engine reported with it.
    pub evaluation: MoveEvaluation,
}

/// A played game.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended; `None` if it was interrupted and does not count.
    pub ending: Option<Ending>,
    /// The moves after the opening.
    pub plies: Vec<Ply>,
    /// Faults, with the side and the particulars.
    pub faults: Vec<(Color, FaultKind, String)>,
    /// Which sides' engines must be restarted.
    pub broken: [bool; 2],
    /// Search statistics of both sides.
    pub efforts: [Effort; 2],
}

/// A game in progress.
pub(super) struct Game<'a> {
    /// One or two.
    seats: Vec<Seat<'a>>,
    clocks: [GameClock; 2],
    /// The move that a side expects, and once it ponders, the text of the position that it ponders on.
    pondering: [Option<String>; 2],
    played: Played,
    /// Seed and pair, for the random spread.
    place: [u64; 2],
}

/// The result of asking for a move.
pub(super) enum Asked {
    Answer(Box<Answer>, Duration),
    Over(Ending),
    Interrupted,
}

/// Plays a game of two engines. `place` (seed and pair) gives both games of a pair the same random spread.
pub fn play(seats: [Seat<'_>; 2], referee: &mut dyn Referee, adjudication: &Adjudication, place: [u64; 2]) -> Played {
    let mut game = Game::new(seats.into(), place);
    let mut adjudicator = Adjudicator::new(adjudication);
    let mut offered = [false; 2];
    let ending = loop {
        if let Some(ending) = referee.before_move() {
            break Some(ending);
        }
        let mover = referee.mover();
        let (answer, used) = match game.ask(mover, referee.text(), referee.plies()) {
            Asked::Answer(answer, used) => (*answer, used),
            Asked::Over(ending) => break Some(ending),
            Asked::Interrupted => break None,
        };
        let expected = answer.ponder.iter();
        let expected = expected.map(|reply| vec![answer.best.clone(), reply.clone()]);
        for line in expected.chain([answer.info.pv.clone()]) {
            if let Some(detail) = referee.line_fault(&line) {
                game.note(mover, FaultKind::IllegalLine, detail);
            }
        }
        let score = answer.info.score;
        if let Some(ending) = referee.answer(&answer.best) {
            game.judge_end(mover, &ending, score);
            if !is_word(&ending) {
                game.record(&answer, used);
            }
            break Some(ending);
        }
        game.record(&answer, used);
        if let Some(ending) = adjudicator.watch(mover, score, referee.plies()) {
            break Some(ending);
        }
        offered[mover.index()] = answer.offers_draw;
        if offered == [true; 2] {
            break Some(Ending::draw(Reason::DrawAgreed));
        }
        if game.seats[mover.index()].ponder {
            game.pondering[mover.index()] = answer.ponder;
        }
    };
    game.finish(ending)
}

/// Whether the game ended by an answer that is not a move of the game.
fn is_word(ending: &Ending) -> bool {
    matches!(
        ending.reason,
        Reason::Resign
            | Reason::Declaration
            | Reason::IllegalMove
            | Reason::NoMove
            | Reason::FalseDeclaration
            | Reason::Claim
            | Reason::DrawClaim
    )
}

impl<'a> Game<'a> {
    fn new(seats: Vec<Seat<'a>>, place: [u64; 2]) -> Self {
        let clock = |side: usize| GameClock::new(seats[side.min(seats.len() - 1)].control);
        Self {
            clocks: [clock(0), clock(1)],
            seats,
            pondering: [None, None],
            played: Played {
                ending: None,
                plies: Vec::new(),
                faults: Vec::new(),
                broken: [false; 2],
                efforts: [Effort::default(); 2],
            },
            place,
        }
    }

    /// A game of a single player, who is Black.
    pub(super) fn alone(seat: Seat<'a>, place: [u64; 2]) -> Self {
        Self::new(vec![seat], place)
    }

    /// Has the mover search the position and waits for its answer, on its clock.
    pub(super) fn ask(&mut self, mover: Color, text: &str, ply: u32) -> Asked {
        let side = mover.index();
        if self.seats[side].control.spread > 0.0 {
            let [seed, pair] = self.place;
            let mut random = Random::for_item(seed, pair << 32 | u64::from(ply));
            self.clocks[side].draw(random.unit().into());
        }
        let start = match self.start_thinking(mover, text) {
            Ok(start) => start,
            Err(error) => return self.client_error(mover, &error),
        };
        // The other side starts pondering only now, so that it costs the mover no time.
        if let Err(error) = self.start_pondering(mover.flip(), text) {
            return self.client_error(mover.flip(), &error);
        }
        self.wait(mover, start)
    }

    fn start_thinking(&mut self, mover: Color, text: &str) -> Result<Instant, ClientError> {
        let arguments = go_arguments(&self.clocks, mover);
        let side = mover.index();
        let expected = self.pondering[side].take();
        let client = &mut self.seats[side].client;
        let mut start = None;
        if client.is_searching() {
            if expected.as_deref() == Some(text) {
                return client.ponderhit("");
            }
            // Its clock runs while it stops pondering on the wrong move.
            start = Some(Instant::now());
            client.cancel()?;
        }
        client.position(text)?;
        let go = client.go(&arguments)?;
        Ok(start.unwrap_or(go))
    }

    /// Starts pondering on the expected move, if there is one; `text` is the position before the opponent's move.
    fn start_pondering(&mut self, side: Color, text: &str) -> Result<(), ClientError> {
        let Some(expected) = self.pondering[side.index()].take() else {
            return Ok(());
        };
        let arguments = go_arguments(&self.clocks, side);
        let separator = if text.contains(" moves ") { " " } else { " moves " };
        let text = format!("{text}{separator}{expected}");
        let client = &mut self.seats[side.index()].client;
        client.position(&text)?;
        client.go(format!("ponder {arguments}").trim_end())?;
        self.pondering[side.index()] = Some(text);
        Ok(())
    }

    fn wait(&mut self, mover: Color, start: Instant) -> Asked {
        let side = mover.index();
        let allowance = self.clocks[side].allowance();
        let limit = self.clocks[side].deadline();
        let client = &mut self.seats[side].client;
        let outcome = match client.answer(limit.saturating_sub(start.elapsed())) {
            // Too late. Its answer to `stop` shows whether the engine still responds.
            Ok(None) => client.stop().and_then(|_| client.last_answer()).map(Some),
            in_time => in_time,
        };
        let answer = match outcome {
            Ok(Some(answer)) => answer,
            Ok(None) => return Asked::Interrupted,
            Err(error) => return self.client_error(mover, &error),
        };
        let used = answer.at.saturating_duration_since(start);
        self.charge(mover, used, allowance, &answer);
        if used <= limit {
            return Asked::Answer(Box::new(answer), used);
        }
        let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        match allowance {
            Some(allowed) => {
                let detail = format!("{} used, {} allowed", seconds(used), seconds(allowed));
                self.fault(mover, FaultKind::Late, detail, false)
            }
            None => {
                let detail = format!("no answer within {}, only after stop", seconds(limit));
                self.fault(mover, FaultKind::Hang, detail, false)
            }
        }
    }

    fn charge(&mut self, mover: Color, used: Duration, allowance: Option<Duration>, answer: &Answer) {
        self.clocks[mover.index()].charge(used);
        let effort = &mut self.played.efforts[mover.index()];
        if let Some(allowance) = allowance {
            effort.latest = effort.latest.max(used.saturating_sub(allowance).as_secs_f64());
        }
        effort.moves += 1;
        effort.seconds += used.as_secs_f64();
        if let Some(nodes) = answer.info.nodes {
            effort.nodes += nodes;
            effort.node_seconds += used.as_secs_f64();
        }
        if let Some(depth) = answer.info.depth {
            effort.depth += u64::from(depth);
            effort.depth_moves += 1;
        }
    }

    /// Appends a move to the game.
    pub(super) fn record(&mut self, answer: &Answer, used: Duration) {
        self.played.plies.push(Ply {
            token: answer.best.clone(),
            evaluation: MoveEvaluation {
                time: used,
                score: answer.info.score,
                depth: answer.info.depth,
                nodes: answer.info.nodes,
            },
        });
    }

    /// Records the fault of `mover` that an ending implies, if any.
    fn judge_end(&mut self, mover: Color, ending: &Ending, score: Option<ScoreText>) {
        let kind = match ending.reason {
            Reason::IllegalMove => FaultKind::IllegalMove,
            Reason::NoMove => FaultKind::NoMove,
            Reason::FalseDeclaration => FaultKind::FalseDeclaration,
            Reason::Resign if score.is_some_and(|score| score.value().0 >= WINNING) => FaultKind::ResignedWinning,
            _ => return,
        };
        let detail = match (kind, score) {
            (FaultKind::ResignedWinning, Some(score)) => format!("with score {score}"),
            _ => ending.detail.clone(),
        };
        self.played.faults.push((mover, kind, detail));
    }

    /// Records a fault without consequence, once per game and side.
    fn note(&mut self, side: Color, kind: FaultKind, detail: String) {
        let faults = &mut self.played.faults;
        if !faults.iter().any(|fault| (fault.0, fault.1) == (side, kind)) {
            faults.push((side, kind, detail));
        }
    }

    /// Records a fault that loses the game.
    fn fault(&mut self, side: Color, kind: FaultKind, detail: String, broken: bool) -> Asked {
        self.played.broken[side.index()] |= broken;
        self.played.faults.push((side, kind, detail.clone()));
        Asked::Over(Ending::win(side.flip(), kind.reason()).because(detail))
    }

    /// Ends a game without rules by an answer that cannot be a move.
    pub(super) fn no_move(&mut self, side: Color, best: &str) -> Ending {
        let detail = format!("bestmove '{best}'");
        self.played.faults.push((side, FaultKind::NoMove, detail.clone()));
        Ending::win(side.flip(), Reason::NoMove).because(detail)
    }

    fn client_error(&mut self, side: Color, error: &ClientError) -> Asked {
        match error {
            ClientError::Interrupted => Asked::Interrupted,
            ClientError::Fault(fault) => self.fault(side, FaultKind::from(fault), fault.to_string(), true),
        }
    }

    /// Sends `gameover` to both engines and collects their stray answers.
    pub(super) fn finish(mut self, ending: Option<Ending>) -> Played {
        if let Some(ending) = &ending {
            for side in Color::ALL.into_iter().take(self.seats.len()) {
                let client = &mut self.seats[side.index()].client;
                self.played.efforts[side.index()].noise = client.take_noise();
                if self.played.broken[side.index()] {
                    continue;
                }
                let word = match ending.winner.half_points(side) {
                    0 => "lose",
                    1 => "draw",
                    _ => "win",
                };
                let farewell = client.cancel().and_then(|()| client.game_over(word));
                let strays = client.take_strays();
                if let Err(ClientError::Fault(fault)) = farewell {
                    // The result stands, but the engine must be restarted.
                    self.played.broken[side.index()] = true;
                    self.played.faults.push((side, FaultKind::from(&fault), fault.to_string()));
                }
                if strays > 0 {
                    let detail = format!("{strays} bestmove too many");
                    self.played.faults.push((side, FaultKind::StrayBestmove, detail));
                }
            }
        }
        self.played.ending = ending;
        self.played
    }
}
