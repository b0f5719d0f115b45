//! `magneto lsp`, spoken to as an editor does: frames on standard input and output of the real program.

use crate::cli_support::{Folder, missing};
use serde_json::{Value, json};
use std::io::{BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// After so long without a message a test gives up.
const GIVE_UP: Duration = Duration::from_secs(300);

/// An editor with the server that it started.
struct Editor {
    folder: Folder,
    server: Child,
    to: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What has arrived and was not asked for.
    aside: Vec<Value>,
    count: i32,
}

impl Editor {
    /// Starts a server that has not been told anything.
    fn silent() -> Editor {
        let folder = Folder::new();
        let mut command = folder.command(&["lsp"]);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = piped.spawn().unwrap();
        let (to, from) = (server.stdin.take(), server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(message) = frame(&mut from) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor { folder, server, to, messages, aside: Vec::new(), count: 0 }
    }

    /// Starts a server and introduces itself.
    fn new(options: Value) -> Editor {
        let mut editor = Editor::silent();
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let who = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options });
        let answer = editor.ask("initialize", who);
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16");
        editor.tell("initialized", json!({}));
        editor
    }

    fn write(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().unwrap();
        to.write_all(bytes).and_then(|()| to.flush()).unwrap();
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// Asks without waiting for an answer.
    fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.count += 1;
        self.send(json!({ "id": self.count, "method": method, "params": params }));
        self.count
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The next message of some kind; others are kept.
    fn next(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.aside.iter().position(&is_it) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(GIVE_UP).expect("a message of the server");
            if is_it(&message) {
                return message;
            }
            self.aside.push(message);
        }
    }

    fn answer(&mut self, id: i32) -> Value {
        self.next(|m| m["id"] == id && m.get("method").is_none())
    }

    /// What is shown of a version of a document, when all of it is known.
    fn shown(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let is_it = |m: &Value| m["params"]["uri"] == uri && m["params"]["version"] == version;
        let message = self.next(|m| m["method"] == "textDocument/publishDiagnostics" && is_it(m));
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.path(name).display())
    }

    fn open(&mut self, name: &str, text: &str) -> String {
        self.folder.write(name, text);
        let uri = self.uri(name);
        let document = json!({ "uri": uri, "languageId": "fpcore", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }

    fn change(&mut self, uri: &str, version: i32, change: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// What is shown under a place, as Markdown.
    fn hover(&mut self, uri: &str, place: Value) -> String {
        let answer = self.ask("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": place }));
        answer["result"]["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    fn completed(&mut self, uri: &str, place: Value) -> Vec<String> {
        let answer = self.ask("textDocument/completion", json!({ "textDocument": { "uri": uri }, "position": place }));
        let items = answer["result"]["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    fn actions(&mut self, uri: &str, start: Value, end: Value) -> Vec<Value> {
        let range = json!({ "start": start, "end": end });
        let context = json!({ "diagnostics": [] });
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        self.ask("textDocument/codeAction", params)["result"].as_array().unwrap().clone()
    }

    /// Says goodbye; how the server ended.
    fn leave(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        self.tell("exit", Value::Null);
        self.ended()
    }

    /// How the server ended, which said nothing of a bug.
    fn ended(mut self) -> Option<i32> {
        let status = self.server.wait().unwrap();
        let mut said = String::new();
        self.server.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(!said.contains("a bug in magneto"), "{said}");
        status.code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
    }
}

/// The next message of a stream.
fn frame(from: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", n)) => length = n.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn at(line: usize, character: usize) -> Value {
    json!({ "line": line, "character": character })
}

/// The place of a piece of a text; `text` is ASCII.
fn place(text: &str, what: &str) -> Value {
    let offset = text.find(what).unwrap_or_else(|| panic!("no {what} in\n{text}"));
    let line = text[..offset].matches('\n').count();
    at(line, offset - text[..offset].rfind('\n').map_or(0, |k| k + 1))
}

const AIR: &str = "(FPCore sq (x) :pre (<= 0 x 1) :magneto-abs-error 1e-9 (* x x))

; A flow.
(FPCore flow (dp rho)
  :name \"flow\"
  :precision binary64
  :pre (and (<= 1 dp 100) (<= 1 rho 2))
  :magneto-units ((dp \"Pa\") (result \"m/s\"))
  :magneto-rel-error 1e-12
  (let ([v (sqrt (/ (* 2 dp) rho))])
    (if (> dp 50) (- (sq v) v) (log (- dp 2)))))
";

#[test]
fn findings_are_those_of_lint() {
    let mut editor = Editor::new(Value::Null);
    let uri = editor.open("air.fpcore", AIR);
    let shown = editor.shown(&uri, 1);
    let lint = editor.folder.run(&["lint", "air.fpcore", "--json"]).expect(0).json();
    let of_lint: Vec<&Value> =
        lint["specifications"].as_array().unwrap().iter().flat_map(|s| s["warnings"].as_array().unwrap()).collect();
    assert!(!of_lint.is_empty(), "{lint}");
    assert_eq!(shown.len(), of_lint.len());
    for (shown, found) in shown.iter().zip(of_lint) {
        assert_eq!((&shown["severity"], &shown["source"]), (&json!(2), &json!("magneto")));
        let text = shown["message"].as_str().unwrap();
        assert!(text.starts_with(found["message"].as_str().unwrap()), "{shown} {found}");
        assert_eq!(shown["range"]["start"]["line"].as_u64().unwrap() + 1, found["line"].as_u64().unwrap());
        assert_eq!(shown["range"]["start"]["character"].as_u64().unwrap() + 1, found["column"].as_u64().unwrap());
    }
    // One that stands further down is at its new place, and those that stay are found as before.
    editor.change(&uri, 2, json!({ "range": { "start": at(0, 0), "end": at(0, 0) }, "text": "; new\n; lines\n" }));
    let later = editor.shown(&uri, 2);
    let moved = |d: &Value| d["range"]["start"]["line"].as_u64().unwrap();
    let lines: Vec<u64> = shown.iter().map(|d| moved(d) + 2).collect();
    assert_eq!(later.iter().map(moved).collect::<Vec<_>>(), lines);
    // The options of magneto.toml count.
    editor.folder.write("magneto.toml", "rel-error = \"1e-400\"\n");
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let shown = editor.shown(&uri, 2);
    assert!(shown.iter().any(|d| d["message"].as_str().unwrap().contains("the accuracy cannot be met")), "{shown:?}");
    editor.folder.write("magneto.toml", "rel-eror = 1\n");
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let shown = editor.shown(&uri, 2);
    assert!(shown[0]["message"].as_str().unwrap().contains("magneto.toml"), "{shown:?}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn mistakes_are_shown_in_utf_16_with_what_was_meant() {
    let text = "(FPCore (x)\r\n  :name \"\u{1d4b3}\u{e9}\" :per (< 0 x 1)\r\n  (sqroot (+ x \u{1f600})))\r\n(FPCore (y";
    let mut editor = Editor::new(Value::Null);
    let uri = editor.open("half written %25.fpcore", text);
    let uri_as_editors_write_it = uri.replace(' ', "%20");
    assert!(uri_as_editors_write_it.contains("%20"));
    let shown = editor.shown(&uri, 1);
    let found = |what: &str| {
        let is_it = |d: &&Value| d["message"].as_str().unwrap().contains(what);
        let range = &shown.iter().find(is_it).unwrap_or_else(|| panic!("{what}: {shown:?}"))["range"];
        (range["start"].clone(), range["end"].clone())
    };
    // The name takes three units and its quotes two.
    assert_eq!(found("unknown property `:per`"), (at(1, 14), at(1, 18)));
    assert_eq!(found("unknown operator `sqroot`"), (at(2, 3), at(2, 9)));
    assert_eq!(found("unbound variable"), (at(2, 15), at(2, 17)));
    assert_eq!(found("is never closed").0, at(3, 0));
    let actions = editor.actions(&uri, at(1, 14), at(1, 14));
    let fix = actions.iter().find(|a| a["kind"] == "quickfix").unwrap();
    let edit = &fix["edit"]["changes"][&uri][0];
    assert_eq!((&edit["newText"], &edit["range"]["start"]), (&json!(":pre"), &at(1, 14)));
    editor.change(&uri, 2, json!({ "range": edit["range"], "text": edit["newText"] }));
    let shown = editor.shown(&uri, 2);
    assert!(!shown.iter().any(|d| d["message"].as_str().unwrap().contains(":per")), "{shown:?}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn the_pointer_shows_values_ranges_and_domains() {
    let mut editor = Editor::new(Value::Null);
    let uri = editor.open("air.fpcore", AIR);
    editor.shown(&uri, 1);
    let mut hover = |what: &str| editor.hover(&uri, place(AIR, what));
    let root = hover("sqrt (/");
    assert!(root.contains("It has a value where `(>= x 0)`."), "{root}");
    let line = |text: &str, start: &str| text.lines().find(|l| l.starts_with(start)).unwrap().to_owned();
    // sqrt(2 * 1 / 2) to sqrt(2 * 100 / 1).
    let range = line(&root, "lies in [");
    let (lo, hi) = range["lies in [".len()..].split_once("] on the domain").unwrap().0.split_once(", ").unwrap();
    let (lo, hi): (f64, f64) = (lo.parse().unwrap(), hi.parse().unwrap());
    assert!((0.9..=1.0).contains(&lo) && (14.142_135..15.0).contains(&hi), "{range}");
    // The value at the example is the oracle's.
    let example = line(&root, "at dp = ");
    let (inputs, value) = example["at ".len()..].trim().split_once(": ").unwrap();
    let formula = "dp: [1, 100], rho: [1, 2] -> sqrt(2*dp/rho)";
    let at = inputs.replace(' ', "");
    let oracle = editor.folder.run(&["oracle", "--formula", formula, "--at", &at]).expect(0).out;
    assert!(line(&oracle, "f(x)").contains(value.trim_end_matches(char::is_numeric)), "{example}\n{oracle}");
    let mut hover = |what: &str| editor.hover(&uri, place(AIR, what));
    assert!(hover("log (-").contains("perhaps without a value at some inputs"));
    assert!(hover("dp 50").contains("input `dp`: binary64 in") && hover("dp 50").contains("unit `Pa`"));
    assert!(hover("> dp 50").contains("may hold at some inputs of the domain"));
    assert!(hover("if (").contains("a where c holds, else b"));
    assert!(hover(":magneto-rel-error").contains("may differ from f(x)"));
    let whole = hover("flow (dp");
    assert!(whole.contains("relative 1e-12") && whole.contains("plain binary64 evaluation"), "{whole}");
    assert!(hover("FPCore flow").contains("not defined at dp = "));
    // Nothing is said of comments and strings.
    assert_eq!((hover("A flow"), hover("m/s")), (String::new(), String::new()));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn half_written_lists_are_completed() {
    let text = "(FPCore sq (x) (* x x))
(FPCore f (alpha (! :precision binary32 beta))
  :precision b
  :magneto-out-of-range 
  :ma
  (let ([gamma (s alpha)]) (+ ga \"(s\" ; (s
    (";
    let mut editor = Editor::new(Value::Null);
    let uri = editor.open("half.fpcore", text);
    let has = |all: &[String], some: &[&str]| some.iter().all(|name| all.iter().any(|a| a == name));
    let heads = editor.completed(&uri, at(5, 17));
    assert!(has(&heads, &["sqrt", "sin", "-", "let*", "if", "<=", "sq"]) && !has(&heads, &["f"]), "{heads:?}");
    assert_eq!(heads.iter().filter(|h| *h == "-").count(), 1);
    assert!(has(&editor.completed(&uri, at(6, 5)), &["sqrt"]));
    let names = editor.completed(&uri, at(5, 32));
    assert!(has(&names, &["alpha", "beta", "gamma", "PI"]) && !has(&names, &["x", "sqrt"]), "{names:?}");
    assert_eq!(editor.completed(&uri, at(2, 14))[..2], ["binary64", "binary32"]);
    assert_eq!(editor.completed(&uri, at(3, 24)), ["reject", "nan", "saturate", "any"]);
    let properties = editor.completed(&uri, at(4, 5));
    assert!(has(&properties, &[":magneto-rel-error", ":pre", ":precision"]), "{properties:?}");
    // Each of them is described by the book.
    let params = json!({ "textDocument": { "uri": uri }, "position": at(4, 5) });
    let items = editor.ask("textDocument/completion", params)["result"]["items"].clone();
    for item in items.as_array().unwrap() {
        assert!(item["documentation"]["value"].as_str().is_some_and(|text| text.len() > 20), "{item}");
        let range = json!({ "start": at(4, 2), "end": at(4, 5) });
        assert_eq!((&item["textEdit"]["newText"], &item["textEdit"]["range"]), (&item["label"], &range));
    }
    // In strings, comments and lists of names there is nothing to complete.
    for (line, character) in [(5, 36), (5, 42), (1, 12), (1, 17)] {
        assert_eq!(editor.completed(&uri, at(line, character)), Vec::<String>::new(), "{line}:{character}");
    }
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn tests_are_made_on_request() {
    let text = "(FPCore (x) :name \"one\" :pre (<= 1 x 2) :magneto-rel-error 1e-12 (sqrt x))\n";
    for folder in [None, Some("made")] {
        let mut editor = Editor::new(json!({ "testsFolder": folder }));
        let uri = editor.open("one.fpcore", text);
        editor.shown(&uri, 1);
        let actions = editor.actions(&uri, at(0, 3), at(0, 3));
        let command = &actions.iter().find(|a| a["kind"] == "magneto.generateTests").unwrap()["command"];
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        let answer = editor.ask("workspace/executeCommand", params.clone());
        let to = folder.map_or("one.tests".to_owned(), |f| format!("{f}/one"));
        assert!(answer["result"]["folder"].as_str().is_some_and(|f| f.ends_with(&to)), "{answer}");
        let manifest = editor.folder.read(&format!("{to}/manifest.json"));
        assert!(manifest.contains("magneto/"), "{manifest}");
        let create = editor.next(|m| m["method"] == "window/workDoneProgress/create");
        let begin = editor.next(|m| m["method"] == "$/progress");
        let end = editor.next(|m| m["method"] == "$/progress");
        assert_eq!(create["params"]["token"], begin["params"]["token"]);
        assert_eq!(
            (&begin["params"]["value"]["kind"], &end["params"]["value"]["kind"]),
            (&json!("begin"), &json!("end"))
        );
        let message = editor.next(|m| m["method"] == "window/showMessage");
        assert!(message["params"]["message"].as_str().unwrap().starts_with("one: "), "{message}");
        // Tests are made of what is in the file.
        editor.change(&uri, 2, json!({ "text": format!("{text}; more") }));
        let answer = editor.ask("workspace/executeCommand", params.clone());
        assert!(answer["error"]["message"].as_str().unwrap().contains("is not saved"), "{answer}");
        // A folder that holds something else stays as it is.
        std::fs::remove_dir_all(editor.folder.path(&to)).unwrap();
        editor.folder.write(&format!("{to}/notes.txt"), "mine");
        editor.change(&uri, 3, json!({ "text": text }));
        let answer = editor.ask("workspace/executeCommand", params);
        assert!(answer["error"]["message"].as_str().unwrap().contains("no tests were made"), "{answer}");
        assert_eq!(editor.folder.read(&format!("{to}/notes.txt")), "mine");
        assert_eq!(editor.leave(), Some(0));
    }
}

#[test]
fn the_protocol_is_kept() {
    let mut editor = Editor::silent();
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32002);
    let who = json!({ "processId": null, "rootUri": null, "capabilities": {} });
    assert!(editor.ask("initialize", who)["result"]["serverInfo"]["version"].is_string());
    editor.tell("initialized", json!({}));
    editor.tell("no/such/notification", json!([1, "two"]));
    editor.tell("textDocument/didChange", json!({ "nonsense": true }));
    assert_eq!(editor.ask("no/such/request", json!({}))["error"]["code"], -32601);
    for method in
        ["textDocument/hover", "textDocument/completion", "textDocument/codeAction", "workspace/executeCommand"]
    {
        assert_eq!(editor.ask(method, json!({ "textDocument": 3 }))["error"]["code"], -32602, "{method}");
    }
    let command = json!({ "command": "rm", "arguments": [] });
    assert_eq!(editor.ask("workspace/executeCommand", command)["error"]["code"], -32602);
    // Of a document that is not open nothing is known.
    let place = json!({ "textDocument": { "uri": "file:///nowhere.fpcore" }, "position": at(7, 7) });
    assert_eq!(editor.ask("textDocument/hover", place)["result"], Value::Null);
    let uri = editor.open("a.fpcore", "(FPCore (x) x)");
    editor.shown(&uri, 1);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let closed = editor.next(|m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!(closed["params"]["diagnostics"], json!([]));
    assert_eq!(editor.ask("shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32600);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.ended(), Some(0));
    // Who goes without a word is not taken for one who said goodbye.
    let mut editor = Editor::new(Value::Null);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.ended(), Some(1));
    for bytes in [&b""[..], b"Content-Length: 3\r\n\r\n{,}", b"Content-Length: 999\r\n\r\n{", b"garbage\r\n\r\n"] {
        let mut editor = Editor::new(Value::Null);
        editor.open("a.fpcore", AIR);
        editor.write(bytes);
        editor.to = None;
        assert_eq!(editor.ended(), Some(1), "{bytes:?}");
    }
    let mut editor = Editor::silent();
    editor.to = None;
    assert_eq!(editor.ended(), Some(1));
}

/// Everything that is asked about every beginning of a text is answered.
#[test]
fn every_half_of_a_text_is_looked_at() {
    let text = AIR.replace("A flow", "A \u{1f600} flow");
    let mut editor = Editor::new(Value::Null);
    let uri = editor.open("half.fpcore", "");
    let mut version = 1;
    for (end, _) in text.char_indices().step_by(7).chain([(text.len(), ' ')]) {
        version += 1;
        editor.change(&uri, version, json!({ "text": text[..end] }));
        let line = text[..end].matches('\n').count();
        let units = text[..end].rsplit('\n').next().unwrap().encode_utf16().count();
        for character in [0, units / 2, units, units + 9] {
            editor.hover(&uri, at(line, character));
            editor.completed(&uri, at(line, character));
        }
        editor.actions(&uri, at(0, 0), at(line, units));
    }
    editor.shown(&uri, version);
    // Edits by their places come to the same text as a whole one.
    let stop = editor.actions(&uri, at(0, 0), at(99, 0)).len();
    editor.change(&uri, version + 1, json!({ "range": { "start": at(2, 2), "end": at(2, 10) }, "text": "B" }));
    editor.change(
        &uri,
        version + 2,
        json!({ "range": { "start": at(90, 2), "end": at(90, 2) }, "text": "(FPCore (y) z)" }),
    );
    let shown = editor.shown(&uri, version + 2);
    assert!(shown.iter().any(|d| d["message"].as_str().unwrap().contains("unbound variable `z`")), "{shown:?}");
    assert!(stop >= 1);
    assert_eq!(editor.leave(), Some(0));
}

/// A formula that takes long keeps nobody waiting, and a version that nobody wants any more is given up.
#[test]
fn a_long_look_keeps_nobody_waiting() {
    let terms: String = (1..1500).map(|k| format!(" (sin (* {k} (exp (/ x {k}))))")).collect();
    let long = format!("(FPCore (x) :name \"long\" :pre (<= 0 x 1) :magneto-rel-error 1e-12 (+ 0{terms}))\n");
    let mut editor = Editor::new(Value::Null);
    let uri = editor.open("long.fpcore", &long);
    let air = editor.open("air.fpcore", AIR);
    assert!(editor.hover(&air, place(AIR, "sqrt (/")).contains("It has a value where"));
    assert!(editor.completed(&uri, place(&long, "sin")).contains(&"sqrt".to_owned()));
    let cancelled =
        editor.begin("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": place(&long, "+ 0") }));
    editor.tell("$/cancelRequest", json!({ "id": cancelled }));
    let answer = editor.answer(cancelled);
    assert!(answer["error"]["code"] == -32800 || answer.get("result").is_some(), "{answer}");
    for version in 2..30 {
        editor.change(&uri, version, json!({ "range": { "start": at(0, 0), "end": at(0, 0) }, "text": "\n" }));
    }
    editor.change(&uri, 30, json!({ "text": "(FPCore (x) :pre (<= 1 x 2) :magneto-rel-error 1e-9 x)" }));
    assert_eq!(editor.shown(&uri, 30), Vec::<Value>::new());
    assert!(!editor.shown(&air, 1).is_empty());
    // A file that is no text of FPCore at all.
    let junk: String = (0..20_000).map(|k| format!("def f{k}(x): return [x;\n")).collect();
    let uri = editor.open("junk.fpcore", &junk);
    let shown = editor.shown(&uri, 1);
    assert!(!shown.is_empty() && shown.len() < 200);
    assert_eq!(editor.leave(), Some(0));
}

/// The extension for Visual Studio Code: its files fit each other, and it colours every operator.
#[test]
fn the_extension_is_whole() {
    let check = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/vscode/check.js");
    let Ok(output) = std::process::Command::new("node").arg(check).output() else { return missing("node") };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
