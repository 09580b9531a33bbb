//! Response headers as they are stored: one `name: value` a line.

pub(super) fn pairs(stored: &str) -> Vec<(String, String)> {
    stored
        .lines()
        .map(|line| match line.split_once(':') {
            Some((name, value)) => (name.trim().to_owned(), value.trim().to_owned()),
            None => (line.trim().to_owned(), String::new()),
        })
        .filter(|(name, _)| !name.is_empty())
        .collect()
}

/// The first header of this name, in lower case.
pub(super) fn first<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_back() {
        let headers = pairs("server: tea/1\nset-cookie: a=b; path=/\nset-cookie: c=d:e\nx-empty:\n\nodd\n");
        let shown: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("server", "tea/1"),
                ("set-cookie", "a=b; path=/"),
                ("set-cookie", "c=d:e"),
                ("x-empty", ""),
                ("odd", "")
            ]
        );
        assert_eq!(first(&headers, "set-cookie"), Some("a=b; path=/"));
        assert_eq!(first(&headers, "via"), None);
    }
}
