//! Language codes as hreflang takes them: ISO 639-1, then ISO 15924 and ISO 3166-1 where they are given.

/// ISO 639-1.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr \
 fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn \
 mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to \
 tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// ISO 3166-1 alpha-2.
const REGIONS: &str = "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu \
 cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is \
 it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no \
 np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr \
 tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";

/// ISO 15924: the scripts in which texts are written today.
const SCRIPTS: &str = "adlm arab armn bali batk beng bopo brai bugi cakm cans cham cher copt cyrl cyrs deva ethi geor grek gujr guru hang hani hanb hans hant hebr hira hrkt java \
 jpan kana khmr knda kore laoo latn lepc limb lisu mand mlym mong mtei mymr newa nkoo olck orya osge rohg samr saur sinh sund sylo syrc tagb tale talu taml tavt telu tfng tglg \
 thaa thai tibt tirh vaii yiii aran";

/// Whether search engines understand a code. Lower case.
pub(crate) fn is_valid(code: &str) -> bool {
    if code == "x-default" {
        return true;
    }
    let listed = |list: &str, word: &str| list.split_ascii_whitespace().any(|known| known == word);
    let mut parts = code.split('-');
    if !parts.next().is_some_and(|language| listed(LANGUAGES, language)) {
        return false;
    }
    let mut rest: Vec<&str> = parts.collect();
    if rest.first().is_some_and(|script| script.len() == 4) && listed(SCRIPTS, rest[0]) {
        rest.remove(0);
    }
    match *rest.as_slice() {
        [] => true,
        [region] => listed(REGIONS, region),
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
