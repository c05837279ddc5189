//! A game as the server tells it: every line it sends changes the state here, and nothing else does.

use std::time::Duration;

use super::player_clock::PlayerClock;
use super::server_line::{ServerLine, Verdict};
use super::summary::Summary;
use crate::position::{Board, Declaration, EnteringKingRule, Position};
use crate::record::{End, move_in_csa, read_csa_move};
use crate::types::{Color, Move};

/// A game that was agreed to.
pub struct Game {
    us: Color,
    position: Position,
    /// The arguments of USI's `position` up to the moves.
    start: String,
    moves: Vec<Move>,
    clocks: [PlayerClock; 2],
    started: bool,
    /// Our answer that the server has not shown yet.
    sent: Option<String>,
    /// The first reason that the server gave for the end.
    reason: Option<String>,
    /// The last answer that was no move: `%TORYO`.
    special: Option<String>,
    /// The opponent's move that cannot be made: only the verdict can follow.
    impossible: bool,
}

/// A move that the server has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveMade {
    /// Who made it.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// The time charged for it.
    pub spent: Duration,
    /// What was left of all the time that it had.
    pub left: Duration,
}

/// What a line of the server meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing for the game: chat, keep-alives, what a later protocol may bring.
    Nothing,
    /// `START`
    Started,
    /// A move was made.
    Moved(MoveMade),
    /// A move of ours was made that is not the one we sent, in one sentence. The server's word counts.
    Differs(String, MoveMade),
    /// The game is ending: its reason or a word that ends it has come.
    Ending,
    /// A line that has no meaning here, in one sentence.
    Noted(String),
    /// A move that should not be possible, in one sentence. Whoever ponders does so on a position that never was.
    Impossible {
        /// What is wrong.
        text: String,
        /// Whether the move is ours.
        ours: bool,
    },
    /// `REJECT` by somebody.
    Rejected(String),
    /// The end.
    Over(Verdict),
}

impl Game {
    /// The game of a summary.
    pub fn new(summary: &Summary) -> Self {
        let mut position = summary.start.clone();
        for &mv in &summary.moves {
            position.do_move(mv);
        }
        let sfen = summary.start.to_sfen();
        Self {
            us: summary.us,
            position,
            start: if sfen == Position::STARTPOS { "startpos".to_owned() } else { format!("sfen {sfen}") },
            moves: summary.moves.clone(),
            clocks: summary.clocks,
            started: false,
            sent: None,
            reason: None,
            special: None,
            impossible: false,
        }
    }

    /// Our colour.
    pub fn us(&self) -> Color {
        self.us
    }

    /// Whether `START` has come.
    pub fn has_started(&self) -> bool {
        self.started
    }

    /// Both clocks by the times that the server has charged.
    pub fn clocks(&self) -> &[PlayerClock; 2] {
        &self.clocks
    }

    /// The moves from the start of the summary on.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position by the moves that the server has shown.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Why the game ended, by the server's word: `RESIGN`, `TIME_UP`.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The arguments of USI's `position`, followed by `expected` moves.
    pub fn usi_position(&self, expected: &[Move]) -> String {
        let mut text = self.start.clone();
        for (number, mv) in self.moves.iter().chain(expected).enumerate() {
            text += if number == 0 { " moves " } else { " " };
            text += &mv.to_string();
        }
        text
    }

    /// Whether the server waits for our move now.
    pub fn is_our_turn(&self) -> bool {
        self.started
            && self.sent.is_none()
            && self.reason.is_none()
            && self.special.is_none()
            && !self.impossible
            && self.position.side_to_move() == self.us
    }

    /// Whether the game is going on as far as we know.
    pub fn is_running(&self) -> bool {
        self.started && self.reason.is_none() && self.special.is_none()
    }

    /// Our move in CSA's words, if it may be sent now; the server's echo makes it.
    ///
    /// # Errors
    /// Why it is not legal.
    pub fn answer(&mut self, mv: Move) -> Result<String, String> {
        self.position.check_move(mv).map_err(|error| format!("{mv}: {error}"))?;
        let text = move_in_csa(&Board::from(&self.position), mv);
        self.sent = Some(text.clone());
        Ok(text)
    }

    /// The reply that the engine expects after our move `mv`, if it is legal there.
    pub fn reply(&self, mv: Move, word: Option<&str>) -> Option<Move> {
        let mut position = self.position.clone();
        position.do_move(mv);
        word?.parse().ok().filter(|&reply| position.is_legal(reply))
    }

    /// The last move in CSA's words.
    pub fn last_in_csa(&self) -> String {
        let Some(&last) = self.moves.last() else {
            return String::new();
        };
        let mut before = self.position.clone();
        before.undo_move();
        move_in_csa(&Board::from(&before), last)
    }

    /// `%TORYO` or `%KACHI`, which is sent now.
    pub fn answer_special(&mut self, word: &str) {
        self.sent = Some(word.to_owned());
    }

    /// Whether a declaration would win by our own rules; a wrong one loses at once.
    pub fn may_declare(&self) -> bool {
        self.position.declaration(EnteringKingRule::CSARule27) == Some(Declaration::Points)
    }

    /// Whether the side to move is mated: no server says so, and the mated side has to resign.
    pub fn is_mated(&self) -> bool {
        !self.position.has_legal_move()
    }

    /// Takes in a line of the server.
    pub fn take(&mut self, line: &str) -> Change {
        match ServerLine::parse(line) {
            ServerLine::Start if !self.started => {
                self.started = true;
                Change::Started
            }
            ServerLine::Reject(by) => Change::Rejected(by.to_owned()),
            ServerLine::Move { text, spent } => self.take_move(text, spent),
            ServerLine::Special { word, .. } => {
                self.special = Some(word.to_owned());
                Change::Ending
            }
            ServerLine::Reason(reason) => {
                self.reason.get_or_insert_with(|| reason.to_owned());
                Change::Ending
            }
            ServerLine::Verdict(verdict) => Change::Over(verdict),
            ServerLine::Other(text) => Change::Noted(format!("the server says '{text}'")),
            _ => Change::Nothing,
        }
    }

    fn take_move(&mut self, text: &str, spent: Option<Duration>) -> Change {
        let mover = self.position.side_to_move();
        let board = Board::from(&self.position);
        let legal = read_csa_move(&board, text).filter(|&mv| text.len() == 7 && self.position.is_legal(mv));
        let Some(mv) = legal else {
            // The first part of an illegal move, shown before its verdict. Should the game go on after all, we cannot.
            self.impossible = true;
            let text = format!("{mover}'s move '{text}' is not legal here");
            return Change::Impossible { text, ours: mover == self.us };
        };
        if mover == self.us
            && let Some(sent) = self.sent.take()
            && sent != text
        {
            let text = format!("'{sent}' was sent, but the server made '{text}'");
            return Change::Differs(text, self.make(mover, mv, spent));
        }
        Change::Moved(self.make(mover, mv, spent))
    }

    fn make(&mut self, mover: Color, mv: Move, spent: Option<Duration>) -> MoveMade {
        let spent = spent.unwrap_or_default();
        let left = self.clocks[mover.index()].charge(spent);
        self.position.do_move(mv);
        self.moves.push(mv);
        MoveMade { mover, mv, spent, left }
    }

    /// How a record of the game ends; without a verdict it was broken off.
    pub fn end(&self, verdict: Option<Verdict>) -> End {
        let turn_is_ours = self.position.side_to_move() == self.us;
        // Who is to move has lost (`Some(true)`), or won.
        let mover_lost = match verdict {
            None | Some(Verdict::Interrupted) => return End::Interrupt,
            Some(Verdict::Win) => Some(!turn_is_ours),
            Some(Verdict::Lose) => Some(turn_is_ours),
            Some(Verdict::Draw | Verdict::Censored) => None,
        };
        let reason = self.reason.as_deref().unwrap_or("");
        match (reason, mover_lost) {
            ("RESIGN", Some(true)) => End::Resign,
            ("TIME_UP", Some(true)) => End::TimeUp,
            ("SENNICHITE", None) => End::Repetition,
            ("MAX_MOVES", None) => End::MaxMoves,
            ("JISHOGI", Some(false)) => End::Declaration,
            ("JISHOGI", None) => End::Impasse,
            ("ILLEGAL_MOVE" | "ILLEGAL_ACTION" | "OUTE_SENNICHITE", Some(true)) => End::IllegalLoss,
            ("ILLEGAL_MOVE" | "ILLEGAL_ACTION" | "OUTE_SENNICHITE", Some(false)) => End::IllegalWin,
            ("", None) => End::Draw,
            ("", Some(true)) => End::Resign,
            ("", Some(false)) => End::DefaultWin,
            (other, _) => End::Other(other.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::SummaryReader;
    use super::*;

    fn game(us: char, position: &str) -> Game {
        let text = format!(
            "Your_Turn:{us}\nBEGIN Time\nTotal_Time:60\nIncrement:10\nEND Time\nBEGIN Position\n{position}\nEND Position\nEND Game_Summary"
        );
        let mut reader = SummaryReader::default();
        let summary = text.lines().find_map(|line| reader.take(line)).expect("complete").expect("good");
        let mut game = Game::new(&summary);
        assert!(!game.is_our_turn(), "before START");
        assert_eq!(game.take("START:x"), Change::Started);
        game
    }

    #[test]
    fn moves_are_made_by_echoes_alone() {
        let mut game = game('+', "PI\n+");
        assert!(game.is_our_turn());
        let mv: Move = "7g7f".parse().unwrap();
        assert_eq!(game.answer("7g7e".parse().unwrap()).map_err(|e| e.contains("7g7e")), Err(true));
        assert_eq!(game.answer(mv).as_deref(), Ok("+7776FU"));
        assert!(!game.is_our_turn(), "sent, never again");
        for line in ["", "##[CHAT][x] hello", "##[ERROR] x", "#", "SOMETHING"] {
            let change = game.take(line);
            assert!(!matches!(change, Change::Moved(_) | Change::Over(_)), "{line}: {change:?}");
        }
        let mut game = super::tests::game('+', "PI\n+");
        game.answer(mv).unwrap();
        let spent = Duration::from_secs(3);
        let left = Duration::from_secs(67);
        assert_eq!(game.take("+7776FU,T3"), Change::Moved(MoveMade { mover: Color::Black, mv, spent, left }));
        assert!(!game.is_our_turn());
        assert!(matches!(game.take("-3334FU,T1"), Change::Moved(MoveMade { mover: Color::White, .. })));
        assert!(game.is_our_turn());
        assert_eq!(game.usi_position(&["2g2f".parse().unwrap()]), "startpos moves 7g7f 3c3d 2g2f");
        assert_eq!(game.clocks().map(|clock| clock.remaining().as_secs()), [67, 69]);
    }

    #[test]
    fn positions_with_moves_are_sent_from_their_start() {
        let position = "P1 *  *  *  * -OU *  *  *  *\nP9 *  *  *  * +OU *  *  *  *\nP+00FU\n-\n-5152OU,T1";
        let game = game('+', position);
        assert!(game.is_our_turn());
        assert_eq!(game.usi_position(&[]), "sfen 4k4/9/9/9/9/9/9/9/4K4 w P 1 moves 5a5b");
    }

    #[test]
    fn an_illegal_echo_waits_for_the_verdict() {
        for echo in ["-3333FU,T1", "+9999XX,T1", "-9999XX,T1", "-", "+7776F", "-3334FU999,T1"] {
            let mut game = game('+', "PI\n+");
            game.take("+7776FU,T1");
            assert!(matches!(game.take(echo), Change::Impossible { ours: false, .. }), "{echo}");
            assert!(!game.is_our_turn(), "{echo}");
            assert_eq!(game.take("#ILLEGAL_MOVE"), Change::Ending);
            assert_eq!(game.take("#WIN"), Change::Over(Verdict::Win));
            assert_eq!(game.end(Some(Verdict::Win)), End::IllegalLoss, "{echo}");
        }
    }

    #[test]
    fn the_ends_of_records() {
        // After one move it is White's turn; we are Black.
        for (lines, verdict, end) in [
            (&["%TORYO,T4", "#RESIGN"][..], Verdict::Win, End::Resign),
            (&["#TIME_UP"], Verdict::Win, End::TimeUp),
            (&["#SENNICHITE"], Verdict::Draw, End::Repetition),
            (&["#OUTE_SENNICHITE"], Verdict::Win, End::IllegalLoss),
            (&["#OUTE_SENNICHITE"], Verdict::Lose, End::IllegalWin),
            (&["%KACHI,T1", "%KACHI", "#JISHOGI"], Verdict::Lose, End::Declaration),
            (&["#JISHOGI"], Verdict::Draw, End::Impasse),
            (&["#MAX_MOVES"], Verdict::Censored, End::MaxMoves),
            (&[], Verdict::Interrupted, End::Interrupt),
            (&["#ILLEGAL_ACTION", "#SOMETHING_NEW"], Verdict::Win, End::IllegalLoss),
            (&["#SOMETHING_NEW"], Verdict::Win, End::Other("SOMETHING_NEW".to_owned())),
        ] {
            let mut game = game('+', "PI\n+");
            game.take("+7776FU,T1");
            for line in lines {
                assert_eq!(game.take(line), Change::Ending, "{line}");
            }
            assert_eq!(game.end(Some(verdict)), end, "{lines:?}");
            assert_eq!(game.end(None), End::Interrupt);
        }
    }

    #[test]
    fn a_move_of_the_server_counts_where_it_differs() {
        let mut game = game('+', "PI\n+");
        game.answer("7g7f".parse().unwrap()).unwrap();
        assert!(matches!(game.take("+2726FU,T1"), Change::Differs(..)));
        assert_eq!(game.usi_position(&[]), "startpos moves 2g2f");
    }

    #[test]
    fn mates_and_declarations() {
        let mate = "P1 *  *  *  * -OU *  *  *  *\nP2 *  *  *  * +KI *  *  *  *\nP3 *  *  *  * +FU *  *  *  *\nP9 *  *  *  * +OU *  *  *  *\n-";
        let game = super::tests::game('-', mate);
        assert!(game.is_our_turn() && game.is_mated() && !game.may_declare());
        assert!(!super::tests::game('+', "PI\n+").is_mated());
    }
}
