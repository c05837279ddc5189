//! The result of a game and the faults in it.

use serde::{Deserialize, Serialize};

use crate::client::Fault;
use crate::types::Color;

/// The winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The side that moved first.
    Black,
    /// The other side.
    White,
    /// Neither side.
    Draw,
}

impl Winner {
    /// The winning side, if any.
    pub fn color(self) -> Option<Color> {
        match self {
            Self::Black => Some(Color::Black),
            Self::White => Some(Color::White),
            Self::Draw => None,
        }
    }

    /// The score of a side in half points: 2, 1 or 0.
    pub fn half_points(self, side: Color) -> u8 {
        match self.color() {
            None => 1,
            Some(color) if color == side => 2,
            Some(_) => 0,
        }
    }
}

impl From<Color> for Winner {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// 詰み: the side to move has no legal move.
    Checkmate,
    /// 投了
    Resign,
    /// 入玉宣言: a valid entering-king declaration.
    Declaration,
    /// 千日手: the fourth repetition.
    Repetition,
    /// 連続王手の千日手: the checking side loses.
    PerpetualCheck,
    /// 最大手数: the move limit of the match.
    MoveLimit,
    /// 時間切れ
    Time,
    /// 反則手: an illegal move.
    IllegalMove,
    /// A `bestmove` that is not a move.
    NoMove,
    /// An invalid declaration.
    FalseDeclaration,
    /// The engine's process ended.
    Crash,
    /// No answer, not even to `stop`.
    Hang,
    /// Far too much output.
    Flood,
    /// The engine did not start: no process, `usiok` or `readyok`.
    NoStart,
    /// Adjudicated: both engines see the same side far ahead.
    AdjudicatedScore,
    /// Adjudicated: both engines see an even game.
    AdjudicatedDraw,
    /// Adjudicated: both engines see the same mate.
    AdjudicatedMate,
    /// Without rules: a side claims the win.
    Claim,
    /// Without rules: a side claims a draw.
    DrawClaim,
    /// Both sides offered a draw.
    DrawAgreed,
    /// A solo game ran to its end.
    SoloEnd,
}

impl Reason {
    /// The word for reports and records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Resign => "resign",
            Self::Declaration => "declaration",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::MoveLimit => "move limit",
            Self::Time => "time",
            Self::IllegalMove => "illegal move",
            Self::NoMove => "no move",
            Self::FalseDeclaration => "false declaration",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Flood => "flood",
            Self::NoStart => "no start",
            Self::AdjudicatedScore => "adjudicated score",
            Self::AdjudicatedDraw => "adjudicated draw",
            Self::AdjudicatedMate => "adjudicated mate",
            Self::Claim => "claim",
            Self::DrawClaim => "draw claim",
            Self::DrawAgreed => "draw agreed",
            Self::SoloEnd => "end of the solo game",
        }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner.
    pub winner: Winner,
    /// Why.
    pub reason: Reason,
    /// More, where there is more to say: the illegal move and its position, the crash's signal.
    pub detail: String,
}

impl Ending {
    /// A win of `side`.
    pub fn win(side: Color, reason: Reason) -> Self {
        Self { winner: side.into(), reason, detail: String::new() }
    }

    /// A draw.
    pub fn draw(reason: Reason) -> Self {
        Self { winner: Winner::Draw, reason, detail: String::new() }
    }

    /// The same with a detail.
    pub fn because(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }
}

/// A kind of engine fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The program could not be started.
    CannotStart,
    /// No `usiok` in time.
    NoUsiok,
    /// No `readyok` in time.
    NoReadyok,
    /// The process ended by itself.
    Crash,
    /// No `bestmove`, not even after `stop`.
    Hang,
    /// Too much output.
    Flood,
    /// Does not read its input.
    Deaf,
    /// Had to be killed after `quit`.
    IgnoredQuit,
    /// Answered too late.
    Late,
    /// An illegal move.
    IllegalMove,
    /// `bestmove` with something that is not a move.
    NoMove,
    /// A false declaration.
    FalseDeclaration,
    /// A `bestmove` without a `go`, such as a second one.
    StrayBestmove,
    /// Resigned although its own last score was winning.
    ResignedWinning,
    /// Does not offer an option that it is given, or does not take its value. The game goes on.
    RefusedOption,
    /// The line of play that it showed last before its answer, or the reply that it expects, has an illegal move. The
    /// game goes on.
    IllegalLine,
}

impl FaultKind {
    /// The text for reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::CannotStart => "cannot be started",
            Self::NoUsiok => "no usiok",
            Self::NoReadyok => "no readyok",
            Self::Crash => "crashed",
            Self::Hang => "hung",
            Self::Flood => "flooded its output",
            Self::Deaf => "did not read its input",
            Self::IgnoredQuit => "ignored quit",
            Self::Late => "answered too late",
            Self::IllegalMove => "played an illegal move",
            Self::NoMove => "answered with no move",
            Self::FalseDeclaration => "declared falsely",
            Self::StrayBestmove => "answered unasked",
            Self::ResignedWinning => "resigned a won game",
            Self::IllegalLine => "showed an illegal line",
            Self::RefusedOption => "does not take an option",
        }
    }

    /// The reason for a game's end by this fault.
    pub fn reason(self) -> Reason {
        match self {
            Self::CannotStart | Self::NoUsiok | Self::NoReadyok | Self::RefusedOption => Reason::NoStart,
            Self::Crash | Self::IgnoredQuit => Reason::Crash,
            Self::Hang | Self::Deaf => Reason::Hang,
            Self::Flood => Reason::Flood,
            Self::Late => Reason::Time,
            Self::IllegalMove | Self::IllegalLine => Reason::IllegalMove,
            Self::NoMove | Self::StrayBestmove => Reason::NoMove,
            Self::FalseDeclaration => Reason::FalseDeclaration,
            Self::ResignedWinning => Reason::Resign,
        }
    }
}

impl From<&Fault> for FaultKind {
    fn from(fault: &Fault) -> Self {
        match fault {
            Fault::CannotStart(_) => Self::CannotStart,
            Fault::NoUsiok(_) => Self::NoUsiok,
            Fault::NoReadyok(_) => Self::NoReadyok,
            Fault::NoBestmove(_) => Self::Hang,
            Fault::Ended(_) => Self::Crash,
            Fault::Flood(_) => Self::Flood,
            Fault::Deaf => Self::Deaf,
            Fault::IgnoredQuit(_) => Self::IgnoredQuit,
        }
    }
}

/// A fault and the engine at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineFault {
    /// The number of the engine.
    pub engine: usize,
    /// The kind.
    pub kind: FaultKind,
    /// The particulars.
    pub detail: String,
}

/// Search statistics of one side, over a game or a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves searched.
    pub moves: u32,
    /// Time charged, seconds.
    pub seconds: f64,
    /// Nodes, as far as reported.
    pub nodes: u64,
    /// Seconds of the moves whose nodes are known.
    pub node_seconds: f64,
    /// Sum of the reported depths.
    pub depth: u64,
    /// Moves whose depth is known.
    pub depth_moves: u32,
    /// The largest overrun of the allowed time (within the margin or not), seconds.
    pub latest: f64,
    /// Lines of output that are not USI.
    #[serde(default)]
    pub noise: u64,
}

impl Effort {
    /// Adds the statistics of another game.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.seconds += other.seconds;
        self.nodes += other.nodes;
        self.node_seconds += other.node_seconds;
        self.depth += other.depth;
        self.depth_moves += other.depth_moves;
        self.latest = self.latest.max(other.latest);
        self.noise += other.noise;
    }
}

/// A finished game, as the state file holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// The number of the game, from 0.
    pub game: u32,
    /// The number of its pair.
    pub pair: u32,
    /// Engine numbers: Black and White; the one player twice in a solo game.
    pub players: [usize; 2],
    /// The winner.
    pub winner: Winner,
    /// Why.
    pub reason: Reason,
    /// More about the end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Moves in the game, those of the opening included.
    pub plies: u32,
    /// Search statistics, Black first.
    pub efforts: [Effort; 2],
    /// Faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<EngineFault>,
    /// The score of a solo game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How long the game took, seconds.
    pub seconds: f64,
    /// The end of the game's record in the file of games.
    #[serde(default)]
    pub record_end: u64,
}
