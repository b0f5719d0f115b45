//! The server: which documents are open, what is being worked on, and an answer for each request. It waits for nothing but
//! events: whatever computes has a thread of its own, a limit of time, and ends early when nobody wants it any more.

use super::document::{Document, path_of};
use super::examine::{Examined, Severity};
use super::generate::{COMMAND, TestRequest};
use super::jobs::{self, Event};
use super::{actions, completion};
use gen_lsp_types::{
    CodeActionParams, CompletionParams, Diagnostic, DiagnosticSeverity, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams,
    HoverParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, TextDocumentPositionParams, Uri,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use magneto::halt::{HaltReason, Token};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long after a change a document is looked at: who types goes on.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a look at a document may take.
const LOOK: Duration = Duration::from_secs(20);
/// How long an answer about a place may take.
const ANSWER: Duration = Duration::from_secs(3);
/// How long after its limit a job is waited for before another one begins.
const GRACE: Duration = Duration::from_secs(5);

/// Work that goes on.
struct Job {
    token: Token,
    /// When it is asked to end.
    deadline: Option<Instant>,
}

impl Job {
    fn new(limit: Option<Duration>) -> Self {
        Job { token: Token::default(), deadline: limit.map(|limit| Instant::now() + limit) }
    }

    fn end(&self) {
        self.token.request(HaltReason::Interrupted);
    }
}

/// How the editor ended the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By `shutdown` and `exit`.
    Orderly,
    /// Without `shutdown`, or by closing the pipe.
    Abrupt,
}

pub(super) struct Server {
    send: Box<dyn Fn(Message)>,
    events: Sender<Event>,
    documents: HashMap<String, Document>,
    /// The look at a document that goes on.
    look: Option<(String, Job)>,
    /// Requests that are being answered.
    answers: HashMap<RequestId, Job>,
    /// The runs of `gen`, by the token of their progress.
    runs: HashMap<String, Job>,
    /// Where tests go, if not beside their specification.
    tests_folder: Option<PathBuf>,
    /// Whether the editor shows progress that the server begins.
    shows_progress: bool,
    count: u64,
    is_shut_down: bool,
}

impl Server {
    /// With what the editor says of itself.
    pub(super) fn new(send: Box<dyn Fn(Message)>, events: Sender<Event>, initialize: &Value) -> Self {
        let folder = initialize["initializationOptions"]["testsFolder"].as_str().filter(|f| !f.is_empty());
        Server {
            send,
            events,
            documents: HashMap::new(),
            look: None,
            answers: HashMap::new(),
            runs: HashMap::new(),
            tests_folder: folder.map(PathBuf::from),
            shows_progress: initialize["capabilities"]["window"]["workDoneProgress"].as_bool() == Some(true),
            count: 0,
            is_shut_down: false,
        }
    }

    /// Serves until the editor ends it.
    pub(super) fn run(&mut self, events: &Receiver<Event>) -> Ending {
        loop {
            let event = match events.recv_timeout(self.pause()) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => Event::Tick,
                Err(RecvTimeoutError::Disconnected) => Event::Closed,
            };
            let ending = match event {
                Event::Closed => Some(Ending::Abrupt),
                Event::Incoming(Message::Notification(n)) if n.method == "exit" => {
                    Some(if self.is_shut_down { Ending::Orderly } else { Ending::Abrupt })
                }
                event => {
                    self.handle(event);
                    None
                }
            };
            if let Some(ending) = ending {
                let looks = self.look.iter().map(|(_, job)| job);
                looks.chain(self.answers.values()).chain(self.runs.values()).for_each(Job::end);
                return ending;
            }
            self.tick();
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Incoming(Message::Request(request)) => self.request(request),
            Event::Incoming(Message::Notification(notification)) => self.notification(notification),
            // What the editor says to a progress that was begun plays no part.
            Event::Incoming(Message::Response(_)) | Event::Tick | Event::Closed => {}
            Event::Examined { uri, version, examined, is_whole } => self.examined(&uri, version, examined, is_whole),
            Event::Answer(response) => {
                // Who cancelled has an answer already.
                if self.answers.remove(&response.id).is_some() {
                    (self.send)(response.into());
                }
            }
            Event::RunEnded { progress, response } => {
                self.runs.remove(&progress);
                (self.send)(response.into());
            }
            Event::Send(message) => (self.send)(message),
        }
    }

    /// How long there is nothing to do but wait for events.
    fn pause(&self) -> Duration {
        let dues = self.documents.values().filter_map(|d| d.due).filter(|_| self.look.is_none());
        let ends = self.look.iter().map(|(_, job)| job).chain(self.answers.values()).filter_map(|job| job.deadline);
        let next = dues.chain(ends).min();
        next.map_or(Duration::from_secs(60), |at| at.saturating_duration_since(Instant::now()))
            .max(Duration::from_millis(5))
    }

    /// Ends what took too long, and looks at the next document that is due.
    fn tick(&mut self) {
        let now = Instant::now();
        for job in self.look.iter_mut().map(|(_, job)| job).chain(self.answers.values_mut()) {
            if job.deadline.is_some_and(|at| at <= now) {
                job.end();
                // A look that does not end is left alone after a while.
                job.deadline = Some(now + GRACE);
            }
        }
        let is_stuck = |job: &Job| job.token.reason().is_some() && job.deadline.is_some_and(|at| at <= now);
        self.look.take_if(|(_, job)| is_stuck(job));
        let due = self.documents.iter_mut().filter(|(_, d)| d.due.is_some_and(|at| at <= now));
        if self.look.is_none()
            && let Some((uri, document)) = due.min_by_key(|(_, d)| d.due)
        {
            document.due = None;
            let job = Job::new(Some(LOOK));
            let known = document.examined.clone();
            jobs::look(uri, document.version, document.text.clone(), known, job.token.clone(), &self.events);
            self.look = Some((uri.clone(), job));
        }
    }

    fn notification(&mut self, notification: Notification) {
        let due = Instant::now() + PAUSE;
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                if let Some(DidOpenTextDocumentParams { text_document: d }) = read(notification.params) {
                    self.documents.insert(d.uri.0, Document::new(d.text, d.version, Instant::now()));
                }
            }
            "textDocument/didChange" => {
                let Some(params) = read::<DidChangeTextDocumentParams>(notification.params) else { return };
                let id = params.text_document;
                if let Some(document) = self.documents.get_mut(&id.text_document_identifier.uri.0) {
                    document.change(params.content_changes, id.version, due);
                    self.forsake(&id.text_document_identifier.uri.0);
                }
            }
            "textDocument/didSave" => {
                // What lies beside it, such as magneto.toml, may have changed with it.
                let Some(params) = read::<DidSaveTextDocumentParams>(notification.params) else { return };
                if let Some(document) = self.documents.get_mut(&params.text_document.uri.0) {
                    document.due = Some(due);
                }
            }
            "textDocument/didClose" => {
                let Some(params) = read::<DidCloseTextDocumentParams>(notification.params) else { return };
                let uri = params.text_document.uri;
                self.documents.remove(&uri.0);
                self.forsake(&uri.0);
                self.notify(
                    "textDocument/publishDiagnostics",
                    PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() },
                );
            }
            "$/cancelRequest" => {
                let id = read::<RequestId>(notification.params["id"].clone());
                if let Some((id, job)) = id.and_then(|id| self.answers.remove_entry(&id)) {
                    job.end();
                    self.refuse(id, ErrorCode::RequestCanceled, "cancelled");
                }
            }
            "window/workDoneProgress/cancel" => {
                let token = notification.params["token"].as_str().unwrap_or_default();
                self.runs.get(token).into_iter().for_each(Job::end);
            }
            _ => {}
        }
    }

    /// Ends the look at a document of which another version is there.
    fn forsake(&mut self, uri: &str) {
        self.look.iter().filter(|(of, _)| of == uri).for_each(|(_, job)| job.end());
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if self.is_shut_down {
            return self.refuse(id, ErrorCode::InvalidRequest, "the server is shut down");
        }
        match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                self.answer(id, Value::Null);
            }
            "initialize" => self.refuse(id, ErrorCode::InvalidRequest, "the server is initialized already"),
            "textDocument/hover" => match read::<HoverParams>(params) {
                Some(params) => self.hover(id, &params.text_document_position_params),
                None => self.misread(id),
            },
            "textDocument/completion" => match read::<CompletionParams>(params) {
                Some(params) => {
                    let place = params.text_document_position_params;
                    let document = self.documents.get(&place.text_document.uri.0);
                    let list = document.map(|d| completion::completion(&d.text, d.text.offset(place.position)));
                    self.answer(id, list);
                }
                None => self.misread(id),
            },
            "textDocument/codeAction" => match read::<CodeActionParams>(params) {
                Some(params) => self.actions(id, &params),
                None => self.misread(id),
            },
            "workspace/executeCommand" => match read::<ExecuteCommandParams>(params) {
                Some(params) => self.execute(id, &params),
                None => self.misread(id),
            },
            _ => self.refuse(id, ErrorCode::MethodNotFound, &format!("there is no request {method}")),
        }
    }

    fn hover(&mut self, id: RequestId, place: &TextDocumentPositionParams) {
        let uri = &place.text_document.uri.0;
        let Some(document) = self.documents.get(uri) else { return self.answer(id, Value::Null) };
        let job = Job::new(Some(ANSWER));
        let offset = document.text.offset(place.position);
        let known = document.examined.clone();
        jobs::hover(&id, uri, document.text.clone(), offset, known, job.token.clone(), &self.events);
        self.answers.insert(id, job);
    }

    fn actions(&self, id: RequestId, params: &CodeActionParams) {
        let uri = &params.text_document.uri;
        let Some(document) = self.documents.get(&uri.0) else { return self.answer(id, Value::Null) };
        // Places of another version would be wrong.
        let is_current = document.examined_version == Some(document.version);
        let findings = if is_current { document.examined.findings.as_slice() } else { &[] };
        let only = params.context.only.as_deref();
        self.answer(id, actions::actions(uri, &document.text, findings, params.range, only));
    }

    fn execute(&mut self, id: RequestId, params: &ExecuteCommandParams) {
        let uri = params.arguments.iter().flatten().next().and_then(Value::as_str).unwrap_or_default();
        if params.command != COMMAND {
            return self.refuse(id, ErrorCode::InvalidParams, &format!("there is no command {}", params.command));
        }
        let Some(file) = path_of(uri) else {
            return self.refuse(id, ErrorCode::InvalidParams, "tests are made of a file: save the document first");
        };
        let is_saved = |d: &Document| std::fs::read(&file).is_ok_and(|there| there == d.text.text.as_bytes());
        if !self.documents.get(uri).is_none_or(is_saved) {
            let message = format!("{} is not saved: tests are made of what is in the file", file.display());
            self.notify(
                "window/showMessage",
                ShowMessageParams { kind: MessageType::Warning, message: message.clone() },
            );
            return self.refuse(id, ErrorCode::RequestFailed, &message);
        }
        self.count += 1;
        let given = params.work_done_progress_params.work_done_token.clone();
        let token = given.unwrap_or_else(|| format!("magneto-{}", self.count).into());
        let is_shown = self.shows_progress || params.work_done_progress_params.work_done_token.is_some();
        if self.shows_progress && params.work_done_progress_params.work_done_token.is_none() {
            let create = serde_json::json!({ "token": token });
            let request = Request::new(
                format!("progress-{}", self.count).into(),
                "window/workDoneProgress/create".to_owned(),
                create,
            );
            (self.send)(request.into());
        }
        let job = Job::new(None);
        let progress = serde_json::to_value(&token).unwrap_or_default();
        let key = progress.as_str().map_or_else(|| progress.to_string(), str::to_owned);
        let request = TestRequest::new(&file, self.tests_folder.as_deref());
        jobs::run(&id, request, (key.clone(), is_shown.then_some(progress)), job.token.clone(), &self.events);
        self.runs.insert(key, job);
    }

    /// Takes over what a look at a document found.
    fn examined(&mut self, uri: &str, version: i32, examined: Examined, is_whole: bool) {
        if is_whole && self.look.as_ref().is_some_and(|(of, _)| of == uri) {
            self.look = None;
        }
        let Some(document) = self.documents.get_mut(uri) else { return };
        if document.version != version {
            // What is known of specifications holds in other versions as well.
            if is_whole {
                let findings = document.examined.findings.clone();
                document.examined = Arc::new(Examined { findings, specs: Vec::new(), known: examined.known });
            }
            return;
        }
        let shown = examined.findings.iter().map(|f| Diagnostic {
            range: document.text.range(f.diagnostic.span),
            severity: Some(match f.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
                Severity::Information => DiagnosticSeverity::Information,
            }),
            source: Some("magneto".to_owned()),
            message: jobs::message(&f.diagnostic).into(),
            ..Diagnostic::default()
        });
        let diagnostics = shown.collect();
        document.examined = Arc::new(examined);
        document.examined_version = Some(version);
        let params = PublishDiagnosticsParams { uri: Uri(uri.to_owned()), version: Some(version), diagnostics };
        self.notify("textDocument/publishDiagnostics", params);
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        (self.send)(Notification::new(method.to_owned(), params).into());
    }

    fn answer(&self, id: RequestId, result: impl Serialize) {
        (self.send)(Response::new_ok(id, result).into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        (self.send)(Response::new_err(id, code as i32, why.to_owned()).into());
    }

    fn misread(&self, id: RequestId) {
        self.refuse(id, ErrorCode::InvalidParams, "the parameters are not those of this request");
    }
}

/// The parameters of a message; none where they are others.
fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
