//! The commands: what people type.
//!
//! Every command reads its arguments into a type of its own, checks them, and then touches the
//! world. Results go to standard output, everything else to standard error. Exit codes: 0 done,
//! 1 a fault of the program, 2 usage, 3 nothing admitted, 4 a check failed, 5 memory or disk,
//! 6 another run published first, 7 the store, 130 and 143 interrupted.

mod compare;
mod diff;
mod explain;
mod generation;
mod key;
mod list;
mod page;
mod print;
mod run;
mod sql;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::error::{Error, Result};
use crate::kernels::caught::install_hook;
use crate::kernels::simd;

/// Decides what is the same thing in a web crawl.
///
/// Reads Parquet or JSON Lines, writes verified clusters of near-duplicate texts as Parquet, and
/// says why.
#[derive(Debug, Parser)]
#[command(name = "selfsame", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Sql(sql::Args),
    Explain(explain::Args),
    Compare(compare::Args),
    Key(key::Args),
    Page(page::Args),
    Diff(diff::Args),
    /// List the stages in the order in which a run makes them.
    Stages,
    /// List every method and its versions.
    Methods,
    /// List every table and its columns.
    Tables,
    /// List every parameter that URL rules know by name, with its rule and where it is documented.
    Parameters,
    /// Print a completion script for a shell.
    ///
    /// For bash: selfsame completions bash > ~/.local/share/bash-completion/completions/selfsame
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Runs the command that the process was called with.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    install_hook();
    // The HTML parser warns of each oddity of a page, and pages are odd.
    let levels = std::env::var("SELFSAME_LOG").unwrap_or_else(|_| "warn".to_owned());
    let filter = EnvFilter::new(format!("html5ever=off,{levels}"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match called(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print::note(&format!("error: {error}"));
            ExitCode::from(error.kind().exit_code())
        }
    }
}

fn called(command: Command) -> Result<()> {
    match simd::level() {
        Ok(level) => tracing::info!("kernels run at {}", level.word()),
        Err(fault) => return Err(Error::job(fault.as_str())),
    }
    match command {
        Command::Run(args) => run::main(args),
        Command::Sql(args) => sql::main(args),
        Command::Explain(args) => explain::main(args),
        Command::Compare(args) => compare::main(args),
        Command::Key(args) => key::main(args),
        Command::Page(args) => page::main(args),
        Command::Diff(args) => diff::main(args),
        Command::Stages => list::stages(),
        Command::Methods => list::methods(),
        Command::Tables => list::tables(),
        Command::Parameters => list::parameters(),
        Command::Completions { shell } => completions(shell),
    }
}

fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "selfsame", &mut script);
    print::bytes(&script)
}

/// Stack of a worker: plans are walked by recursion, deepest in builds without optimisation.
const STACK_BYTES: usize = 16 << 20;

/// Runs `future` on `threads` workers; an interrupt ends the process with its own code.
fn block_on<T>(threads: usize, future: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.max(1))
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()
        .map_err(|cause| Error::store(format!("threads cannot be started: {cause}")))?;
    runtime.block_on(async {
        tokio::select! {
            outcome = future => outcome,
            code = interrupted() => std::process::exit(code),
        }
    })
}

/// Waits for a signal; 130 for an interrupt, 143 for a request to end.
async fn interrupted() -> i32 {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            return tokio::select! {
                _ = tokio::signal::ctrl_c() => 130,
                _ = terminate.recv() => 143,
            };
        }
    }
    let _ = tokio::signal::ctrl_c().await;
    130
}
