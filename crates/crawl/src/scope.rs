//! What belongs to the site, and which of its URLs are wanted.

use model::Plan;
use model::address::origin_of;
use std::collections::HashSet;

/// The scope of one crawl. Hosts are compared whole, never by suffix of text.
pub(crate) struct SiteScope {
    /// Host names with their port when it is not the scheme's own, lower case.
    names: HashSet<Box<str>>,
    /// Registered as `.example.com`: every host that ends so is internal (option *subdomains*).
    suffixes: Vec<Box<str>>,
    /// Folders of the seeds, when only these are crawled.
    folders: Vec<String>,
    rules: Vec<model::plan::ScopeRule>,
    has_include: bool,
}

/// Host and port of an origin without the scheme.
pub(crate) fn name_of(origin: &str) -> &str {
    let name = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    name.rsplit_once('@').map_or(name, |(_, host)| host)
}

impl SiteScope {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut names: HashSet<Box<str>> = HashSet::new();
        let mut suffixes = Vec::new();
        for seed in &plan.seeds {
            let origin = seed.origin();
            names.insert(name_of(&origin).into());
            if plan.scope.subdomains {
                suffixes.push(format!(".{}", without_www(name_of(&origin))).into_boxed_str());
            }
        }
        names.extend(plan.scope.extra_hosts.iter().map(|host| host.clone().into_boxed_str()));
        let folders = if plan.scope.start_folder_only {
            plan.seeds.iter().map(|seed| folder_of(seed.as_str())).collect()
        } else {
            Vec::new()
        };
        let rules = plan.scope.rules.clone();
        let has_include = rules.iter().any(|rule| rule.include);
        Self { names, suffixes, folders, rules, has_include }
    }

    /// Whether an origin belongs to the site.
    pub(crate) fn is_internal(&self, origin: &str) -> bool {
        let name = name_of(origin);
        self.names.contains(name)
            || self.suffixes.iter().any(|suffix| name.ends_with(&**suffix) || name == &suffix[1..])
    }

    /// Takes the `www.` or apex twin of a start host into the site, once one redirects to the other. True when it was new.
    pub(crate) fn adopt_twin(&mut self, from_origin: &str, to_origin: &str) -> bool {
        let (from, to) = (name_of(from_origin), name_of(to_origin));
        from != to
            && without_www(from) == without_www(to)
            && self.names.contains(from)
            && self.names.insert(to.into())
    }

    /// Takes the host of an origin into the site that an earlier run of the crawl took in.
    pub(crate) fn readopt(&mut self, origin: &str) {
        self.names.insert(name_of(origin).into());
    }

    /// The rule that keeps an internal URL out, in words, if one does.
    pub(crate) fn excluded_by(&self, url: &str) -> Option<String> {
        if !self.folders.is_empty() && !self.folders.iter().any(|folder| same_site_prefix(url, folder)) {
            return Some("outside the start folder".to_owned());
        }
        for rule in &self.rules {
            if rule.pattern.is_match(url) {
                return (!rule.include).then(|| format!("exclude: {}", rule.pattern.as_str()));
            }
        }
        self.has_include.then(|| "no include rule matches".to_owned())
    }
}

fn without_www(name: &str) -> &str {
    name.strip_prefix("www.").unwrap_or(name)
}

/// The URL up to and with the last slash of its path.
fn folder_of(url: &str) -> String {
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    let origin = origin_of(url).len();
    let cut = url[origin..path_end].rfind('/').map_or(path_end, |at| origin + at + 1);
    url[..cut].to_owned()
}

/// Prefix test that lets http and https of one host be the same folder.
fn same_site_prefix(url: &str, folder: &str) -> bool {
    let strip = |text: &str| text.split_once("://").map_or(0, |(scheme, _)| scheme.len());
    url[strip(url)..].starts_with(&folder[strip(folder)..])
}

/// Path endings whose answers are not HTML: such a link is asked with HEAD first.
pub(crate) fn looks_non_html(url: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "7z",
        "aac",
        "apk",
        "avi",
        "avif",
        "bin",
        "bmp",
        "bz2",
        "css",
        "csv",
        "dmg",
        "doc",
        "docx",
        "eot",
        "eps",
        "epub",
        "exe",
        "flac",
        "gif",
        "gz",
        "ico",
        "ics",
        "iso",
        "jar",
        "jpeg",
        "jpg",
        "js",
        "json",
        "m4a",
        "m4v",
        "map",
        "mjs",
        "mkv",
        "mov",
        "mp3",
        "mp4",
        "mpeg",
        "mpg",
        "msi",
        "odp",
        "ods",
        "odt",
        "ogg",
        "ogv",
        "otf",
        "pdf",
        "pkg",
        "png",
        "ppt",
        "pptx",
        "ps",
        "rar",
        "rpm",
        "rss",
        "rtf",
        "svg",
        "svgz",
        "tar",
        "tgz",
        "tif",
        "tiff",
        "ttf",
        "txt",
        "vcf",
        "wasm",
        "wav",
        "webm",
        "webmanifest",
        "webp",
        "wmv",
        "woff",
        "woff2",
        "xls",
        "xlsx",
        "xml",
        "xz",
        "zip",
    ];
    let path = &url[origin_of(url).len()..];
    let path = &path[..path.find('?').unwrap_or(path.len())];
    let last = path.rsplit('/').next().unwrap_or_default();
    let Some((_, ending)) = last.rsplit_once('.') else { return false };
    ending.len() <= 11 && ENDINGS.binary_search(&ending.to_ascii_lowercase().as_str()).is_ok()
}

/// A discovered URL without the query parameters the plan drops.
pub(crate) fn drop_parameters(url: &str, names: &[String]) -> Option<String> {
    let at = url.find('?')?;
    let (head, query) = (&url[..at], &url[at + 1..]);
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !names.iter().any(|name| pair.split('=').next().is_some_and(|key| key == name)))
        .collect();
    if kept.len() == query.split('&').count() {
        return None;
    }
    Some(if kept.is_empty() { head.to_owned() } else { format!("{head}?{}", kept.join("&")) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_sorted_and_read_from_the_path() {
        for (url, expect) in [
            ("http://a/x.pdf", true),
            ("http://a/x.PDF?y=1", true),
            ("http://a.png/", false),
            ("http://a/x.html", false),
            ("http://a/v1.2/", false),
            ("http://a/x?file=y.zip", false),
            ("http://a/a.woff2", true),
            ("http://a/a.7z", true),
        ] {
            assert_eq!(looks_non_html(url), expect, "{url}");
        }
    }

    #[test]
    fn folders_and_parameters() {
        assert_eq!(folder_of("http://a/b/c.html?x=/d"), "http://a/b/");
        assert_eq!(folder_of("http://a/"), "http://a/");
        assert!(same_site_prefix("https://a/b/d", "http://a/b/"));
        assert!(!same_site_prefix("http://a/bc", "http://a/b/"));
        let names = vec!["utm_source".to_owned(), "sid".to_owned()];
        assert_eq!(
            drop_parameters("http://a/?sid=1&x=2&utm_source=3", &names).as_deref(),
            Some("http://a/?x=2")
        );
        assert_eq!(drop_parameters("http://a/?sid=1", &names).as_deref(), Some("http://a/"));
        assert_eq!(drop_parameters("http://a/?x=2&sids=1", &names), None);
    }
}
