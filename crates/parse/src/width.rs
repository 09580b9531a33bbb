//! How wide a text is in a search result, in Arial.
//!
//! Advance widths in thousandths of an em, as in the font metrics that Arial, Helvetica and their free
//! equivalents share; other scripts are drawn in fallback fonts and get their customary widths.

/// Pixels of a title in a result list: Arial at 20 px.
pub fn title_px(text: &str) -> u32 {
    pixels(text, 20.0)
}

/// Pixels of a description in a result list: Arial at 13.9 px.
pub fn description_px(text: &str) -> u32 {
    pixels(text, 13.9)
}

fn pixels(text: &str, size: f64) -> u32 {
    let thousandths: u64 = text.chars().map(|c| u64::from(advance(c))).sum();
    (thousandths as f64 * size / 1_000.0).round() as u32
}

/// U+0020 to U+007E.
#[rustfmt::skip]
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// U+00A0 to U+00FF.
#[rustfmt::skip]
const LATIN_1: [u16; 96] = [
    278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 0, 737, 552,
    400, 549, 333, 333, 333, 576, 537, 333, 333, 333, 365, 556, 834, 834, 834, 611,
    667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
    722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
    556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 549, 611, 556, 556, 556, 556, 500, 556, 500,
];

fn advance(c: char) -> u16 {
    match c as u32 {
        0x20..=0x7E => ASCII[c as usize - 0x20],
        0xA0..=0xFF => LATIN_1[c as usize - 0xA0],
        0x00..=0x1F | 0x7F..=0x9F => 0,
        // Latin Extended: the base letter's width is close to these.
        0x100..=0x24F | 0x1E00..=0x1EFF => latin_extended(c),
        // Combining marks, joiners, direction marks, variation selectors.
        0x300..=0x36F
        | 0x1AB0..=0x1AFF
        | 0x1DC0..=0x1DFF
        | 0x200B..=0x200F
        | 0x202A..=0x202E
        | 0x2060..=0x206F
        | 0x20D0..=0x20FF
        | 0xFE00..=0xFE0F
        | 0xFE20..=0xFE2F
        | 0xFEFF => 0,
        // Greek and Cyrillic as Arial has them on average.
        0x370..=0x3FF => {
            if c.is_uppercase() {
                690
            } else {
                545
            }
        }
        0x400..=0x52F => {
            if c.is_uppercase() {
                700
            } else {
                560
            }
        }
        0x531..=0x58F => 600,
        0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F => 0,
        0x5D0..=0x5FF => 530,
        0x600..=0x6FF | 0x750..=0x77F | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE => 480,
        // The scripts of India, Thai, Lao, Tibetan and their neighbours.
        0x900..=0xDFF => 620,
        0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E => 0,
        0xE00..=0xEFF => 580,
        0xF00..=0x10FF => 620,
        // Punctuation.
        0x2000..=0x200A | 0x202F | 0x205F => 278,
        0x2010 | 0x2011 => 333,
        0x2012 | 0x2013 => 556,
        0x2014 | 0x2015 | 0x2026 | 0x2030 | 0x2122 => 1_000,
        0x2018..=0x201B => 222,
        0x201C..=0x201F => 333,
        0x2020 | 0x2021 | 0x20AC => 556,
        0x2022 => 350,
        0x2039 | 0x203A => 333,
        0x2044 => 167,
        0x2190..=0x21FF => 1_000,
        0x2200..=0x22FF => 549,
        // Han, kana, Hangul, full-width forms, emoji.
        0x1100..=0x11FF
        | 0x2E80..=0x303E
        | 0x3041..=0xA4CF
        | 0xAC00..=0xD7FF
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE4F
        | 0xFF01..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F000..=0x1FAFF
        | 0x20000..=0x3FFFF => 1_000,
        0xFF61..=0xFF9F => 500,
        0x2300..=0x27BF | 0x2B00..=0x2BFF => 1_000,
        _ => 556,
    }
}

fn latin_extended(c: char) -> u16 {
    match c {
        'ı' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ĺ' | 'ļ' | 'ł' | 'ị' | 'ỉ' => 222,
        'İ' | 'Ĩ' | 'Ī' | 'Ĭ' | 'Į' | 'ť' | 'ţ' | 'ț' | 'Ị' | 'Ỉ' => 278,
        'ŕ' | 'ŗ' | 'ř' => 333,
        'Œ' => 1_000,
        'œ' => 944,
        _ if c.is_uppercase() => 700,
        _ => 540,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_metrics() {
        let check = |text: &str, title: u32, description: u32| {
            assert_eq!((title_px(text), description_px(text)), (title, description), "{text}");
        };
        check("", 0, 0);
        check("Hello World", 103, 72);
        check("WWWWWWWWWW", 189, 131);
        check("iiiiiiiiii", 44, 31);
        check("Café", 42, 29);
        check("日本語", 60, 42);
        check("e\u{301}", 11, 8);
    }
}
