//! `hagane net`: what a network file is.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;

use crate::engine::INTERNAL;
use crate::nnue::Network;
use crate::platform::sha256::sha256;
use crate::position::{Board, Position};

/// Shows what a network file is
///
/// Its architecture, sizes, hashes, scale, and its value of the starting position.
///
/// Reads nn.bin files (HalfKP, HalfKA, K+P, SFNN and relatives) and the engine's own format. Exit status 2 with a
/// reason for a file that cannot be used.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The network file; without one, or for `<internal>`, the network inside the program.
    file: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        let network = match &self.file {
            Some(path) if path.as_os_str() != INTERNAL => {
                let named = || path.display().to_string();
                let bytes = Network::bytes(path).with_context(named)?;
                let network = Network::from_bytes(&bytes).with_context(named)?;
                writeln!(out, "file          {}", path.display())?;
                writeln!(out, "bytes         {}", bytes.len())?;
                writeln!(out, "sha256        {}", sha256(&bytes))?;
                network
            }
            _ => {
                writeln!(out, "file          the internal network")?;
                Network::internal()?
            }
        };
        let architecture = network.architecture();
        writeln!(out, "architecture  {architecture}")?;
        writeln!(
            out,
            "layers        {} inputs per perspective -> {} x 2 -> {} -> {} -> 1",
            architecture.features.inputs(),
            architecture.l1,
            architecture.first_outputs(),
            architecture.h2
        )?;
        writeln!(out, "stacks        {} ({})", architecture.stacks, network.bucket_rule())?;
        if let Some([file, transformer, stack]) = network.hashes() {
            let usual = |expected| if expected { "" } else { " (not the usual one)" };
            for (name, found, expected) in [
                ("file hash    ", file, architecture.file_hash()),
                ("input hash   ", transformer, architecture.transformer_hash()),
                ("layer hash   ", stack, architecture.stack_hash()),
            ] {
                writeln!(out, "{name} {found:08X}{}", usual(found == expected))?;
            }
        }
        writeln!(out, "scale         {}", network.scale())?;
        writeln!(out, "text          {}", printable(network.description()))?;
        writeln!(out, "instructions  {}", network.simd().name())?;
        let value = network.evaluate_board(&Board::from(&Position::startpos()));
        writeln!(out, "startpos      {value}")?;
        Ok(())
    }
}

/// A text on one line, without what would move the cursor.
fn printable(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(char::is_control, "\u{fffd}")
}
