//! The options for a document: those of the nearest `magneto.toml`, upward from its folder.

use crate::cli::flags::Toml;
use crate::cli::sources;
use magneto::options::Settings;
use std::path::Path;

/// The options for the specifications of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentSettings(Settings);

impl DocumentSettings {
    /// For the documents of a folder, or what is wrong with its `magneto.toml`.
    pub(super) fn of_folder(folder: &Path) -> Result<Self, String> {
        let toml = Toml::nearest_to(folder).map_err(|failure| failure.why())?;
        Ok(DocumentSettings(toml.map_or_else(Settings::default, |toml| toml.settings)))
    }

    /// The options for the FPCore of these names in a file.
    pub(super) fn of(&self, path: &str, labels: &[String]) -> Settings {
        self.0.of_specification(|section| sources::is_meant(&section.about, path, labels))
    }
}
