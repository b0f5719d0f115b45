//! Requirements in ReqIF, the format in which tools for requirements exchange them (OMG, formal/2016-07-01): the objects with an
//! id and a text, by the names of their attributes.

use super::{Found, Requirement};
use crate::text::{Span, quote};
use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};
use std::collections::{BTreeSet, HashMap};

/// Which attributes mean what, without regard to case, spaces and hyphens: names that the format's guide has come first, then
/// those that are in use.
const FIELDS: [(&str, &[&str]); 6] = [
    ("id", &["reqif.foreignid", "id", "requirementid", "reqid", "uid", "identifier", "objectidentifier"]),
    ("text", &["reqif.text", "text", "requirementtext", "description", "reqif.description", "objecttext", "statement"]),
    ("source", &["source", "origin", "document"]),
    ("level", &["level", "dal", "asil", "sil", "safetyclass", "assurancelevel", "integritylevel"]),
    ("rationale", &["rationale"]),
    ("method", &["method", "verificationmethod", "verification"]),
];

/// Elements of XHTML that begin a line.
const LINES: [&[u8]; 9] = [b"div", b"p", b"br", b"li", b"tr", b"h1", b"h2", b"h3", b"pre"];

/// An object while it is read.
#[derive(Default)]
struct Object {
    span: Span,
    identifier: String,
    values: Vec<ObjectValue>,
}

/// The value of an attribute.
#[derive(Default)]
struct ObjectValue {
    /// The identifier of what defines the attribute.
    definition: String,
    text: String,
    /// Of an enumeration, the identifiers of the values.
    chosen: Vec<String>,
}

/// A text that is being read, to the end of its element.
struct Capture {
    /// The local name of the element.
    element: Vec<u8>,
    /// How many elements of that name are open inside.
    inside: usize,
    text: String,
}

/// What a file has.
#[derive(Default)]
struct File {
    /// The names of attributes by the identifiers of their definitions.
    names: HashMap<String, String>,
    /// The names of the values of enumerations.
    choices: HashMap<String, String>,
    objects: Vec<Object>,
    object: Option<Object>,
    value: Option<ObjectValue>,
    capture: Option<Capture>,
}

/// Reads a file. Objects without a text, such as headings, are left out.
pub(super) fn read(text: &str) -> Found {
    let body = text.trim_start_matches('\u{feff}');
    let offset = text.len() - body.len();
    let mut reader = Reader::from_str(body);
    let mut file = File::default();
    let mut is_reqif = false;
    loop {
        let position = |at: u64| offset + usize::try_from(at).unwrap_or(0);
        let start = position(reader.buffer_position());
        let event = reader.read_event();
        let span = Span { start, end: position(reader.buffer_position()).max(start + 1) };
        let wrong = |e: &dyn std::fmt::Display| (span, format!("this is no XML: {e}"));
        match event.map_err(|e| wrong(&e))? {
            Event::Eof => break,
            Event::Start(tag) => {
                is_reqif |= tag.local_name().as_ref() == b"REQ-IF";
                file.start(&tag, span);
            }
            Event::Empty(tag) => {
                file.start(&tag, span);
                file.end(tag.local_name().as_ref());
            }
            Event::End(tag) => file.end(tag.local_name().as_ref()),
            Event::Text(piece) => file.push(&piece.decode().map_err(|e| wrong(&e))?),
            Event::CData(piece) => file.push(&piece.decode().map_err(|e| wrong(&e))?),
            Event::GeneralRef(name) => {
                let named = name.decode().map_err(|e| wrong(&e))?;
                match (name.resolve_char_ref().map_err(|e| wrong(&e))?, resolve_predefined_entity(&named)) {
                    (Some(c), _) => file.push(c.encode_utf8(&mut [0; 4])),
                    (None, Some(text)) => file.push(text),
                    (None, None) => return Err(wrong(&format!("&{named}; is not defined"))),
                }
            }
            _ => {}
        }
    }
    if !is_reqif {
        return Err((Span { start: 0, end: 1 }, "this is no ReqIF: it has no element REQ-IF".to_owned()));
    }
    file.requirements()
}

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> String {
    let found = tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == name);
    let text = found.map(|a| String::from_utf8_lossy(&a.value).into_owned()).unwrap_or_default();
    unescape(&text).map(|t| t.trim().to_owned()).unwrap_or(text)
}

impl File {
    fn start(&mut self, tag: &BytesStart<'_>, span: Span) {
        let local = tag.local_name();
        let local = local.as_ref();
        if let Some(capture) = &mut self.capture {
            capture.inside += usize::from(capture.element == local);
            if LINES.contains(&local) {
                capture.text.push('\n');
            }
            return;
        }
        let is_reference = local.ends_with(b"-REF");
        let capture = Capture { element: local.to_owned(), inside: 0, text: String::new() };
        match local {
            b"SPEC-OBJECT" => {
                self.object = Some(Object { span, identifier: attribute(tag, b"IDENTIFIER"), values: Vec::new() });
            }
            b"ENUM-VALUE" => drop(self.choices.insert(attribute(tag, b"IDENTIFIER"), attribute(tag, b"LONG-NAME"))),
            b"THE-VALUE" | b"ENUM-VALUE-REF" if self.value.is_some() => self.capture = Some(capture),
            _ if local.starts_with(b"ATTRIBUTE-DEFINITION-") && is_reference => {
                self.capture = self.value.is_some().then_some(capture);
            }
            _ if local.starts_with(b"ATTRIBUTE-DEFINITION-") => {
                self.names.insert(attribute(tag, b"IDENTIFIER"), attribute(tag, b"LONG-NAME"));
            }
            // Default values of definitions stand outside of objects.
            _ if local.starts_with(b"ATTRIBUTE-VALUE-") && self.object.is_some() => {
                self.value = Some(ObjectValue { text: attribute(tag, b"THE-VALUE"), ..ObjectValue::default() });
            }
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(capture) = &mut self.capture {
            capture.text.push_str(text);
        }
    }

    fn end(&mut self, local: &[u8]) {
        if let Some(mut capture) = self.capture.take_if(|c| c.element == local && c.inside == 0) {
            let Some(value) = &mut self.value else { return };
            let text = std::mem::take(&mut capture.text);
            match local {
                b"THE-VALUE" => value.text = lines(&text),
                b"ENUM-VALUE-REF" => value.chosen.push(text.trim().to_owned()),
                _ => text.trim().clone_into(&mut value.definition),
            }
            return;
        }
        if let Some(capture) = &mut self.capture {
            capture.inside -= usize::from(capture.element == local);
            return;
        }
        match local {
            b"SPEC-OBJECT" => self.objects.extend(self.object.take()),
            _ if local.starts_with(b"ATTRIBUTE-VALUE-") => {
                if let (Some(value), Some(object)) = (self.value.take(), &mut self.object) {
                    object.values.push(value);
                }
            }
            _ => {}
        }
    }

    /// The objects that have a text, with what their attributes mean.
    fn requirements(self) -> Found {
        let mut found = Vec::new();
        for object in &self.objects {
            let mut one = Requirement::default();
            for (field, names) in FIELDS {
                if let (Some(text), Some(slot)) = (self.value(object, field, names)?, one.field(field)) {
                    *slot = text;
                }
            }
            match (one.id.is_empty(), one.text.is_empty()) {
                (_, true) => {}
                (true, false) => {
                    let message = format!("the object {} has a text and no id", quote(&object.identifier));
                    return Err((object.span, message + &self.seen()));
                }
                (false, false) => found.push((object.span, one)),
            }
        }
        match found.is_empty() {
            true => Err((Span { start: 0, end: 1 }, format!("no object has a text{}", self.seen()))),
            false => Ok(found),
        }
    }

    /// What an object says of a field: by the first of the names by which it says something.
    fn value(&self, object: &Object, field: &str, names: &[&str]) -> Result<Option<String>, (Span, String)> {
        for name in names {
            let is_it = |value: &&ObjectValue| self.names.get(&value.definition).is_some_and(|n| plain(n) == *name);
            let said: Vec<String> = object.values.iter().filter(is_it).map(|v| self.text(v)).collect();
            let mut said = said.into_iter().filter(|text| !text.is_empty());
            match (said.next(), said.next()) {
                (Some(_), Some(_)) => {
                    let message = format!("the object {} has two values of {field}", quote(&object.identifier));
                    return Err((object.span, message));
                }
                (Some(text), None) => return Ok(Some(text)),
                (None, _) => {}
            }
        }
        Ok(None)
    }

    fn text(&self, value: &ObjectValue) -> String {
        if value.chosen.is_empty() {
            return value.text.clone();
        }
        let name = |id: &String| self.choices.get(id).filter(|name| !name.is_empty()).unwrap_or(id).clone();
        value.chosen.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// The attributes of the file, for a message.
    fn seen(&self) -> String {
        let names: BTreeSet<&str> = self.names.values().map(String::as_str).filter(|n| !n.is_empty()).collect();
        match names.is_empty() {
            true => "; its attributes have no names (LONG-NAME)".to_owned(),
            false => {
                let names: Vec<String> = names.into_iter().map(quote).collect();
                format!("; the file has the attributes {}", names.join(", "))
            }
        }
    }
}

/// A name without case, spaces, hyphens and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// A text with single spaces, and the lines that it has.
fn lines(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::read;

    /// A file with a type that has attributes, and objects with values.
    fn file(attributes: &[(&str, &str)], objects: &[&str]) -> String {
        let definition = |(id, name): &(&str, &str)| {
            format!(
                "<ATTRIBUTE-DEFINITION-STRING IDENTIFIER=\"{id}\" LONG-NAME=\"{name}\"><DEFAULT-VALUE><ATTRIBUTE-VALUE-STRING THE-VALUE=\"none\"/></DEFAULT-VALUE></ATTRIBUTE-DEFINITION-STRING>"
            )
        };
        let object = |(k, values): (usize, &&str)| {
            format!(
                "<SPEC-OBJECT IDENTIFIER=\"o{k}\"><TYPE><SPEC-OBJECT-TYPE-REF>t</SPEC-OBJECT-TYPE-REF></TYPE><VALUES>{values}</VALUES></SPEC-OBJECT>\n"
            )
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REQ-IF xmlns=\"http://www.omg.org/spec/ReqIF/20110401/reqif.xsd\"><CORE-CONTENT><REQ-IF-CONTENT>\n\
             <DATATYPES><DATATYPE-DEFINITION-ENUMERATION IDENTIFIER=\"d\"><SPECIFIED-VALUES><ENUM-VALUE IDENTIFIER=\"e1\" LONG-NAME=\"DAL B\"><PROPERTIES/></ENUM-VALUE></SPECIFIED-VALUES></DATATYPE-DEFINITION-ENUMERATION></DATATYPES>\n\
             <SPEC-TYPES><SPEC-OBJECT-TYPE IDENTIFIER=\"t\"><SPEC-ATTRIBUTES>{}</SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE></SPEC-TYPES>\n\
             <SPEC-OBJECTS>\n{}</SPEC-OBJECTS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>\n",
            attributes.iter().map(definition).collect::<String>(),
            objects.iter().enumerate().map(object).collect::<String>()
        )
    }

    fn string(id: &str, value: &str) -> String {
        format!(
            "<ATTRIBUTE-VALUE-STRING THE-VALUE=\"{value}\"><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>{id}</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING>"
        )
    }

    const NAMES: [(&str, &str); 4] =
        [("a", "ReqIF.ForeignID"), ("b", "ReqIF.Text"), ("c", "Assurance Level"), ("d", "Verification Method")];

    #[test]
    fn objects_with_a_text_are_requirements() {
        let rich = "<ATTRIBUTE-VALUE-XHTML><DEFINITION><ATTRIBUTE-DEFINITION-XHTML-REF>b</ATTRIBUTE-DEFINITION-XHTML-REF></DEFINITION>\
                    <THE-VALUE><xhtml:div xmlns:xhtml=\"x\">Below 0 &#176;C,<xhtml:br/>  a <xhtml:b>warning</xhtml:b>\n is &lt; 1 s away.</xhtml:div></THE-VALUE></ATTRIBUTE-VALUE-XHTML>";
        let level = "<ATTRIBUTE-VALUE-ENUMERATION><DEFINITION><ATTRIBUTE-DEFINITION-ENUMERATION-REF>c</ATTRIBUTE-DEFINITION-ENUMERATION-REF></DEFINITION>\
                     <VALUES><ENUM-VALUE-REF>e1</ENUM-VALUE-REF></VALUES></ATTRIBUTE-VALUE-ENUMERATION>";
        let first = string("a", "R-1") + rich + level;
        let second =
            string("b", "Five &amp; more.") + &string("a", "R-2") + &string("d", "test") + &string("z", "other");
        // A heading has no text.
        let text = file(&NAMES, &[&first, &string("a", "H-1"), &second]);
        for text in [text.clone(), format!("\u{feff}{text}")] {
            let found: Vec<_> = read(&text).unwrap().into_iter().map(|(_, one)| one).collect();
            let said: Vec<[&str; 4]> = found.iter().map(|r| [&*r.id, &*r.text, &*r.level, &*r.method]).collect();
            assert_eq!(
                said,
                [["R-1", "Below 0 °C, a warning is < 1 s away.", "DAL B", ""], ["R-2", "Five & more.", "", "test"]]
            );
        }
        // The name of the guide counts before one in use.
        let both = file(
            &[("a", "ID"), ("b", "ReqIF.Text"), ("c", "Description")],
            &[&(string("a", "R") + &string("c", "no") + &string("b", "yes"))],
        );
        assert_eq!(read(&both).unwrap()[0].1.text, "yes");
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_place() {
        let line = |text: &str, at: usize| text[..at].matches('\n').count() + 1;
        for (text, said, place) in [
            (
                file(&NAMES, &[&string("a", "H-1")]),
                "no object has a text; the file has the attributes `Assurance Level`",
                1,
            ),
            (file(&NAMES, &[&string("a", "H"), &string("b", "Text")]), "the object `o1` has a text and no id", 7),
            (file(&NAMES, &[&(string("a", "R") + &string("b", "x") + &string("b", "y"))]), "two values of text", 6),
            (
                file(&[("a", ""), ("b", "")], &[&(string("a", "R") + &string("b", "x"))]),
                "its attributes have no names",
                1,
            ),
            ("<a/>".to_owned(), "this is no ReqIF", 1),
            ("<REQ-IF>\n<b></c></REQ-IF>".to_owned(), "this is no XML", 2),
            (
                "<REQ-IF><SPEC-OBJECT><ATTRIBUTE-VALUE-XHTML><THE-VALUE>\n&nbsp;</THE-VALUE>".to_owned(),
                "&nbsp; is not defined",
                2,
            ),
        ] {
            let (span, message) = read(&text).unwrap_err();
            assert!(message.contains(said), "{message}");
            assert_eq!(line(&text, span.start), place, "{message}");
        }
    }
}
