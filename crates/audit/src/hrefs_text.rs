//! What a raw href or an anchor text gives away.
//!
//! These look at one text only and are asked once per distinct text of a project.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The scheme of an href by the URL standard's rule, as written; `None` for relative references.
pub(crate) fn scheme(href: &str) -> Option<&str> {
    let href = href.trim_matches(|c: char| c <= ' ');
    let (scheme, _) = href.split_once(':')?;
    let well_formed = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    well_formed.then_some(scheme)
}

fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// An href that cannot be parsed and is meant for the web: relative, or http(s).
pub(crate) fn is_meant_for_the_web(href: &str) -> bool {
    scheme(href).is_none_or(is_web)
}

/// Schemes that are http or https with a slip of the finger.
const SLIPS: &[&str] = &[
    "htt", "htp", "ttp", "tp", "hhttp", "htttp", "httpp", "htpp", "hhtp", "hppt", "thtp", "httl", "httpd",
    "htts", "htps", "ttps", "hhttps", "htttps", "httpss", "htpps", "hhtps", "hppts", "httsp", "https1",
];

/// `http:/x`, `http:///x`, `htt://x`: browsers may guess what was meant, other programs do not.
pub(crate) fn is_misspelt(href: &str) -> bool {
    let href = href.trim_matches(|c: char| c <= ' ');
    let Some(scheme) = scheme(href) else { return false };
    let rest = &href[scheme.len() + 1..];
    if is_web(scheme) {
        let slashes = rest.bytes().take_while(|b| matches!(b, b'/' | b'\\')).count();
        return slashes != 2 || !rest.starts_with("//");
    }
    rest.starts_with("//") && SLIPS.iter().any(|slip| scheme.eq_ignore_ascii_case(slip))
}

/// Leading or trailing white space, or white space within a web address or path.
pub(crate) fn has_whitespace(href: &str) -> bool {
    if !is_meant_for_the_web(href) {
        return false;
    }
    let trimmed = href.trim_matches(|c: char| c <= ' ');
    !trimmed.is_empty() && (trimmed.len() != href.len() || trimmed.contains([' ', '\t', '\n', '\r']))
}

pub(crate) fn is_blank(href: &str) -> bool {
    href.trim_matches(|c: char| c <= ' ').is_empty()
}

/// `file:` addresses and paths of Windows file servers.
pub(crate) fn is_file(href: &str) -> bool {
    let trimmed = href.trim_matches(|c: char| c <= ' ');
    scheme(trimmed).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
        || trimmed.starts_with("\\\\")
        || has_drive(trimmed)
}

fn has_drive(href: &str) -> bool {
    let bytes = href.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'\\'
}

/// `www.example.com/…` without a scheme: a relative path to browsers.
pub(crate) fn lacks_scheme(href: &str) -> bool {
    let href = href.trim_matches(|c: char| c <= ' ');
    if href.len() < 8 || !href.is_char_boundary(4) || !href[..4].eq_ignore_ascii_case("www.") {
        return false;
    }
    let host = href.split(['/', '?', '#']).next().unwrap_or_default();
    let last = host.rsplit('.').next().unwrap_or_default();
    let labels = host.split('.').count();
    labels >= 3
        && last.len() >= 2
        && last.bytes().all(|b| b.is_ascii_alphabetic())
        // `www.example.html` is a file of that name.
        && !["html", "htm", "php", "asp", "aspx", "jsp", "pdf", "xml", "txt"].iter().any(|ending| last.eq_ignore_ascii_case(ending))
}

/// Texts that say nothing about where a link leads, by language: English, German, French, Spanish, Italian, Dutch, Portuguese,
/// Polish. Lower case. Single words that are names elsewhere (“this”, “go”, “link” in manuals) are not among them.
const GENERIC: &[&str] = &[
    "click here",
    "click this",
    "click this link",
    "here",
    "this page",
    "this link",
    "more",
    "read more",
    "learn more",
    "see more",
    "view more",
    "find out more",
    "more info",
    "more information",
    "more details",
    "continue reading",
    "download here", //
    "hier",
    "hier klicken",
    "klicken sie hier",
    "klick hier",
    "mehr",
    "mehr erfahren",
    "mehr lesen",
    "weiterlesen",
    "mehr infos",
    "mehr informationen",
    "mehr dazu",
    "zum artikel",
    "diese seite",
    "dieser link", //
    "ici",
    "cliquez ici",
    "cliquer ici",
    "en savoir plus",
    "lire la suite",
    "lire plus",
    "plus d'infos",
    "voir plus", //
    "aquí",
    "haga clic aquí",
    "haz clic aquí",
    "clic aquí",
    "leer más",
    "ver más",
    "saber más",
    "más información", //
    "qui",
    "clicca qui",
    "leggi di più",
    "leggi tutto",
    "scopri di più",
    "continua a leggere", //
    "klik hier",
    "lees meer",
    "lees verder",
    "meer",
    "meer informatie",
    "meer info", //
    "aqui",
    "clique aqui",
    "leia mais",
    "saiba mais",
    "ver mais", //
    "tutaj",
    "kliknij tutaj",
    "więcej",
    "czytaj więcej",
    "czytaj dalej",
    "dowiedz się więcej",
];

/// The longest of `GENERIC` in bytes, with room for the arrows and dots that stand around such texts.
const GENERIC_BYTES: usize = 36;

pub(crate) fn is_generic(text: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| GENERIC.iter().copied().collect());
    if text.len() > GENERIC_BYTES {
        return false;
    }
    // Arrows, dots and quotes around it change nothing; other signs do: `--here` is an option of a program.
    let bare = text.trim_matches(|c: char| c.is_whitespace() || ".…!:,;()[]\"'“”„«»‹›<>→←▶►➔➜⟶".contains(c));
    KNOWN.contains(&*bare.to_lowercase())
}

/// An alt text that is the name of an image file.
pub(crate) fn is_file_name(text: &str) -> bool {
    let text = text.trim();
    let Some((name, ending)) = text.rsplit_once('.') else { return false };
    let known = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "ico"];
    !name.is_empty() && !name.contains(' ') && known.iter().any(|image| ending.eq_ignore_ascii_case(image))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        let check = |what: &str, holds: fn(&str) -> bool, yes: &[&str], no: &[&str]| {
            for text in yes {
                assert!(holds(text), "{what} must hold for {text:?}");
            }
            for text in no {
                assert!(!holds(text), "{what} must not hold for {text:?}");
            }
        };
        check(
            "misspelt",
            is_misspelt,
            &["http:/x", "https:x", "HTTP:///x", "htt://x.example", "ttps://x", "http:\\\\x"],
            &[
                "http://x",
                "https://x",
                "x",
                "mailto:a@b.c",
                "ht://x",
                "tel:123",
                "//x",
                "ftp://x",
                "http",
                "",
            ],
        );
        check(
            "white space",
            has_whitespace,
            &[" /a", "/a ", "/a b", "/a\nb", "http://x/a b"],
            &["/a", "", "  ", "mailto:a@b.c?subject=a b", "javascript: void 0", "/a%20b"],
        );
        check("blank", is_blank, &["", " ", "\n\t"], &["#", "a"]);
        check(
            "file",
            is_file,
            &["file:///c:/x", "FILE:x", "\\\\server\\share", "C:\\x.doc"],
            &["/file:", "\\x", "c:x", "profile:x"],
        );
        check(
            "no scheme",
            lacks_scheme,
            &["www.example.com", "WWW.example.org/a?b", " www.example.co.uk/x"],
            &[
                "www.html",
                "www.example.html",
                "example.com",
                "/www.example.com",
                "http://www.example.com",
                "www.exa",
                "wwwéé.x.com",
            ],
        );
        check(
            "generic",
            is_generic,
            &["Click here", "here", "Read more…", "» mehr", "HIER", "Lire la suite →", "aquí"],
            &["Read more about bees", "", "Hereford", "…", "the price list", "--more", "#here"],
        );
        check(
            "file name",
            is_file_name,
            &["IMG_1234.JPG", "logo.svg", "a-b.webp"],
            &["", "A photo of a.jpg", "logo", ".png", "v1.2", "Foto von example.com"],
        );
        check(
            "meant for the web",
            is_meant_for_the_web,
            &["http://[x", "//[x", "/a", "Https://:99999", "1:b"],
            &["mailto:[", "foo://[x"],
        );
    }
}
