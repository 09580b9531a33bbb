//! What a page weighs with what browsers load to show it, as far as the crawl knows the sizes.
//!
//! A file counts once a page, by the bytes of its body or those that its server announced; where it redirects, by those at the end.
//! Not counted is what is loaded later or by some browsers only: media, frames, the other sources of an image, what scripts load,
//! icons for home screens and pinned tabs.

use crate::findings::Inserts;
use model::LinkKind;
use store::{StoreError, Writer, key_range};

/// Sizes of the URLs of a crawl, and what pages weigh. 8 bytes a URL of the project.
pub(crate) struct Weights {
    /// By number of URL; 0 where it is not known.
    sizes: Vec<Size>,
    /// Of the page that is read.
    files: Files,
    inserts: Inserts,
}

#[derive(Debug, Clone, Copy, Default)]
struct Size {
    /// Of sizes beyond four gigabytes it does not matter how far beyond.
    bytes: u32,
    /// The page that it was counted for last.
    page: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Files {
    bytes: u64,
    count: i64,
    /// Number and bytes of the largest; of equal ones the first.
    largest: (u32, u32),
}

/// SQL over `link_shape`: the link names something that is loaded to show the page.
pub(crate) fn loaded_sql(kind: &str) -> String {
    use LinkKind::{Font, Icon, Image, Object, Preload, Script, Style};
    let kinds: Vec<String> = [Image, Script, Style, Font, Icon, Preload, Object]
        .iter()
        .map(|kind| kind.code().to_string())
        .collect();
    // Of icons only those of tabs are loaded with the page: “icon”, “shortcut icon”.
    format!(
        "({kind} IN ({}) AND noscript = 0 AND element NOT LIKE '%srcset]' AND element NOT LIKE '%[data-%'
          AND ({kind} <> {} OR ' ' || rel || ' ' LIKE '% icon %'))",
        kinds.join(", "),
        Icon.code()
    )
}

impl Weights {
    /// Needs the chains of the crawl. What pages weighed before is forgotten.
    pub(crate) fn read(writer: &mut Writer, crawl: i64) -> Result<Self, StoreError> {
        let (first, last) = key_range(crawl);
        let range = [first.into(), last.into()];
        let mut sizes = vec![Size::default(); writer.known_urls() as usize + 1];
        let sql = "SELECT a.key & 4294967295, CASE WHEN c.key IS NULL THEN a.bytes ELSE f.bytes END FROM answer a
             LEFT JOIN chain c ON c.key = a.key LEFT JOIN answer f ON f.key = (a.key >> 32 << 32) | c.final
             WHERE a.key BETWEEN ?1 AND ?2 AND coalesce(f.status, a.status) BETWEEN 200 AND 299 AND c.loop IS NOT 1";
        writer.rows(sql, &range, &mut |row| {
            if let Some(size) = sizes.get_mut(row.int(0) as usize) {
                size.bytes = u32::try_from(row.int(1)).unwrap_or(u32::MAX);
            }
            Ok(())
        })?;
        writer.run("DELETE FROM page_weight WHERE key BETWEEN ?1 AND ?2", &range)?;
        let inserts = Inserts::new("INSERT INTO page_weight(key, bytes, files, largest, largest_bytes)", 5);
        Ok(Self { sizes, files: Files::default(), inserts })
    }

    /// A file that a page loads.
    pub(crate) fn file(&mut self, page: u32, file: i64) {
        let Ok(file) = u32::try_from(file) else { return };
        let Some(size) = self.sizes.get_mut(file as usize) else { return };
        if size.bytes == 0 || size.page == page || file == page {
            return;
        }
        size.page = page;
        self.files.bytes += u64::from(size.bytes);
        self.files.count += 1;
        if size.bytes > self.files.largest.1 {
            self.files.largest = (file, size.bytes);
        }
    }

    /// All files of the page are told.
    pub(crate) fn end(&mut self, writer: &mut Writer, crawl: i64, page: u32) -> Result<(), StoreError> {
        let files = std::mem::take(&mut self.files);
        if files.count == 0 {
            return Ok(());
        }
        let own = self.sizes.get(page as usize).map_or(0, |size| size.bytes);
        let bytes = i64::try_from(files.bytes + u64::from(own)).unwrap_or(i64::MAX);
        let (largest, largest_bytes) = files.largest;
        let row = [store::key(crawl, page), bytes, files.count, i64::from(largest), i64::from(largest_bytes)];
        self.inserts.add(writer, &row)
    }

    pub(crate) fn finish(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        self.inserts.finish(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_shows_the_page_is_loaded() {
        let mut writer = crate::scene::writer();
        let mut check = |kind: LinkKind, rel: &str, element: &str, expect: bool| {
            let sql = format!(
                "SELECT {} FROM (SELECT {} AS code, 0 AS noscript, '{rel}' AS rel, '{element}' AS element)",
                loaded_sql("code"),
                kind.code()
            );
            let mut loaded = None;
            writer
                .rows(&sql, &[], &mut |row| {
                    loaded = Some(row.int(0) != 0);
                    Ok(())
                })
                .unwrap();
            assert_eq!(loaded, Some(expect), "{kind:?} {rel} {element}");
        };
        check(LinkKind::Icon, "icon", "link", true);
        check(LinkKind::Icon, "shortcut icon", "link", true);
        check(LinkKind::Icon, "apple-touch-icon icon", "link", true);
        for rel in ["apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon"] {
            check(LinkKind::Icon, rel, "link", false);
        }
        check(LinkKind::Manifest, "manifest", "link", false);
        check(LinkKind::Style, "stylesheet", "link", true);
        check(LinkKind::Image, "", "img", true);
        check(LinkKind::Image, "", "img[srcset]", false);
        check(LinkKind::Image, "", "img[data-src]", false);
    }
}
