//! Response headers as columns: `answer.headers` holds a line `name: value` for each, names in lower case.
//!
//! Plain SQL without functions of our own, since the view of findings is read by other programs, too.

/// The headers, each line behind a line feed, so that a name is found at the beginning of a line only.
const LINES: &str = "(char(10) || a.headers)";

/// The value of the first header of this name; NULL where there is none.
pub(crate) fn first(name: &str) -> String {
    let at = place(name);
    let value = format!("substr({LINES}, {at} + {})", name.len() + 2);
    format!("CASE WHEN {at} > 0 THEN trim(substr({value}, 1, instr({value} || char(10), char(10)) - 1)) END")
}

/// The values of all headers of this name, in their order, with this between them; NULL where there is none.
///
/// Taken apart line by line only where the name is repeated, which is rare.
pub(crate) fn all(name: &str, between: &str) -> String {
    let at = place(name);
    let begin = format!("(char(10) || '{name}:')");
    let again = format!("instr(substr({LINES}, {at} + 1), {begin}) > 0");
    // A private character stands for the line feed while the text is quoted.
    let lines =
        "'[' || replace(json_quote(replace(a.headers, char(10), char(57344))), char(57344), '\",\"') || ']'";
    format!(
        "CASE WHEN {at} = 0 THEN NULL WHEN {again} THEN (SELECT group_concat(trim(substr(j.value, {})), '{between}') FROM json_each({lines}) j \
         WHERE substr(j.value, 1, {}) = '{name}:') ELSE {} END",
        name.len() + 2,
        name.len() + 1,
        first(name)
    )
}

fn place(name: &str) -> String {
    format!("coalesce(instr({LINES}, char(10) || '{name}:'), 0)")
}

/// Who reads the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Statements of ours, over every page of a crawl: a function does the same in a tenth of the time.
    Rule,
    /// The view of findings, and with it every program that opens the file.
    Anybody,
}

/// The functions that stand for `first` and `all` in rules.
pub(crate) fn first_of(headers: &str, name: &str) -> Option<String> {
    values(headers, name).next().map(|value| value.trim_matches(' ').to_owned())
}

pub(crate) fn all_of(headers: &str, name: &str, between: &str) -> Option<String> {
    let mut values = values(headers, name).map(|value| value.trim_matches(' '));
    let mut found = values.next()?.to_owned();
    for value in values {
        found.push_str(between);
        found.push_str(value);
    }
    Some(found)
}

fn values<'t>(headers: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    headers.split('\n').filter_map(move |line| line.strip_prefix(name)?.strip_prefix(':'))
}

/// Columns that rules and evidence read.
pub(crate) fn columns(reader: Reader) -> Vec<(&'static str, String)> {
    let first = |name: &str| match reader {
        Reader::Rule => format!("header_first(a.headers, '{name}')"),
        Reader::Anybody => first(name),
    };
    let all = |name: &str, between: &str| match reader {
        Reader::Rule => format!("header_all(a.headers, '{name}', '{between}')"),
        Reader::Anybody => all(name, between),
    };
    let hsts = first("strict-transport-security");
    let age = format!("lower(replace({hsts}, '\"', ''))");
    let cache = all("cache-control", ", ");
    let lifetime = format!("lower(replace({cache}, '\"', ''))");
    vec![
        ("hsts", hsts),
        // What is no number counts as none; without the directive there is no policy.
        (
            "hsts_max_age",
            format!(
                "CASE WHEN instr({age}, 'max-age') > 0 THEN CAST(ltrim(substr({age}, instr({age}, 'max-age') + 7), ' =') AS INTEGER) END"
            ),
        ),
        ("csp", all("content-security-policy", ", ")),
        ("nosniff", all("x-content-type-options", ", ")),
        ("frame_options", all("x-frame-options", ", ")),
        ("referrer_policy", all("referrer-policy", ", ")),
        ("x_robots_tag", all("x-robots-tag", "\n")),
        ("cookies", all("set-cookie", "\n")),
        ("content_encoding", all("content-encoding", ", ")),
        // Seconds; NULL where none are said. `s-maxage`, which is for proxies, is written without the first hyphen.
        (
            "max_age",
            format!(
                "CASE WHEN instr({lifetime}, 'max-age') > 0 THEN CAST(ltrim(substr({lifetime}, instr({lifetime}, 'max-age') + 7), ' =') AS INTEGER) END"
            ),
        ),
        ("cache_control", cache),
        ("expires", first("expires")),
        ("server", first("server")),
        ("powered_by", first("x-powered-by")),
        ("aspnet_version", first("x-aspnet-version")),
        ("aspnetmvc_version", first("x-aspnetmvc-version")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;
    use store::Value;

    fn value(headers: Option<&str>, sql: &str) -> Option<String> {
        let mut writer = scene::writer();
        crate::sql_functions::register(&mut writer).unwrap();
        let mut found = None;
        let headers = headers.map_or(Value::Null, Value::from);
        let sql = format!("SELECT {sql} FROM (SELECT ?1 AS headers) a");
        writer
            .rows(&sql, &[headers], &mut |row| {
                found = row.opt_text(0).map(ToOwned::to_owned);
                Ok(())
            })
            .unwrap();
        found
    }

    #[test]
    fn headers_are_found_by_their_name() {
        let check = |headers: &str, expect_first: Option<&str>, expect_all: Option<&str>| {
            let expect = (expect_first.map(Into::into), expect_all.map(Into::into));
            let found = (value(Some(headers), &first("x-a")), value(Some(headers), &all("x-a", ", ")));
            assert_eq!(found, expect, "{headers:?}");
            // The functions that rules use say the same.
            let rule = |sql: &str| value(Some(headers), sql);
            let found = (rule("header_first(a.headers, 'x-a')"), rule("header_all(a.headers, 'x-a', ', ')"));
            assert_eq!(found, expect, "{headers:?}");
        };
        check("x-a: one\n", Some("one"), Some("one"));
        check("server: x-a: no\nx-a: one\nx-ab: no\n", Some("one"), Some("one"));
        check(
            "x-a: one\ndate: x\nx-a: t\\wo \"quoted\"\nx-ab: no\nx-a: \n",
            Some("one"),
            Some("one, t\\wo \"quoted\", "),
        );
        check("x-a: ü\tb\nx-a: c", Some("ü\tb"), Some("ü\tb, c"));
        check("x-ab: one\n", None, None);
        check("", None, None);
        assert_eq!(value(None, &first("x-a")), None);
        assert_eq!(value(None, &all("x-a", ", ")), None);
    }

    #[test]
    fn the_age_of_caches_is_a_number() {
        let sql = columns(Reader::Anybody).into_iter().find(|(name, _)| *name == "max_age").unwrap().1;
        let check = |header: &str, expect: Option<&str>| {
            let headers = format!("cache-control: {header}\n");
            assert_eq!(value(Some(&headers), &format!("CAST({sql} AS TEXT)")).as_deref(), expect, "{header}");
        };
        check("public, s-maxage=99, Max-Age=\"300\", immutable", Some("300"));
        check("max-age=0", Some("0"));
        check("s-maxage=99", None);
        check("no-store", None);
    }

    #[test]
    fn the_age_of_hsts_is_a_number() {
        let sql = columns(Reader::Anybody).into_iter().find(|(name, _)| *name == "hsts_max_age").unwrap().1;
        let check = |header: &str, expect: Option<&str>| {
            let headers = format!("strict-transport-security: {header}\n");
            assert_eq!(value(Some(&headers), &format!("CAST({sql} AS TEXT)")).as_deref(), expect, "{header}");
        };
        check("max-age=31536000; includeSubDomains", Some("31536000"));
        check("includeSubDomains; Max-Age = \"300\"", Some("300"));
        check("includeSubDomains", None);
        check("max-age=soon", Some("0"));
    }
}
