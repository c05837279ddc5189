//! Which network the options ask for, and what is used where that one cannot be loaded.

use std::path::{Path, PathBuf};

use crate::nnue::{FvScale, Network};

/// The value of EvalFile that names the network inside the program.
pub const INTERNAL: &str = "<internal>";
/// The file that is looked for in EvalDir.
const DEFAULT_FILE: &str = "nn.bin";

/// The options EvalDir, EvalFile and FV_SCALE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkChoice {
    /// The folder that may hold `nn.bin`; looked for beside the program, then in the working directory.
    pub eval_dir: PathBuf,
    /// A network file, [`INTERNAL`], or empty for `nn.bin` in the folder if it is there and the internal network if
    /// not.
    pub eval_file: String,
    /// The divisor.
    pub fv_scale: FvScale,
}

impl Default for NetworkChoice {
    fn default() -> Self {
        Self { eval_dir: "eval".into(), eval_file: String::new(), fv_scale: FvScale::Automatic }
    }
}

/// The network that was loaded, if any, and a sentence about it.
pub struct LoadedNetwork {
    /// The network; `None` only where the file asked for failed and the program has none inside.
    pub network: Option<Network>,
    /// One line for the user: what is used, or why what was asked for is not.
    pub message: String,
    /// Whether the file asked for could not be used.
    pub failed: bool,
}

impl NetworkChoice {
    /// Loads what the options ask for. If that fails, [`LoadedNetwork::message`] says why, and the internal network is
    /// used.
    pub fn load(&self) -> LoadedNetwork {
        let path = match self.eval_file.trim() {
            INTERNAL => None,
            "" => self.candidates(DEFAULT_FILE).into_iter().find(|path| path.is_file()),
            name => {
                let candidates = self.candidates(name);
                let found = candidates.into_iter().find(|path| path.is_file());
                Some(found.unwrap_or_else(|| name.into()))
            }
        };
        let Some(path) = path else {
            return internal(None);
        };
        match Network::load(&path) {
            Ok(network) => {
                let network = network.with_fv_scale(self.fv_scale);
                let message = format!(
                    "network {} ({}, {}, {})",
                    path.display(),
                    network.architecture(),
                    network.scale(),
                    network.simd().name()
                );
                LoadedNetwork { network: Some(network), message, failed: false }
            }
            Err(error) => internal(Some(format!("network file '{}' not used: {error}", path.display()))),
        }
    }

    /// The paths to try for a file name: as it is or within EvalDir, first beside the program, since clients set the
    /// working directory differently, then from the working directory.
    fn candidates(&self, name: &str) -> Vec<PathBuf> {
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let bases = [beside, Some(Path::new(""))];
        let as_it_is = (name != DEFAULT_FILE).then(|| PathBuf::from(name));
        let names = [as_it_is, Some(self.eval_dir.join(name))];
        bases.iter().flatten().flat_map(|base| names.iter().flatten().map(|name| base.join(name))).collect()
    }
}

/// The internal network; the message starts with the problem, if any.
fn internal(problem: Option<String>) -> LoadedNetwork {
    let failed = problem.is_some();
    let problem = problem.map_or(String::new(), |problem| problem + "; ");
    match Network::internal() {
        Ok(network) => {
            let message =
                format!("{problem}internal network in use ({}, {})", network.architecture(), network.simd().name());
            LoadedNetwork { network: Some(network), message, failed }
        }
        Err(error) => LoadedNetwork { network: None, message: format!("{problem}{error}"), failed },
    }
}
