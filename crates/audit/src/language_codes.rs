//! Language codes as hreflang takes them: ISO 639-1, then ISO 15924 and ISO 3166-1 where they are given.

use model::language::{LANGUAGES, REGIONS, is_listed};

/// ISO 15924: the scripts in which texts are written today.
const SCRIPTS: &str = "adlm arab armn bali batk beng bopo brai bugi cakm cans cham cher copt cyrl cyrs deva ethi geor grek gujr guru hang hani hanb hans hant hebr hira hrkt java \
 jpan kana khmr knda kore laoo latn lepc limb lisu mand mlym mong mtei mymr newa nkoo olck orya osge rohg samr saur sinh sund sylo syrc tagb tale talu taml tavt telu tfng tglg \
 thaa thai tibt tirh vaii yiii aran";

/// Whether search engines understand a code. Lower case.
pub(crate) fn is_valid(code: &str) -> bool {
    if code == "x-default" {
        return true;
    }
    let mut parts = code.split('-');
    if !parts.next().is_some_and(|language| is_listed(LANGUAGES, language)) {
        return false;
    }
    let mut rest: Vec<&str> = parts.collect();
    if rest.first().is_some_and(|script| script.len() == 4)
        && SCRIPTS.split_ascii_whitespace().any(|known| known == rest[0])
    {
        rest.remove(0);
    }
    match *rest.as_slice() {
        [] => true,
        [region] => is_listed(REGIONS, region),
        _ => false,
    }
}

/// Whether a code and a `lang` name the same language, whatever the region. Lower or upper case.
pub(crate) fn same_language(code: &str, lang: &str) -> bool {
    let language = |tag: &str| {
        let first = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        match first.as_str() {
            "iw" => "he".to_owned(),
            "in" => "id".to_owned(),
            "ji" => "yi".to_owned(),
            "nb" | "nn" => "no".to_owned(),
            "cmn" | "yue" => "zh".to_owned(),
            "fil" => "tl".to_owned(),
            _ => first,
        }
    };
    language(code) == language(lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_of_the_standards() {
        let check = |code: &str, expect: bool| assert_eq!(is_valid(code), expect, "{code}");
        check("en", true);
        check("en-gb", true);
        check("zh-hant", true);
        check("zh-hant-hk", true);
        check("x-default", true);
        check("en-uk", false);
        check("gb", false);
        check("es-419", false);
        check("en_gb", false);
        check("eng", false);
        check("de-at-x", false);
        check("de-xxxx", false);
        check("default", false);
        check("", false);
    }

    #[test]
    fn languages_are_compared_without_region() {
        let check = |code: &str, lang: &str, expect: bool| {
            assert_eq!(same_language(code, lang), expect, "{code} {lang}");
        };
        check("en-gb", "EN_US", true);
        check("no", "nb-NO", true);
        check("he", "iw", true);
        check("de", "en", false);
    }
}
