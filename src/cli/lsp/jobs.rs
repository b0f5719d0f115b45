//! What computes, each in a thread of its own that ends early when it is asked to. A panic there is told and ends nothing else.

use super::document::path_of;
use super::examine::{Examined, Finding, Severity, examine, known_of};
use super::generate::TestRequest;
use super::hover;
use super::places::Text;
use super::settings::DocumentSettings;
use gen_lsp_types::MessageType;
use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use magneto::halt::{self, Token};
use magneto::text::{Diagnostic, Span};
use magneto::threads::{self, Threads};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// What the server waits for.
pub(super) enum Event {
    /// A message from the editor.
    Incoming(Message),
    /// The editor says no more.
    Closed,
    /// Some time is over.
    Tick,
    /// What a look at a version of a document found: the whole of it, or what is wrong with the text before `lint` has run.
    Examined { uri: String, version: i32, examined: Examined, is_whole: bool },
    /// An answer to a request.
    Answer(Response),
    /// The answer to a request to make tests.
    RunEnded { progress: String, response: Response },
    /// A message for the editor.
    Send(Message),
}

/// Does some work in a thread of its own; `broken` is what comes of it if it panics.
fn spawn(
    token: Token,
    events: &Sender<Event>,
    work: impl FnOnce(&Sender<Event>) -> Event + Send + 'static,
    broken: Event,
) {
    let events = events.clone();
    let to = events.clone();
    let all = move || {
        let done = halt::under(Some(token), || catch_unwind(AssertUnwindSafe(|| work(&events))));
        let _ = events.send(done.unwrap_or(broken));
    };
    // Where there is no thread the request stays open, and the editor may ask again.
    if let Err(e) = std::thread::Builder::new().spawn(all) {
        let _ = to.send(Event::Send(shown(MessageType::Error, &format!("no thread can be had: {e}"))));
    }
}

/// Looks at a document.
pub(super) fn look(
    uri: &str,
    version: i32,
    text: Arc<Text>,
    last: Arc<Examined>,
    token: Token,
    events: &Sender<Event>,
) {
    let uri = uri.to_owned();
    let broken = Event::Examined { uri: uri.clone(), version, examined: Examined::default(), is_whole: true };
    let work = move |events: &Sender<Event>| {
        let (path, settings, wrong) = context(&uri);
        let is_error = |f: &Finding| f.severity == Severity::Error;
        let first = threads::deep(|| known_of(&text.text, &path, &settings, &last.known));
        // What is wrong with the text is shown, or no longer shown, before `lint` takes its time.
        if first.findings.iter().chain(&last.findings).any(is_error) {
            let _ = events.send(Event::Examined { uri: uri.clone(), version, examined: first, is_whole: false });
        }
        let threads = Threads::default();
        let mut examined = threads::deep(|| examine(&text.text, &path, &settings, &last.known, &threads));
        examined.findings.splice(0..0, wrong);
        Event::Examined { uri, version, examined, is_whole: true }
    };
    spawn(token, events, work, broken);
}

/// Answers what is at a place of a document.
pub(super) fn hover(
    id: &RequestId,
    uri: &str,
    text: Arc<Text>,
    offset: usize,
    last: Arc<Examined>,
    token: Token,
    events: &Sender<Event>,
) {
    let (id, uri) = (id.clone(), uri.to_owned());
    let broken = Event::Answer(bug(id.clone()));
    let work = move |_: &Sender<Event>| {
        let (path, settings, _) = context(&uri);
        let answer = threads::deep(|| {
            let examined = known_of(&text.text, &path, &settings, &last.known);
            hover::hover(&text, offset, &examined)
        });
        Event::Answer(Response::new_ok(id, answer))
    };
    spawn(token, events, work, broken);
}

/// Makes tests, and tells how it goes: by the name of the run, and by the token of its progress where that is shown.
pub(super) fn run(
    id: &RequestId,
    request: TestRequest,
    (name, progress): (String, Option<Value>),
    token: Token,
    events: &Sender<Event>,
) {
    let id = id.clone();
    let broken = Event::RunEnded { progress: name.clone(), response: bug(id.clone()) };
    let work = move |events: &Sender<Event>| {
        let tell = |value: Value| {
            let params = |token: &Value| json!({ "token": token, "value": value });
            let message = |token| Message::from(Notification::new("$/progress".to_owned(), params(token)));
            progress.iter().for_each(|token| drop(events.send(Event::Send(message(token)))));
        };
        let file = request.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tell(
            json!({ "kind": "begin", "title": "Magneto", "message": format!("tests of {file}"), "cancellable": true }),
        );
        let answer = request.run();
        tell(json!({ "kind": "end", "message": answer.message }));
        let kind = if answer.is_done { MessageType::Info } else { MessageType::Error };
        let _ = events.send(Event::Send(shown(kind, &answer.message)));
        let response = match answer.is_done {
            true => Response::new_ok(id, answer.result),
            false => Response::new_err(id, ErrorCode::RequestFailed as i32, answer.message),
        };
        Event::RunEnded { progress: name, response }
    };
    spawn(token, events, work, broken);
}

/// The path of a document, its options, and what is wrong with these.
fn context(uri: &str) -> (String, DocumentSettings, Option<Finding>) {
    let path = path_of(uri);
    let settings = path
        .as_deref()
        .and_then(Path::parent)
        .map_or_else(|| Ok(DocumentSettings::default()), DocumentSettings::of_folder);
    let wrong = |why: &String| Finding {
        diagnostic: Diagnostic::semantic(
            Span::default(),
            format!("the options of magneto.toml do not count here: {why}"),
        ),
        severity: Severity::Warning,
    };
    let finding = settings.as_ref().err().map(wrong);
    let path = path.map_or_else(|| uri.to_owned(), |p| p.to_string_lossy().into_owned());
    (path, settings.unwrap_or_default(), finding)
}

/// What is wrong, and what may help.
pub(super) fn message(d: &Diagnostic) -> String {
    match &d.hint {
        Some(hint) => format!("{}\nhint: {hint}", d.message),
        None => d.message.clone(),
    }
}

fn shown(kind: MessageType, message: &str) -> Message {
    let params = gen_lsp_types::ShowMessageParams { kind, message: message.to_owned() };
    Notification::new("window/showMessage".to_owned(), params).into()
}

fn bug(id: RequestId) -> Response {
    let why = "a bug in magneto; its standard error has more".to_owned();
    Response::new_err(id, ErrorCode::InternalError as i32, why)
}
