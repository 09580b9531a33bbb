//! Pages of a series by their URLs: `/news?page=2`, `/news/page/2/`.

/// Parameters that number the pages of a list.
const PARAMETERS: &[&str] = &["page", "paged", "pg", "pagenumber", "page_number", "seite", "p"];

/// The URL of the first page, without a slash at its end, and the number of this one; 1 where nothing says otherwise. `None` for
/// what is no URL.
pub(crate) fn place(url: &str) -> Option<(String, u64)> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let mut number = None;
    let mut kept: Vec<&str> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_page = PARAMETERS.iter().any(|known| name.eq_ignore_ascii_case(known));
        match value.parse::<u64>() {
            Ok(value) if is_page && number.is_none() && value < 100_000 => number = Some(value),
            _ => kept.push(pair),
        }
    }
    let mut path = path.trim_end_matches('/');
    if number.is_none()
        && let Some((before, last)) = path.rsplit_once('/')
    {
        let value = last.parse::<u64>().ok().filter(|value| *value < 100_000);
        let before_that = before.rsplit_once('/').filter(|(_, word)| matches!(*word, "page" | "seite"));
        match (value, before_that) {
            (Some(value), Some((list, _))) => (number, path) = (Some(value), list),
            _ => {
                let value = last.strip_prefix("page-").or_else(|| last.strip_prefix("page"));
                if let Some(value) =
                    value.and_then(|value| value.parse::<u64>().ok()).filter(|n| *n < 100_000)
                {
                    (number, path) = (Some(value), before);
                }
            }
        }
    }
    path.contains("://").then_some(())?;
    let first = if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) };
    Some((first.trim_end_matches('/').to_owned(), number.unwrap_or(1).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_series_are_told_by_their_urls() {
        let check = |url: &str, first: &str, number: u64| {
            assert_eq!(place(url), Some((first.to_owned(), number)), "{url}");
        };
        check("https://a.example/news", "https://a.example/news", 1);
        check("https://a.example/news/", "https://a.example/news", 1);
        check("https://a.example/news?page=3", "https://a.example/news", 3);
        check("https://a.example/news/?sort=up&Page=2", "https://a.example/news?sort=up", 2);
        check("https://a.example/news/page/2/", "https://a.example/news", 2);
        check("https://a.example/news/page-4", "https://a.example/news", 4);
        check("https://a.example/page/2", "https://a.example", 2);
        check("https://a.example/?p=latest", "https://a.example?p=latest", 1);
        check("https://a.example/2024", "https://a.example/2024", 1);
        check("https://a.example/page/about", "https://a.example/page/about", 1);
        assert_eq!(place("mailto:x"), None);
    }
}
