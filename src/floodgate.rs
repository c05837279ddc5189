//! A client for CSA servers (Floodgate): logs in, plays what it is paired for, and needs nobody to look after it.
//!
//! - [`Settings`] say as whom, with which engine and what to keep; [`run`] plays until [`Stop`] is pressed;
//! - what a server says becomes a [`Summary`], then a [`Game`], line by line; these know neither sockets nor engines;
//! - time is kept by what the server charges ([`PlayerClock`]), with one margin for the way, see [`EngineSettings`].
//!
//! The protocol is that of the Computer Shogi Association (CSAサーバプロトコル 1.2.1) as shogi-server and others speak it.

mod account;
mod account_lock;
mod comment;
mod config;
mod event;
mod game;
mod game_journal;
mod game_record;
mod game_state;
mod hook;
mod inquiry;
mod line_reader;
mod patience;
mod play;
mod player_clock;
mod reporter;
mod retry;
mod seat;
mod server_line;
mod session;
mod stop;
mod summary;
mod traffic_log;
mod wire;

pub use account::{Account, AccountError, Mode};
pub use comment::Thought;
pub use config::{ConfigError, EngineConfig, FloodgateConfig, OptionValue, RetryConfig, read_text};
pub use event::{Event, GameReport, Totals};
pub use game::{Change, Game, MoveMade};
pub use game_record::RecordSettings;
pub use inquiry::inquire;
pub use line_reader::LineReader;
pub use patience::Patience;
pub use player_clock::{PlayerClock, TimeRules, go_arguments};
pub use retry::{Retry, RetryPolicy};
pub use seat::EngineSettings;
pub use server_line::{ServerLine, Verdict};
pub use session::{FloodgateError, Settings, run};
pub use stop::{Stop, StopStage};
pub use summary::{Summary, SummaryError, SummaryReader};
pub use traffic_log::TrafficLog;
