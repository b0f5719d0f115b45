//! `magneto lsp`: a language server for editors, on standard input and output.

mod actions;
mod completion;
mod cursor;
mod document;
mod examine;
mod generate;
mod hover;
mod jobs;
mod manual;
mod places;
mod server;
mod settings;

use super::exit::{self, Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use gen_lsp_types::{
    CodeActionOptions, CompletionOptions, ExecuteCommandOptions, PositionEncodingKind, SaveOptions, ServerCapabilities,
    TextDocumentSyncKind, TextDocumentSyncOptions,
};
use jobs::Event;
use lsp_server::Connection;
use serde_json::json;
use server::{Ending, Server};
use std::io::IsTerminal as _;
use std::sync::mpsc::channel;

/// A language server: editors start it, and speak to it on standard input and output
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Taken for editors that say so; there is no other way
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("lsp")).after_help(
        "It shows what `lint` finds while a specification is written, values and ranges under the pointer, completes operators \
         and properties, and makes tests. Exit codes: 0 after `shutdown` and `exit`; 1 if the editor goes without",
    )
}

/// What the server can do.
fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(SaveOptions::default().into()),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        hover_provider: Some(true.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec!["(".to_owned(), ":".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec!["quickfix".into(), actions::MAKES_TESTS.into()]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![generate::COMMAND.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

pub(crate) fn run(matches: &ArgMatches, _output: &Output) -> Result<Exit, Failure> {
    let _: Options = flags::options(matches)?;
    if std::io::stdin().is_terminal() {
        let hint = "tell your editor to start `magneto lsp`; the page Editors of the book says how";
        return Err(Failure::usage_hint("`magneto lsp` is for editors, and standard input is a terminal", hint));
    }
    exit::panics_end_nothing();
    let (Connection { sender, receiver }, _threads) = Connection::stdio();
    let connection = Connection { sender: sender.clone(), receiver: receiver.clone() };
    let ended = |e: lsp_server::ProtocolError| match e.channel_is_disconnected() {
        true => Failure { exit: Exit::Gate, messages: Vec::new() },
        false => Failure::usage(e),
    };
    let (id, initialize) = connection.initialize_start().map_err(ended)?;
    let server = json!({ "name": "magneto", "version": env!("CARGO_PKG_VERSION") });
    let result = json!({ "capabilities": capabilities(), "serverInfo": server });
    connection.initialize_finish(id, result).map_err(ended)?;
    let (events, incoming) = channel();
    let from_editor = events.clone();
    std::thread::spawn(move || {
        receiver.iter().all(|message| from_editor.send(Event::Incoming(message)).is_ok());
        let _ = from_editor.send(Event::Closed);
    });
    // Who reads no answers is gone; that is seen when standard input ends.
    let send = move |message| drop(sender.send(message));
    let ending = Server::new(Box::new(send), events, &initialize).run(&incoming);
    Ok(if ending == Ending::Orderly { Exit::Passed } else { Exit::Gate })
}
