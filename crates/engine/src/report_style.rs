//! What a report bears, from the settings `report.*` of a profile.

use crate::error::EngineError;
use crate::settings::plan;
use model::settings::{Layer, SettingError, Start};
use report::{Brand, Logo};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Looks of the report of broken links. By default it bears no name.
#[derive(Debug, Clone)]
pub struct ReportStyle {
    pub brand: Brand,
    /// A CSV file begins with a byte order mark.
    pub csv_bom: bool,
}

impl Default for ReportStyle {
    fn default() -> Self {
        Self { brand: Brand::default(), csv_bom: true }
    }
}

/// Reads the style from a profile (a TOML file) and from settings said for this once, id and value as typed. A relative path
/// of the logo begins at the profile's folder, or at the current one where it was said for this once.
pub fn report_style(
    profile: Option<&Path>,
    overrides: &[(String, String)],
) -> Result<ReportStyle, EngineError> {
    let said = plan(Start::default(), profile, overrides)?.report;
    let for_this_once = overrides.iter().any(|(id, _)| id == "report.logo");
    let folder = profile.filter(|_| !for_this_once).and_then(Path::parent);
    let logo = match &said.logo {
        None => None,
        Some(path) => {
            Some(read_logo(&folder.map_or_else(|| path.clone(), |folder| folder.join(path))).map_err(
                |reason| {
                    let layer = if for_this_once { Layer::Run } else { Layer::Profile };
                    EngineError::Settings(vec![SettingError { id: "report.logo".to_owned(), reason, layer }])
                },
            )?)
        }
    };
    Ok(ReportStyle { brand: Brand { agency: said.agency, intro: said.intro, logo }, csv_bom: said.csv_bom })
}

/// The image, or a sentence that says why there is none.
fn read_logo(path: &PathBuf) -> Result<Logo, String> {
    let mut bytes = Vec::new();
    let read =
        std::fs::File::open(path).and_then(|file| file.take(Logo::LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    Logo::read(bytes).map_err(|fault| format!("{} {fault}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("logo.svg", SVG.as_bytes());
        write("large.png", &[0; 1_000_001]);
        write("text.png", b"no image");
        folder
    }

    fn style(folder: &Path, profile: &str, overrides: &[(&str, &str)]) -> Result<ReportStyle, EngineError> {
        let path = folder.join("agency.toml");
        std::fs::write(&path, format!("version = 1\n{profile}")).unwrap();
        let overrides: Vec<(String, String)> =
            overrides.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
        report_style(Some(&path), &overrides)
    }

    #[test]
    fn a_profile_brands_the_report() {
        let folder = folder();
        let said =
            "[report]\nagency = \"Adler\"\nlogo = \"logo.svg\"\nintro = \"\"\"\nOne.\n\nTwo.\n\"\"\"\n";
        let read =
            style(folder.path(), said, &[("report.agency", "Other"), ("report.csv_bom", "off")]).unwrap();
        assert_eq!((read.brand.agency.as_str(), read.brand.intro.as_str()), ("Other", "One.\n\nTwo."));
        assert_eq!(read.brand.logo, Some(Logo::Svg(SVG.as_bytes().to_vec())));
        assert!(!read.csv_bom);
        let default = report_style(None, &[]).unwrap();
        assert!(default.brand == Brand::default() && default.csv_bom);
    }

    #[test]
    fn a_wrong_logo_is_named_with_its_setting() {
        let folder = folder();
        let check = |logo: &str, expect: &str| {
            let said = format!("[report]\nlogo = \"{logo}\"\n");
            let error = style(folder.path(), &said, &[]).unwrap_err().to_string();
            assert!(error.contains("report.logo") && error.contains(expect), "{error}");
        };
        check("absent.png", "cannot be read");
        check("large.png", "larger than 1 MB");
        check("text.png", "not a PNG, JPEG or SVG");
        let error = style(folder.path(), "[report]\nlogo = 3\ncolour = \"red\"\n", &[]).unwrap_err();
        assert!(matches!(error, EngineError::Settings(errors) if errors.len() == 2));
    }
}
