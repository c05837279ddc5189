//! The benchmark: fixed positions, fixed depth, one thread. Its node count is the fingerprint of the engine's play.

use std::fmt;
use std::time::{Duration, Instant};

use super::in_process::{InProcess, InProcessError};
use super::network_choice::INTERNAL;
use crate::position::{Position, SfenError};
use crate::search::{Limits, Progress};
use crate::types::Depth;

/// The start, a handicap, games between engines (Floodgate) from opening to endgame, many drops, a bare king.
const POSITIONS: [&str; 24] = [
    Position::STARTPOS,
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l5b2/1P7/2ks1S1Pp/p4+Bpp1/1Ssp1p3/Pg4P2/1p1P2n1P/2G+nG+r3/LNKR4L b NL2Pg3p 1",
    "lr6l/3k2g2/p1n1p1np1/2p2sp1p/Pp1p1p1P1/3RP1P1P/1P2S1N2/1KG2G3/LN6L b GS2P2bsp 1",
    "3p+R1gn1/1p1g3k1/l1n1p1p1l/2sB1ls2/2p2P2p/1P1PP2p1/1SN2SN2/2G1K1G2/1+bP3PrL b 5p 1",
    "1r6l/4gkgP1/+L1+Ns3pn/1G2pp1sp/1P7/pSPRP1P2/1SN2P+b1P/PKB6/9 w NL4Pglp 1",
    "l2gk3l/5sg2/1sr2pnpp/p2pp+bp2/2P6/PP1PB1P2/1SG1PPS1P/2GK3R1/L6NL b NPn2p 1",
    "l2gk2nl/1r4g2/2nsp1sp1/pppp1pp1p/7P1/P1P1SPP2/1PSPP1N1P/2G3GR1/LN2K3L w Bb 1",
    "ln7/1r1+r3kp/2p1s3n/pg3P+b1P/1pPPPpppL/P1S6/1P3LPP1/4N1SK1/L1g3GN1 b B2Pgs 1",
    "l3+SB1nl/4Sggk1/r4ps2/p1p1p1p2/4P2Pp/P1PG5/1P3+s2P/2KR5/LNN5L b G2Pbn4p 1",
    "lr6l/2kng2+R1/2sp1ss1p/pp3p3/1npPp4/1S1N1Pp2/P2GP3P/3GK1P2/LP6L b BGPbn2p 1",
    "ln1gk2nl/1r1s2g2/p1ppppspp/5b3/1P5R1/2P3P2/P1NPPPN1P/1SGK1GS2/L7L w B3p 1",
    "l5+L2/5k3/3s1s1g1/p1pppgppp/3n5/PpPS2P2/3G5/1KGB3R1/LN7 b RNPbsnl6p 1",
    "ls1g3nl/1s2k1gs1/pppppnb1p/7p1/3B1pp2/3PR3P/P3PPP1N/4K1S2/L1G2G2L w R2Pnp 1",
    "lnsgk2nl/6gs1/p1ppppb1p/1r7/9/2P4RP/P2PPPP2/1BG6/LNS1KGSNL w 3P2p 1",
    "ln1g4l/1ks1g2s1/1ppp2npp/p3ppp2/3P5/P1gBPSP2/2N2P2P/1P1GK2R1/7NL b RBPslp 1",
    "1n2g1R1l/1p1kg2+S1/2s1p2+Pp/2pp1p3/4n2B1/+r5P1P/3PPP1+b1/3S1G3/1NG1K2LL w S6Pnl 1",
    "ln1r1B2l/1s1kp+B3/p1pp1pg1p/5s3/4r4/2P6/P1NPPP+p1P/1SGKG1p2/L5S1L b G2n4p 1",
    "ln1g1gsnl/1r1s2kb1/p1pppp1pp/6p2/1p7/2PP5/PPB1PPPPP/2SR1K3/LN1G1GSNL b - 1",
    "ln3gsnl/1r1sgk1b1/p1pppp1p1/1p4p1p/4P4/2P5P/PP1P1PPP1/1B2R1K2/LNSG1GSNL w - 1",
    "lr6l/2skg1g1P/5pn2/p1pPps2p/3n5/PpP2S3/1P2PP1RN/2GSG4/LN1K4L b B2Pb3p 1",
    "+R2ggk1nl/6gp1/p1npp4/2N1lpsPp/B1p6/2b2PPR1/P5N1P/5KS2/L4G2L w 2S6p 1",
];

/// How the benchmark is run; the fingerprint is that of the default setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchSetup {
    /// Iterations in each position.
    pub depth: Depth,
    /// Search threads; with more than one the node count differs from run to run.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Positions in SFEN.
    pub positions: Vec<String>,
}

impl Default for BenchSetup {
    fn default() -> Self {
        Self { depth: 13, threads: 1, hash: 16, positions: POSITIONS.map(str::to_owned).to_vec() }
    }
}

/// The result, for one position or for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchOutcome {
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl BenchOutcome {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// `1234567 nodes 890123 nps`
impl fmt::Display for BenchOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

/// Why the benchmark could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A position is not valid.
    #[error("{sfen}: {error}")]
    Sfen {
        /// The text.
        sfen: String,
        /// What is wrong with it.
        error: SfenError,
    },
    /// The engine refused, or did not answer.
    #[error(transparent)]
    Engine(#[from] InProcessError),
}

/// Runs the benchmark; `each` is called for every finished position: its number from 1, and its outcome.
///
/// # Errors
/// Where a position is not valid, or the table cannot be made.
pub fn run(setup: &BenchSetup, mut each: impl FnMut(usize, BenchOutcome)) -> Result<BenchOutcome, BenchError> {
    let (threads, hash) = (setup.threads.to_string(), setup.hash.to_string());
    // The fingerprint must not depend on a network file in some folder.
    let options = [("Threads", threads.as_str()), ("USI_Hash", &hash), ("EvalFile", INTERNAL)];
    let mut engine = InProcess::new(options).map_err(InProcessError::from)?;
    let mut all = BenchOutcome::default();
    for (number, sfen) in (1..).zip(&setup.positions) {
        let position = Position::from_sfen(sfen).map_err(|error| BenchError::Sfen { sfen: sfen.clone(), error })?;
        engine.engine.new_game();
        // What preparing takes is no part of the search.
        engine.ready()?;
        let mut outcome = BenchOutcome::default();
        let start = Instant::now();
        engine.search(position, Limits { depth: setup.depth, ..Limits::default() }, |progress| {
            if let Progress::Line(line) = progress {
                outcome.nodes = line.nodes;
            }
        })?;
        outcome.time = start.elapsed();
        each(number, outcome);
        all.nodes += outcome.nodes;
        all.time += outcome.time;
    }
    Ok(all)
}
