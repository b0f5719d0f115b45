//! Documents as text. Floating-point numbers in them are strings: hexadecimal where they are exact.

use crate::text::is_hidden;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::borrow::Cow;

/// A file of a run's folder that is a JSON document. Its schema, with the version, is the first field of the file.
pub trait Document: Serialize + JsonSchema {
    /// The schema with its version. Another version is another schema: what is written differently is not guessed at.
    const SCHEMA: &'static str;
    /// The command that writes it.
    const WRITER: &'static str = "gen";
}

impl<D: Document> Document for &D {
    const SCHEMA: &'static str = D::SCHEMA;
    const WRITER: &'static str = D::WRITER;
}

/// A document with its schema, as it stands in its file.
#[derive(Clone, Debug)]
pub struct Versioned<D>(pub D);

impl<D: Document> Serialize for Versioned<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a, D> {
            schema: &'static str,
            #[serde(flatten)]
            document: &'a D,
        }
        Whole { schema: D::SCHEMA, document: &self.0 }.serialize(serializer)
    }
}

impl<'de, D: Deserialize<'de>> Deserialize<'de> for Versioned<D> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        D::deserialize(deserializer).map(Versioned)
    }
}

impl<D: Document> JsonSchema for Versioned<D> {
    fn schema_name() -> Cow<'static, str> {
        D::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = D::json_schema(generator);
        schema.ensure_object();
        let about = json!({ "const": D::SCHEMA, "description": "What this document is." });
        if let Some(whole) = schema.as_object_mut() {
            whole.entry("properties").or_insert_with(|| json!({}))["schema"] = about;
            if let Some(required) = whole.entry("required").or_insert_with(|| json!([])).as_array_mut() {
                required.insert(0, "schema".into());
            }
        }
        schema
    }
}

/// Why the text of a file is not the document.
#[derive(Debug)]
pub enum Unread {
    /// It is no JSON, or it lacks something.
    Damaged(serde_json::Error),
    /// It has this schema, empty if it has none.
    Schema(String),
}

/// Reads the text of a file.
///
/// # Errors
/// Where it is damaged, or that it has another schema.
pub fn read<D: Document + DeserializeOwned>(bytes: &[u8]) -> Result<D, Unread> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        schema: String,
    }
    let head: Head = serde_json::from_slice(bytes).map_err(Unread::Damaged)?;
    if head.schema != D::SCHEMA {
        return Err(Unread::Schema(head.schema));
    }
    serde_json::from_slice(bytes).map_err(Unread::Damaged)
}

/// The text of a file.
#[must_use]
pub fn document<D: Document>(document: &D) -> Vec<u8> {
    text(&Versioned(document))
}

/// Anything as text: indented, a line end after it, every character visible.
#[must_use]
pub fn text(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    seen(bytes)
}

/// A document in which characters that are not shown as themselves stand by their numbers, as in `"\u202e"`, which every
/// reader takes for the same text.
#[must_use]
pub(super) fn seen(document: Vec<u8>) -> Vec<u8> {
    // Of those in ASCII all but the last are escaped already.
    if document.iter().all(|b| *b < 0x7f) {
        return document;
    }
    let mut shown = String::with_capacity(document.len());
    for c in String::from_utf8_lossy(&document).chars() {
        if c < '\u{7f}' || !is_hidden(c) {
            shown.push(c);
            continue;
        }
        c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
    }
    shown.into_bytes()
}
