//! “Did you mean …?”

/// The candidate nearest to `word`: the one whose last part equals it, else the one fewest edits away, if it is near enough
/// to be a slip of the finger.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody's slip is longer than this, and the comparison is quadratic.
    const LONGEST: usize = 80;
    let word = word.trim().to_ascii_lowercase().replace('-', "_");
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let last_part = word.rsplit('.').next().unwrap_or(&word);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let folded = candidate.to_ascii_lowercase().replace('-', "_");
        let same_name = folded.rsplit('.').next() == Some(last_part);
        let edits = if same_name {
            0
        } else {
            distance(&word, &folded)
                .min(1 + distance(last_part, folded.rsplit('.').next().unwrap_or(&folded)))
        };
        if best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.filter(|(edits, _)| *edits <= 2 + word.len() / 5).map(|(_, candidate)| candidate)
}

/// Edit distance (insert, delete, replace), over bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_nonsense_is_not() {
        let ids = ["fetch.timeout", "fetch.retries", "pace.delay", "limits.max_urls"];
        let check = |word: &str, expect: Option<&str>| assert_eq!(nearest(word, ids), expect, "{word}");
        check("fetch.timeuot", Some("fetch.timeout"));
        check("timeout", Some("fetch.timeout"));
        check("pace.timeout", Some("fetch.timeout"));
        check("limits.max-urls", Some("limits.max_urls"));
        check("dealy", Some("pace.delay"));
        check("completely.different", None);
        check("", None);
        check(&"x".repeat(10_000), None);
    }
}
