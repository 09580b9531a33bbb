//! Which cookies of an answer lack which of the flags that protect them.

/// `name: Secure, HttpOnly; …` of the cookies that lack a flag, by name; `None` where none does.
///
/// `lines` are values of Set-Cookie, a line each, as they are stored: the cookies' values are not there. Cookies that are removed
/// and those whose token a script has to read (against forged requests) are passed over, as OWASP ZAP does.
pub(crate) fn lacking(lines: &str, over_https: bool) -> Option<String> {
    let mut found: Vec<String> = lines.lines().filter_map(|line| one(line, over_https)).collect();
    found.sort_unstable();
    found.dedup();
    (!found.is_empty()).then(|| found.join("; "))
}

fn one(line: &str, over_https: bool) -> Option<String> {
    let mut parts = line.split(';').map(str::trim);
    let (name, value) = parts.next()?.split_once('=')?;
    let attributes: Vec<(String, &str)> = parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.trim().to_ascii_lowercase(), value.trim())
        })
        .collect();
    let attribute =
        |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| *value);
    let is_removal = value.is_empty()
        || attribute("max-age").is_some_and(|age| age.parse::<i64>().is_ok_and(|age| age <= 0))
        || attribute("expires").is_some_and(|date| date.contains("1970") || date.contains("-70 "));
    if is_removal {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let for_scripts = lower.contains("csrf") || lower.contains("xsrf");
    let lacks: Vec<&str> = [
        ("Secure", over_https && attribute("secure").is_none()),
        ("HttpOnly", !for_scripts && attribute("httponly").is_none()),
        ("SameSite", attribute("samesite").is_none()),
    ]
    .into_iter()
    .filter_map(|(flag, lacks)| lacks.then_some(flag))
    .collect();
    (!lacks.is_empty()).then(|| format!("{name}: {}", lacks.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_flags_are_named() {
        let check = |lines: &str, https: bool, expect: Option<&str>| {
            assert_eq!(lacking(lines, https).as_deref(), expect, "{lines}");
        };
        check("sid=…; Path=/; Secure; HttpOnly; SameSite=Lax", true, None);
        check("sid=…; path=/; secure; httponly", true, Some("sid: SameSite"));
        check(
            "b=…; HttpOnly\na=…; SameSite=None\nb=…; HttpOnly",
            true,
            Some("a: Secure, HttpOnly; b: Secure, SameSite"),
        );
        check("sid=…; HttpOnly; SameSite=Lax", false, None);
        check("XSRF-TOKEN=…; Secure; SameSite=Strict", true, None);
        check("sid=; Path=/\nold=…; Max-Age=0\nolder=…; Expires=Thu, 01-Jan-1970 00:00:00 GMT", true, None);
        check("", true, None);
        check("…;Secure", true, None);
    }
}
