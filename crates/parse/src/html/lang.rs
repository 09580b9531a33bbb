//! Language tags (BCP 47, RFC 5646): form, and those parts of the registry in which people err.

/// ISO 639-1, with the codes that were withdrawn and that the registry still knows.
const LANGUAGES: &str = " aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ";

/// ISO 3166-1, with what the registry keeps of withdrawn codes.
const REGIONS: &str = " AC AD AE AF AG AI AL AM AN AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BU BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CP CQ CR CS CU CV CW CX CY CZ DD DE DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET EU EZ FI FJ FK FM FO FR FX GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NT NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SU SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM TN TO TP TR TT TV TW TZ UA UG UM UN US UY UZ VA VC VE VG VI VN VU WF WS XK YD YE YT YU ZA ZM ZR ZW ZZ ";

/// Tags from before there were rules that no rule allows.
const OLD_TAGS: &[&str] = &["en-gb-oed", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de"];

fn is_listed(list: &str, code: &str) -> bool {
    list.as_bytes().chunks_exact(3).any(|entry| entry[1..].eq_ignore_ascii_case(code.as_bytes()))
}

/// Whether a value is a well-formed tag whose two-letter language and region are registered. Of longer languages, scripts and
/// variants the form is checked only: whoever writes one has looked it up.
pub(crate) fn is_language(tag: &str) -> bool {
    if OLD_TAGS.iter().any(|old| old.eq_ignore_ascii_case(tag)) {
        return true;
    }
    let mut parts = tag.split('-').peekable();
    let first = parts.next().unwrap_or_default();
    let is_letters = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_word = |part: &str| {
        part.len() <= 8 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if first.eq_ignore_ascii_case("x") || first.eq_ignore_ascii_case("i") {
        // Private use, and what was registered before there were rules.
        return parts.peek().is_some() && parts.all(is_word);
    }
    match first.len() {
        2 if is_listed(LANGUAGES, first) => {}
        3 if is_letters(first) => {}
        _ => return false,
    }
    let mut extended = 0;
    while let Some(part) = parts.next_if(|part| part.len() == 3 && is_letters(part)) {
        extended += 1;
        if extended > 3 || !is_word(part) {
            return false;
        }
    }
    parts.next_if(|part| part.len() == 4 && is_letters(part));
    if let Some(region) = parts.next_if(|part| part.len() == 2)
        && !is_listed(REGIONS, region)
    {
        return false;
    }
    parts.next_if(|part| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_variant = |part: &str| {
        is_word(part) && (part.len() >= 5 || (part.len() == 4 && part.as_bytes()[0].is_ascii_digit()))
    };
    while parts.next_if(|part| is_variant(part)).is_some() {}
    // Extensions and private use: a single character, and what belongs to it.
    while let Some(single) = parts.next() {
        let is_private = single.eq_ignore_ascii_case("x");
        if single.len() != 1 || !is_word(single) || parts.peek().is_none() {
            return false;
        }
        let mut any = false;
        while parts.next_if(|part| is_word(part) && (part.len() > 1 || is_private)).is_some() {
            any = true;
        }
        if !any {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_what_is_none() {
        let check = |tag: &str, expect: bool| assert_eq!(is_language(tag), expect, "{tag}");
        for tag in [
            "en",
            "EN-us",
            "de-CH-1996",
            "zh-Hant-TW",
            "zh-cmn-Hans-CN",
            "es-419",
            "sr-Latn",
            "gsw",
            "yue-HK",
            "sl-rozaj-biske",
            "en-GB-oed",
            "i-klingon",
            "x-pirate",
            "de-DE-u-co-phonebk",
            "en-x-a",
            "iw",
            "ca-valencia",
            "hy-arevela",
        ] {
            check(tag, true);
        }
        for tag in [
            "english",
            "en_US",
            "jp",
            "en-UK",
            "xx",
            "de-",
            "-de",
            "de--AT",
            "en-US-",
            "e",
            "de-DE-u",
            "en us",
            "zh-Hant-XX1",
            "x",
            "deutsch-DE",
        ] {
            check(tag, false);
        }
    }

    #[test]
    fn the_lists_are_cut_into_codes() {
        for list in [LANGUAGES, REGIONS] {
            let trimmed = &list[..list.len() - 1];
            assert_eq!(trimmed.len() % 3, 0);
            assert!(trimmed.as_bytes().chunks(3).all(|entry| entry[0] == b' '));
        }
    }
}
