//! An engine that searches one position of a book after the other.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::book::BookMove;
use crate::client::{Client, ClientError, EngineSpec, Fault, Info, Interrupt, MultiPv};
use crate::position::Position;

/// The longest wait for a search.
const PATIENCE: Duration = Duration::from_secs(600);

/// A move with what a search says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchedMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    /// Centipawns for the side to move; mates as the engine's own scores.
    value: i32,
    depth: u32,
}

impl SearchedMove {
    /// As a book has it; `None` where the text is no move.
    pub(super) fn entry(&self) -> Option<BookMove> {
        let mv = self.mv.parse().ok()?;
        let reply = self.reply.as_ref().and_then(|reply| reply.parse().ok());
        Some(BookMove { reply, value: Some(self.value), depth: Some(self.depth), ..BookMove::bare(mv) })
    }

    fn new(info: &Info) -> Option<Self> {
        let mut pv = info.pv.iter().cloned();
        Some(Self { mv: pv.next()?, reply: pv.next(), value: info.score?.value().0, depth: info.depth.unwrap_or(0) })
    }
}

/// A running engine.
pub(super) struct Searcher {
    client: Client,
    nodes: u64,
    lines: usize,
}

impl Searcher {
    /// Starts an engine that spends so many nodes on so many lines.
    pub(super) fn start(
        spec: &EngineSpec,
        nodes: u64,
        lines: usize,
        interrupt: &Interrupt,
    ) -> Result<Self, ClientError> {
        let mut client = Client::start(spec, interrupt)?;
        client.ready()?;
        client.follow(true);
        Ok(Self { client, nodes, lines })
    }

    pub(super) fn name(&self) -> &str {
        self.client.name()
    }

    pub(super) fn refused_options(&self) -> &[String] {
        self.client.refused_options()
    }

    /// Searches a position that has a legal move; the best moves, best first. What was searched before does not matter:
    /// the same position gets the same answer, in whatever order.
    pub(super) fn search(&mut self, sfen: &str, position: &Position) -> Result<Vec<SearchedMove>, ClientError> {
        self.client.new_game()?;
        self.client.position(&format!("sfen {sfen}"))?;
        self.client.go(&format!("nodes {}", self.nodes))?;
        let mut lines = MultiPv::default();
        loop {
            let Some((_, line)) = self.client.next_line(PATIENCE)? else {
                return Err(Fault::NoBestmove(PATIENCE).into());
            };
            if line.starts_with("bestmove") {
                break;
            }
            if let Some(rest) = line.strip_prefix("info ") {
                lines.take(Info::parse(rest));
            }
        }
        let mut moves: Vec<SearchedMove> = lines.lines(self.lines).iter().filter_map(SearchedMove::new).collect();
        moves.retain(|searched| searched.entry().is_some_and(|entry| position.is_legal(entry.mv)));
        moves.sort_by_key(|searched| std::cmp::Reverse(searched.value));
        Ok(moves)
    }

    pub(super) fn quit(self) {
        // An engine that ignores `quit` is killed; all its answers are in.
        let _ = self.client.quit();
    }
}
