//! `hagane floodgate`

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use chrono::Local;
use clap::{Args, ValueEnum};

use super::ctrl_c::stages_of_ctrl_c;
use super::printer::Printer;
use crate::floodgate::{self, Event, FloodgateConfig, OptionValue, Stop};

/// What stands in a file, for the help.
const KEYS: &str = "\
The keys of a file (TOML) are the names of these flags; the engine, its options and the pauses have tables of their own:
  name = \"MyEngine\"
  password-file = \"trip.txt\"
  [engine]                       # path, args, dir
  path = \"./engine\"
  option = { Threads = 4, USI_Hash = 1024 }
  [retry]                        # seconds: first = 10, most = 900, refused = 300
Between the file and the flags stand the variables CSA_HOST, CSA_PORT, CSA_ID and CSA_PASSWORD.

Ctrl-C (or SIGTERM) once: no new game, the one that is played goes on to its end. Twice: it is resigned.";

/// Plays on CSA servers such as Floodgate, unattended
///
/// Logs in, plays what it is paired for, keeps records, and connects again whenever the connection breaks. A name and a
/// password (on Floodgate the trip: any word of your own) are all it needs:
///
///   hagane floodgate --name MyEngine --password-file trip.txt
///
/// `hagane floodgate who` and `list` tell who is logged in, and which games are on.
#[derive(Args)]
#[command(verbatim_doc_comment, after_long_help = KEYS)]
pub(super) struct Arguments {
    /// who or list: asks the server and ends
    question: Option<Question>,
    /// Configuration (TOML); flags override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The server [default: wdoor.c.u-tokyo.ac.jp, Floodgate]
    #[arg(long)]
    host: Option<String>,
    /// Its port [default: 4081]
    #[arg(long)]
    port: Option<u16>,
    /// The player's name: letters, digits and _ @ . -, 32 at most
    #[arg(long)]
    name: Option<String>,
    /// The password, on Floodgate the trip; others can see it in the list of processes: better a file
    #[arg(long)]
    password: Option<String>,
    /// A file whose first line is the password
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The game [default: floodgate-300-10F]; empty to send the password alone
    #[arg(long)]
    game: Option<String>,
    /// csa, or x1 for the extended mode of shogi-server
    #[arg(long)]
    mode: Option<String>,
    /// black or white, in mode x1
    #[arg(long, alias = "color")]
    colour: Option<String>,
    /// The engine [default: this program]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// An argument of the engine's, as often as it has any
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
    /// The engine's working directory
    #[arg(long, value_name = "FOLDER")]
    engine_dir: Option<PathBuf>,
    /// USI options of the engine: Threads=4 USI_Hash=1024
    #[arg(long, value_name = "NAME=VALUE", num_args = 1..)]
    option: Vec<String>,
    /// Milliseconds that a move may lose on its way to the server [default: 1120]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Think in the opponent's time [default: true]
    #[arg(long, value_name = "BOOL")]
    ponder: Option<bool>,
    /// Ponder at once, before the server has shown the own move [default: true]
    #[arg(long, value_name = "BOOL")]
    early_ponder: Option<bool>,
    /// Send the clocks with ponderhit [default: to Hagane only]
    #[arg(long, value_name = "BOOL")]
    ponderhit_clocks: Option<bool>,
    /// Send evaluation and line with each move, for Floodgate's pages [default: true]
    #[arg(long, value_name = "BOOL")]
    comments: Option<bool>,
    /// End after so many games [default: 0, without end]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Seconds between keep-alives [default: 40]
    #[arg(long, value_name = "SECONDS")]
    keepalive: Option<f64>,
    /// Start the engine again for every game [default: false]
    #[arg(long, value_name = "BOOL")]
    restart_engine: Option<bool>,
    /// The folder of records and of the list of games [default: records]; empty for none
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// csa, kif, ki2, jkf or usi [default: csa]
    #[arg(long, value_name = "FORMAT")]
    record_format: Option<String>,
    /// Names of records, with {date} {black} {white} {game} {id} [default: {date}_{black}_{white}]
    #[arg(long, value_name = "NAME")]
    record_name: Option<String>,
    /// A log of all lines from and to the server, without passwords
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// A command that gets a line of JSON on its input at every login, game, end, broken connection and exit
    #[arg(long, value_name = "COMMAND")]
    on_event: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Question {
    Who,
    List,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let question = self.question;
        let config = self.config()?;
        let stop = Arc::new(Stop::default());
        let pressed = Arc::clone(&stop);
        stages_of_ctrl_c(2, move || pressed.press())?;
        if let Some(question) = question {
            // Whichever game is played there, the questions are the same.
            let word = match question {
                Question::Who => "WHO",
                Question::List => "LIST",
            };
            let answer = floodgate::inquire(&config.account()?, word, &stop)?;
            let mut out = stdout().lock();
            for line in answer {
                writeln!(out, "{line}")?;
            }
            return Ok(());
        }
        let mut printer = Printer::start()?;
        floodgate::run(&config.settings()?, &stop, &mut |event| printer.print(line_of(event)))?;
        Ok(())
    }

    /// Flags over the environment over the file.
    fn config(self) -> anyhow::Result<FloodgateConfig> {
        let file = match &self.config {
            None => FloodgateConfig::default(),
            Some(path) => {
                let named = || path.display().to_string();
                let text = floodgate::read_text(path).with_context(named)?;
                match toml::from_str(&text) {
                    Ok(config) => config,
                    // Without the excerpt: it might show a password.
                    Err(error) => {
                        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                        let about_password = text.lines().nth(line - 1).is_some_and(|text| text.contains("password"));
                        let why = if about_password { "a password is text in quotes" } else { error.message() };
                        bail!("{}: line {line}: {why}", named());
                    }
                }
            }
        };
        let environment = FloodgateConfig::of_environment()?;
        Ok(self.flags()?.over(environment).over(file))
    }

    fn flags(self) -> anyhow::Result<FloodgateConfig> {
        let mut config = FloodgateConfig {
            host: self.host,
            port: self.port,
            name: self.name,
            password: self.password,
            password_file: self.password_file,
            game: self.game,
            mode: self.mode,
            colour: self.colour,
            margin: self.margin,
            ponder: self.ponder,
            early_ponder: self.early_ponder,
            ponderhit_clocks: self.ponderhit_clocks,
            comments: self.comments,
            games: self.games,
            keepalive: self.keepalive,
            restart_engine: self.restart_engine,
            records: self.records,
            record_format: self.record_format,
            record_name: self.record_name,
            log: self.log,
            on_event: self.on_event,
            ..FloodgateConfig::default()
        };
        ensure!(
            config.password.is_none() || config.password_file.is_none(),
            "both --password and --password-file are given"
        );
        config.engine.path = self.engine;
        config.engine.args = self.engine_arg;
        config.engine.dir = self.engine_dir;
        for text in self.option {
            let (name, value) = text.split_once('=').with_context(|| format!("'{text}' is not NAME=VALUE"))?;
            config.engine.option.insert(name.to_owned(), OptionValue::Text(value.to_owned()));
        }
        Ok(config)
    }
}

/// The line for an event.
fn line_of(event: &Event) -> String {
    let mark = if matches!(event, Event::Fault(_)) { "fault: " } else { "" };
    format!("{} {mark}{event}", Local::now().format("%m-%d %H:%M:%S"))
}
