//! Reading FPCore 2.0 (1.x accepted): from bytes to [`Core`]s, with every mistake reported.

mod expr;
mod loops;
mod names;

use super::core::{Arg, Core, Datum, DatumKind, Number, Property, SizeName, Value};
use super::number::parse_rational;
use super::property;
use super::results;
use super::sizes::{self, Sizes};
use crate::text::sexp::{self, Dialect, Sexp, SexpKind, unescaped};
use crate::text::{Diagnostic, Span, nearest, quote};
use expr::{Callee, Reader, Type};
use std::collections::{BTreeMap, BTreeSet};

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The cores in order, each usable or with what is wrong with it. A core with several results stands here once for each of
    /// them.
    pub cores: Vec<Result<Core, Vec<Diagnostic>>>,
    /// For every core, usable or not, its identifier and its `:name`, as far as they can be read.
    pub labels: Vec<Vec<String>>,
    /// What is wrong outside the cores.
    pub diagnostics: Vec<Diagnostic>,
}

impl File {
    fn push(&mut self, core: Result<Core, Vec<Diagnostic>>, labels: Vec<String>) {
        self.cores.push(core);
        self.labels.push(labels);
    }

    /// Adds what was read of a form with these sizes, each result on its own, and says whether it is usable.
    fn push_case(&mut self, read: Result<(Core, Type), Vec<Diagnostic>>, form: &Sexp, sizes: &Sizes) -> bool {
        let cores = read.and_then(|(mut core, result)| {
            sizes::name_case(&mut core, sizes);
            if !matches!(result, Type::Array(_)) {
                return Ok(vec![core]);
            }
            results::elements(&core, &self.cores)
        });
        let is_usable = cores.is_ok();
        match cores {
            Ok(cores) => cores.into_iter().for_each(|core| {
                let is_one_of_several = !sizes.is_empty() || !core.element.is_empty();
                let labels = labels_of(form, core.name().filter(|_| is_one_of_several));
                self.push(Ok(core), labels);
            }),
            Err(wrong) => self.push(Err(wrong), labels_of(form, None)),
        }
        is_usable
    }

    /// Everything that is wrong, in the order of the source.
    #[must_use]
    pub fn all_diagnostics(&self) -> Vec<Diagnostic> {
        let in_cores = self.cores.iter().filter_map(|c| c.as_ref().err()).flatten();
        let mut all: Vec<Diagnostic> = self.diagnostics.iter().chain(in_cores).cloned().collect();
        all.sort_by_key(|d| (d.span.start, d.span.end));
        all
    }
}

/// The most mistakes that are reported of one core or between cores.
const MAX_DIAGNOSTICS: usize = 50;

/// The most elements of an array that is an argument: each is an input.
const MAX_ELEMENTS: usize = 1_000;

/// Reads a file. Mistakes in one core leave the other cores usable.
#[must_use]
pub fn parse_file(bytes: &[u8]) -> File {
    let mut file = File::default();
    let text = std::str::from_utf8(bytes).map_err(|e| e.valid_up_to());
    // A zero byte is UTF-8, but no text has one: UTF-16 and programs do.
    let source = match text.and_then(|t| t.find('\0').map_or(Ok(t), Err)) {
        Ok(source) => source,
        Err(at) => {
            let span = Span { start: at, end: at + 1 };
            let message = format!("this is not a text file: byte {at} is not part of UTF-8 text");
            file.diagnostics.push(Diagnostic::syntax(span, message).hint("FPCore files are UTF-8 text"));
            return file;
        }
    };
    let forms = sexp::read(source, Dialect::FpCore);
    file.diagnostics = forms.diagnostics;
    let idents = forms.forms.iter().map(|f| f.as_ref().ok().and_then(ident_of)).collect::<Vec<_>>();
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for (k, ident) in idents.iter().enumerate() {
        ident.map(|i| last.insert(i, k));
    }
    let mut earlier: BTreeMap<String, Callee> = BTreeMap::new();
    let mut junk_reported = false;
    for (k, form) in forms.forms.into_iter().enumerate() {
        let form = match form {
            Ok(form) => form,
            Err(diagnostics) => {
                file.push(Err(diagnostics), Vec::new());
                continue;
            }
        };
        if form.list().and_then(<[_]>::first).and_then(Sexp::atom) != Some("FPCore") {
            // One report for a run of other things: a text in another language would give thousands.
            if !junk_reported {
                file.diagnostics.push(no_core(&form));
            }
            junk_reported = true;
            continue;
        }
        junk_reported = false;
        let cases = match sizes::cases(&form) {
            Ok(cases) => cases,
            Err(wrong) => {
                earlier.extend(idents[k].map(|ident| (ident.to_owned(), Callee::Broken)));
                file.push(Err(wrong), labels_of(&form, None));
                continue;
            }
        };
        for sizes in &cases {
            let mut reader = Reader::new(source, &earlier, (&last, k), sizes);
            let core = reader.core(&form);
            let mut diagnostics = reader.diagnostics;
            let callee = match &core {
                Some((core, result)) if diagnostics.is_empty() => {
                    Callee::Usable { parameters: core.args.iter().map(Type::of).collect(), result: *result }
                }
                _ => Callee::Broken,
            };
            diagnostics.truncate(MAX_DIAGNOSTICS);
            let read = if diagnostics.is_empty() { core.ok_or(diagnostics) } else { Err(diagnostics) };
            let is_read = file.push_case(read, &form, sizes);
            // What is wrong with a text is so with each size.
            if !is_read || sizes == &cases[cases.len() - 1] {
                let callee = if is_read { callee } else { Callee::Broken };
                earlier.extend(idents[k].map(|ident| (ident.to_owned(), callee)));
                break;
            }
        }
    }
    file.diagnostics.truncate(MAX_DIAGNOSTICS);
    file
}

/// What is wrong with a form that is no core. Only its head is shown: the rest may be long.
fn no_core(form: &Sexp) -> Diagnostic {
    let head = form.list().and_then(<[_]>::first).map_or_else(|| form.atom(), Sexp::atom);
    let found = match (&form.kind, head) {
        (SexpKind::List(_), Some(head)) => quote(&format!("({head} …)")),
        (_, Some(atom)) => quote(atom),
        (SexpKind::List(items), None) if items.is_empty() => "`()`".to_owned(),
        (SexpKind::List(_), None) => "a list without a name at its head".to_owned(),
        _ => "a string".to_owned(),
    };
    let hint = match head.and_then(|h| nearest(h, ["FPCore"])) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "write `(FPCore (x y) … body)`".to_owned(),
    };
    Diagnostic::syntax(form.span, format!("expected `(FPCore …)`, found {found}")).hint(hint)
}

/// The identifier of a core, even of one that will not be usable.
fn ident_of<'a>(form: &Sexp<'a>) -> Option<&'a str> {
    form.list()?.get(1)?.atom()
}

/// The identifier and the `:name` of a core, and the name of an element of what it returns.
fn labels_of(form: &Sexp, element: Option<&str>) -> Vec<String> {
    let items = form.list().unwrap_or_default();
    let named = items.windows(2).find(|pair| keyword(&pair[0]) == Some("name"));
    let name = named.and_then(|pair| match &pair[1].kind {
        SexpKind::Atom(text) => Some((*text).to_owned()),
        SexpKind::Text(text) => Some(unescaped(text)),
        SexpKind::List(_) => None,
    });
    ident_of(form).map(str::to_owned).into_iter().chain(name).chain(element.map(str::to_owned)).collect()
}

impl Reader<'_> {
    /// A whole core and the type of its body.
    fn core(&mut self, form: &Sexp) -> Option<(Core, Type)> {
        let items = form.list()?;
        let mut rest = &items[1..];
        let mut ident = None;
        if let Some((first, tail)) = rest.split_first()
            && first.atom().is_some()
        {
            ident = Some(self.ident(first));
            rest = tail;
        }
        let Some((args, rest)) = rest.split_first().filter(|(args, _)| args.list().is_some()) else {
            let span = rest.first().map_or(form.span, |s| s.span);
            let is_text = rest.first().is_some_and(|s| matches!(s.kind, SexpKind::Text(_)));
            let hint = match is_text {
                true => "a text as a name stands in `:name`: `(FPCore (x y) :name \"…\" … body)`",
                false => "write `(FPCore (x y) … body)`",
            };
            self.report(Diagnostic::syntax(span, "the argument list is missing").hint(hint));
            return None;
        };
        let args = self.args(args.list().unwrap_or_default());
        let (props, used) = self.properties(rest, true);
        let body = match &rest[used..] {
            [] => {
                let at = Span { start: form.span.end.saturating_sub(1), end: form.span.end };
                self.report(Diagnostic::syntax(at, "the core has no body").hint("an expression comes last"));
                return None;
            }
            [body] => self.expr(body),
            [body, more, ..] => {
                let late = rest[used + 1..].iter().any(|s| keyword(s).is_some());
                let hint = late.then(|| "properties stand before the body".to_owned());
                let message = "a core has one body, and this comes after it";
                self.report(Diagnostic::syntax(more.span, message).maybe_hint(hint));
                self.expr(body)
            }
        };
        let (args, (body, result)) = (args?, body?);
        Some((
            Core {
                ident: ident.flatten(),
                args,
                props,
                body,
                element: Vec::new(),
                results: Vec::new(),
                sizes: self.sizes.iter().map(|size| self.size_name(size)).collect(),
                span: form.span,
            },
            result,
        ))
    }

    /// A name of a size, with where it was read in expressions.
    fn size_name(&self, (name, value): &(String, usize)) -> SizeName {
        let uses = self.size_uses.iter().filter(|(used, _)| used == name).map(|(_, span)| *span).collect();
        SizeName { name: name.clone(), value: *value, uses }
    }

    fn ident(&mut self, atom: &Sexp) -> Option<String> {
        let name = self.symbol(atom, "the name of a core")?;
        if names::is_operation(&name) {
            let message = format!("`{name}` is an operator and cannot be the name of a core");
            let hint =
                format!("leave it out, or name the specification by a text: `(FPCore (x) :name \"{name}\" … body)`");
            self.report(Diagnostic::semantic(atom.span, message).hint(hint));
            return None;
        }
        Some(name)
    }

    /// The arguments, which become the scope.
    fn args(&mut self, items: &[Sexp]) -> Option<Vec<Arg>> {
        let mut args: Vec<Arg> = Vec::new();
        let mut complete = true;
        let mut seen = BTreeSet::new();
        self.scope.extend(self.sizes.iter().map(|(name, n)| (name.clone(), Type::Size(*n))));
        for item in items {
            let Some(arg) = self.arg(item) else {
                complete = false;
                continue;
            };
            if !seen.insert(arg.name.clone()) {
                let message = format!("two arguments are named {}", quote(&arg.name));
                self.report(Diagnostic::semantic(arg.span, message));
                complete = false;
            } else if self.sizes.iter().any(|(name, _)| *name == arg.name) {
                let message = format!("an argument and a size are both named {}", quote(&arg.name));
                let hint = "leave out the argument: a function in C gets the size beside its array all the same";
                self.report(Diagnostic::semantic(arg.span, message).hint(hint));
                complete = false;
            }
            self.scope.push((arg.name.clone(), Type::of(&arg)));
            args.push(arg);
        }
        complete.then_some(args)
    }

    fn arg(&mut self, item: &Sexp) -> Option<Arg> {
        let Some(list) = item.list() else {
            let name = self.symbol(item, "an argument")?;
            return Some(Arg { name, props: Vec::new(), sizes: Vec::new(), size_names: Vec::new(), span: item.span });
        };
        let is_annotated = list.first().and_then(Sexp::atom) == Some("!");
        let (props, used) = if is_annotated { self.properties(&list[1..], false) } else { (Vec::new(), 0) };
        let Some((name, sizes)) = list[used + usize::from(is_annotated)..].split_first() else {
            self.report(Diagnostic::syntax(item.span, "the name of this argument is missing"));
            return None;
        };
        if name.atom().is_none() || !is_annotated && sizes.is_empty() {
            let message = "an argument is a name, `(name size…)` or `(! properties… name size…)`";
            self.report(Diagnostic::syntax(item.span, message));
            return None;
        }
        let read = self.sizes(sizes);
        if read.is_none() {
            // Its name is bound all the same, so that its uses are not reported as unbound.
            self.scope.extend(name.atom().map(|name| (name.to_owned(), Type::Unknown)));
        }
        let size_name = |s: &Sexp| s.atom().filter(|a| self.sizes.iter().any(|(name, _)| name == a)).map(str::to_owned);
        let size_names = sizes.iter().map(size_name).collect();
        Some(Arg { name: self.symbol(name, "an argument")?, props, sizes: read?, size_names, span: item.span })
    }

    /// The sizes of an array.
    fn sizes(&mut self, items: &[Sexp]) -> Option<Vec<usize>> {
        let named = |name: &str| self.sizes.iter().find(|(n, _)| n == name).map(|(_, size)| *size);
        let size = |s: &Sexp| s.atom().and_then(|a| named(a).or_else(|| a.parse().ok())).filter(|n| *n > 0);
        let sizes: Vec<usize> = items.iter().map_while(size).collect();
        if let Some(other) = items.get(sizes.len()) {
            let message = "the size of an array must be a name or a natural number from 1 on";
            self.report(Diagnostic::unsupported(other.span, message).hint("write a number, such as `(A 3)`"));
            return None;
        }
        let elements = sizes.iter().try_fold(1usize, |all, n| all.checked_mul(*n)).filter(|all| *all <= MAX_ELEMENTS);
        if elements.is_none() {
            let span = items[0].span;
            self.report(Diagnostic::unsupported(
                span,
                format!("an array of more than {MAX_ELEMENTS} elements is not supported"),
            ));
            return None;
        }
        Some(sizes)
    }

    /// The properties at the start of `items`, and how many items they take. Of a whole core (`own`) the expressions
    /// among them are read as such.
    pub(super) fn properties(&mut self, items: &[Sexp], own: bool) -> (Vec<Property>, usize) {
        let mut props: Vec<Property> = Vec::new();
        let mut used = 0;
        while let Some(key) = items.get(used).and_then(keyword) {
            let key_span = items[used].span;
            let value = match items.get(used + 1) {
                Some(value) if keyword(value).is_none() => value,
                _ => {
                    self.report(Diagnostic::syntax(key_span, format!("{} has no value", quote(&format!(":{key}")))));
                    used += 1;
                    continue;
                }
            };
            used += 2;
            self.check_key(key, key_span, own);
            if props.iter().any(|p| p.key == key) && (!own || names::SINGLE_PROPERTIES.contains(&key)) {
                self.report(Diagnostic::semantic(key_span, format!("`:{key}` is given twice")));
            }
            if let Some(value) = self.value(key, value, own) {
                props.push(Property { key: key.to_owned(), key_span, value });
            }
        }
        (props, used)
    }

    fn check_key(&mut self, key: &str, span: Span, own: bool) {
        if let Some(diagnostic) = property::key_error(key, span) {
            self.report(diagnostic);
        } else if !own && property::MAGNETO.contains(&key) {
            self.report(Diagnostic::semantic(span, format!("`:{key}` belongs to the whole core, not to a part of it")));
        }
    }

    fn value(&mut self, key: &str, value: &Sexp, own: bool) -> Option<Value> {
        match key {
            "pre" if own => self.expect(value, Type::Bool).map(Value::Expr),
            "spec" | "alt" if own => {
                // These do not define anything here: what cannot be read as an expression is kept as it stands.
                let reported = self.diagnostics.len();
                let read = self.expr(value);
                let failed = self.diagnostics.len() > reported;
                self.diagnostics.truncate(reported);
                match read {
                    Some((expr, _)) if !failed => Some(Value::Expr(expr)),
                    _ => Some(Value::Data(datum(value))),
                }
            }
            _ => {
                if key == "precision" {
                    self.diagnostics.extend(property::precision_error(value));
                }
                Some(Value::Data(datum(value)))
            }
        }
    }
}

/// The key of a keyword such as `:pre`, without its colon.
fn keyword<'a>(item: &Sexp<'a>) -> Option<&'a str> {
    item.atom()?.strip_prefix(':').filter(|key| !key.is_empty())
}

/// Data as it stands.
fn datum(item: &Sexp) -> Datum {
    let kind = match &item.kind {
        SexpKind::Atom(text) => match parse_rational(text) {
            Ok(value) => DatumKind::Number(Number { value, text: (*text).to_owned() }),
            Err(_) => DatumKind::Symbol((*text).to_owned()),
        },
        SexpKind::Text(text) => DatumKind::String(unescaped(text)),
        SexpKind::List(items) => DatumKind::List(items.iter().map(datum).collect()),
    };
    Datum { kind, span: item.span }
}
