//! What became of a function, and the files that say so.

use magneto::record::cover::CoveredFunction;
use magneto::record::json;
use magneto::record::proved::MODULE_FILE;
use magneto::record::store::{self, Files};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files of a function.
pub(super) const FILES: [&str; 5] = ["cover.json", "cover.csv", "report.html", "tests.csv", MODULE_FILE];

/// What became of one function.
#[derive(Serialize, Deserialize)]
pub(in crate::cli) struct Covered {
    pub(super) document: CoveredFunction,
    /// Its files by name, but for the document and the module.
    pub(super) texts: BTreeMap<String, String>,
    /// The module that the document names, which functions of one build share.
    #[serde(serialize_with = "serialize_bytes", deserialize_with = "deserialize_bytes")]
    pub(super) module: Arc<[u8]>,
}

fn serialize_bytes<S: Serializer>(bytes: &Arc<[u8]>, to: S) -> Result<S::Ok, S::Error> {
    bytes.as_ref().serialize(to)
}

fn deserialize_bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<[u8]>, D::Error> {
    Vec::deserialize(from).map(Vec::into)
}

impl Covered {
    /// Its files by name; with `shared` the module is that file, and none of these.
    pub(super) fn files(&self, shared: Option<&str>) -> Files {
        let mut files: Files =
            self.texts.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        let mut document = self.document.clone();
        if let Some(module) = &mut document.module {
            match shared {
                Some(file) => file.clone_into(&mut module.file),
                None => drop(files.insert(module.file.clone(), self.module.to_vec())),
            }
        }
        files.insert("cover.json".to_owned(), json::document(&document));
        files
    }
}

/// The files of all functions: of one in the folder itself, of several in a folder for each, with `document` about all of them.
pub(super) fn files(covered: &[Covered], document: &[u8]) -> Files {
    let mut files = Files::new();
    let folders = match covered {
        [_] => vec![String::new()],
        all => {
            files.insert("cover.json".to_owned(), document.to_vec());
            let names = store::folders(all.iter().map(|c| c.document.function.as_str()));
            names.into_iter().map(|name| name + "/").collect()
        }
    };
    // Functions of one build have one module.
    let mut modules = covered.iter().filter(|c| c.document.module.is_some()).map(|c| &c.module);
    let shared = modules.next().filter(|first| covered.len() > 1 && modules.all(|m| m == *first));
    files.extend(shared.map(|module| (MODULE_FILE.to_owned(), module.to_vec())));
    let above = format!("../{MODULE_FILE}");
    for (own, one) in folders.iter().zip(covered) {
        let files_of_one = one.files(shared.is_some().then_some(above.as_str()));
        files.extend(files_of_one.into_iter().map(|(name, bytes)| (format!("{own}{name}"), bytes)));
    }
    files
}
