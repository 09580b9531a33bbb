//! The command line of curl that asks for a URL as a crawl did, for whoever has to show somebody what a server answers.
//!
//! Absences: no secret is in it. What a person gave for a site stands there as a variable with a name that says what belongs in
//! its place.

use crate::error::EngineError;
use crate::logins::CredentialKind;
use crate::seams::Engine;
use crate::secrets::KeptCredentials;
use crate::settings::stored_plan;
use model::address::origin_of;
use model::plan::{CertificateRule, HttpPlan, ProxyRule, VersionRule};
use model::settings::Start;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use url::{Host, Url};

/// What every request accepts (`fetch`, the same words).
const ACCEPTED_CODINGS: &str = "gzip, deflate, br, zstd";

/// One command in the languages of two kinds of terminals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CurlCommand {
    /// For sh, bash, zsh and the like.
    pub posix: String,
    /// For the command prompt of Windows.
    pub windows: String,
}

/// What a request said.
#[derive(Debug)]
struct Asked<'a> {
    url: &'a str,
    head: bool,
    /// `HTTP/1.1`; `None` where nothing was answered.
    version: Option<&'a str>,
    agent: &'a str,
    http: &'a HttpPlan,
    timeout: Duration,
    kept: Option<&'a KeptCredentials>,
}

/// A word of the command.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// Says itself.
    Plain(String),
    /// A text before, and a variable that the person sets.
    Secret(String, &'static str),
}

impl Engine {
    /// The command that asks for a URL as a crawl did; `None` where the crawl never asked for it.
    pub fn curl_command(
        &self,
        project: &Path,
        crawl: i64,
        key: i64,
    ) -> Result<Option<CurlCommand>, EngineError> {
        let Some(request) = self.insight(project)?.request(crawl, key)? else { return Ok(None) };
        let plan = stored_plan(Start::default(), &request.profile)?;
        let kept = self.kept_credentials();
        let asked = Asked {
            url: &request.url,
            head: request.head,
            version: request.version.as_deref(),
            agent: &plan.agent.header,
            http: &plan.http,
            timeout: plan.fetch.timeout,
            kept: kept.iter().find(|kept| kept.origin == origin_of(&request.url)),
        };
        Ok(Some(command(&asked)))
    }
}

fn command(asked: &Asked) -> CurlCommand {
    let options = options(asked);
    CurlCommand { posix: posix(&options), windows: windows(&options) }
}

/// The options, each with its value where it has one, and the URL at the end.
fn options(asked: &Asked) -> Vec<Vec<Word>> {
    let mut all = Vec::new();
    let mut add =
        |words: &[&str]| all.push(words.iter().map(|word| Word::Plain((*word).to_owned())).collect());
    // Brackets and braces are part of the address, and so are its dots.
    add(&["--globoff"]);
    add(&["--path-as-is"]);
    add(&[if asked.head { "--head" } else { "--include" }]);
    match (asked.version, asked.http.version) {
        (Some("HTTP/2"), _) => add(&["--http2"]),
        (Some("HTTP/1.0"), _) => add(&["--http1.0"]),
        (Some(_), _) | (None, VersionRule::Http1) => add(&["--http1.1"]),
        (None, VersionRule::Auto) => {}
    }
    add(&["--max-time", &asked.timeout.as_secs_f64().to_string()]);
    add(&["--user-agent", asked.agent]);
    add(&["--header", "Accept: */*"]);
    add(&["--compressed"]);
    add(&["--header", &format!("Accept-Encoding: {ACCEPTED_CODINGS}")]);
    if !asked.http.accept_language.is_empty() {
        add(&["--header", &format!("Accept-Language: {}", asked.http.accept_language)]);
    }
    for (name, value) in &asked.http.headers {
        // curl takes a name without value for a header to leave out; a semicolon sends it empty.
        let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        add(&["--header", &header]);
    }
    match &asked.http.proxy {
        ProxyRule::System => {}
        ProxyRule::Direct => add(&["--noproxy", "*"]),
        ProxyRule::Through(proxy) => {
            add(&["--proxy", &format!("{}://{}:{}", proxy.scheme.word(), proxy.host, proxy.port)]);
        }
    }
    if let Some((option, value)) = leads_elsewhere(asked) {
        add(&[option, &value]);
    }
    if asked.http.certificates == CertificateRule::GoOn {
        add(&["--insecure"]);
    }
    all.extend(secrets(asked.kept));
    all.push(vec![Word::Plain("--url".to_owned()), Word::Plain(asked.url.to_owned())]);
    all
}

/// The option for a host that was connected elsewhere.
fn leads_elsewhere(asked: &Asked) -> Option<(&'static str, String)> {
    let url = Url::parse(asked.url).ok()?;
    let (host, port) = (url.host_str()?, url.port_or_known_default()?);
    let to = asked.http.overrides.iter().find(|one| one.host == host && one.port == port)?.to;
    let is_name = matches!(url.host(), Some(Host::Domain(_)));
    if is_name && to.port() == port {
        return Some(("--resolve", format!("{host}:{port}:{}", address(to))));
    }
    Some(("--connect-to", format!("{host}:{port}:{}:{}", address(to), to.port())))
}

/// An address as curl reads it before a colon.
fn address(to: std::net::SocketAddr) -> String {
    if to.is_ipv6() { format!("[{}]", to.ip()) } else { to.ip().to_string() }
}

/// What is kept for the site in the keychain, without its values.
fn secrets(kept: Option<&KeptCredentials>) -> Vec<Vec<Word>> {
    let Some(kept) = kept else { return Vec::new() };
    let option = |name: &str, before: &str, variable| {
        vec![Word::Plain(name.to_owned()), Word::Secret(before.to_owned(), variable)]
    };
    let mut all = Vec::new();
    for kind in &kept.kinds {
        match kind {
            CredentialKind::Login => all.push(option("--user", "", "LOGIN")),
            CredentialKind::Bearer => all.push(option("--header", "Authorization: Bearer ", "TOKEN")),
            CredentialKind::Cookies => all.push(option("--cookie", "", "COOKIES")),
            CredentialKind::Header => {
                all.extend(kept.headers.iter().map(|name| option("--header", &format!("{name}: "), "SECRET")))
            }
        }
    }
    all
}

/// The variables that are left for the person to set, each once.
fn variables(options: &[Vec<Word>]) -> Vec<&'static str> {
    let mut found = Vec::new();
    for word in options.iter().flatten() {
        if let Word::Secret(_, variable) = word
            && !found.contains(variable)
        {
            found.push(variable);
        }
    }
    found
}

/// What belongs in a variable.
fn meaning(variable: &str) -> &'static str {
    match variable {
        "LOGIN" => "name:password",
        "TOKEN" => "the bearer token",
        "COOKIES" => "name=value; name=value",
        _ => "the value of the header",
    }
}

fn posix(options: &[Vec<Word>]) -> String {
    let mut out = String::new();
    for variable in variables(options) {
        out.push_str(&format!("# Set {variable} first: {}.\n", meaning(variable)));
    }
    out.push_str("curl");
    for option in options {
        out.push_str(" \\\n ");
        for word in option {
            out.push(' ');
            match word {
                Word::Plain(text) => out.push_str(&posix_quoted(text)),
                Word::Secret(before, variable) if before.is_empty() => {
                    out.push_str(&format!("\"${variable}\""))
                }
                Word::Secret(before, variable) => {
                    out.push_str(&format!("{}\"${variable}\"", posix_quoted(before)))
                }
            }
        }
    }
    out
}

/// One word for a shell of the POSIX standard, in which nothing of it is expanded.
fn posix_quoted(text: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,=+@%".contains(&byte);
    if !text.is_empty() && !text.starts_with('~') && text.bytes().all(is_safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn windows(options: &[Vec<Word>]) -> String {
    let mut out = String::new();
    for variable in variables(options) {
        out.push_str(&format!("rem Set {variable} first: {}.\r\n", meaning(variable)));
    }
    out.push_str("curl");
    for option in options {
        out.push_str(" ^\r\n ");
        for word in option {
            out.push(' ');
            match word {
                Word::Plain(text) => out.push_str(&windows_quoted(text, "")),
                Word::Secret(before, variable) => {
                    out.push_str(&windows_quoted(before, &format!("%{variable}%")))
                }
            }
        }
    }
    out
}

/// One word for the command prompt: quotes and backslashes are for the program's own reading of its arguments, carets keep
/// the prompt from reading anything, a variable in percent signs among it. `behind` is left for the prompt to read.
fn windows_quoted(text: &str, behind: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@".contains(c);
    if behind.is_empty() && !text.is_empty() && text.chars().all(is_safe) {
        return text.to_owned();
    }
    let mut quoted = String::from("^\"");
    let mut slashes = 0;
    for c in text.chars() {
        if c == '"' {
            // Backslashes before a quote are read in pairs.
            quoted.push_str(&"\\".repeat(slashes + 1));
        }
        slashes = if c == '\\' { slashes + 1 } else { 0 };
        if !(is_safe(c) || c == ' ' || c == '\\' || !c.is_ascii()) {
            quoted.push('^');
        }
        quoted.push(c);
        if c == '%' {
            // What follows is then no name of a variable.
            quoted.push('^');
        }
    }
    // The caret behind a last percent sign would take the quote's own.
    if quoted.ends_with("%^") {
        quoted.pop();
    }
    quoted.push_str(&"\\".repeat(if behind.is_empty() { slashes } else { 0 }));
    quoted.push_str(behind);
    quoted.push_str("^\"");
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::plan::{HostOverride, ProxyAddress, ProxyScheme};
    use std::collections::BTreeSet;

    fn asked<'a>(url: &'a str, http: &'a HttpPlan) -> Asked<'a> {
        Asked {
            url,
            head: false,
            version: Some("HTTP/2"),
            agent: "Gossamer/1 (it's me)",
            http,
            timeout: Duration::from_millis(1_500),
            kept: None,
        }
    }

    /// The words that a shell makes of a command. Variables are set to their names in angle brackets.
    fn words(command: &str) -> Vec<String> {
        let script = format!(
            "curl() {{ printf '%s\\0' \"$@\"; }}\nLOGIN='<LOGIN>' TOKEN='<TOKEN>' COOKIES='<COOKIES>' SECRET='<SECRET>'\n{command}\n"
        );
        let out = std::process::Command::new("sh").args(["-eu", "-c", &script]).output().expect("a shell");
        assert!(out.status.success(), "{command}: {}", String::from_utf8_lossy(&out.stderr));
        let text = String::from_utf8(out.stdout).expect("text");
        text.split_terminator('\0').map(str::to_owned).collect()
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_what_was_meant() {
        let http = HttpPlan {
            headers: vec![
                ("x-audit".to_owned(), "$(touch /tmp/x) `id` \"$HOME\" 'y' \\".to_owned()),
                ("x-empty".to_owned(), String::new()),
            ],
            accept_language: "de;q=0.9, en".to_owned(),
            proxy: ProxyRule::Direct,
            ..HttpPlan::default()
        };
        let hostile = "https://h.test/a'b;rm%20-rf$(id)`id`&x=[1-9]{a,b}|!*?~#\"\\";
        let got = words(&command(&asked(hostile, &http)).posix);
        assert_eq!(
            got,
            [
                "--globoff",
                "--path-as-is",
                "--include",
                "--http2",
                "--max-time",
                "1.5",
                "--user-agent",
                "Gossamer/1 (it's me)",
                "--header",
                "Accept: */*",
                "--compressed",
                "--header",
                "Accept-Encoding: gzip, deflate, br, zstd",
                "--header",
                "Accept-Language: de;q=0.9, en",
                "--header",
                "x-audit: $(touch /tmp/x) `id` \"$HOME\" 'y' \\",
                "--header",
                "x-empty;",
                "--noproxy",
                "*",
                "--url",
                hostile,
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn every_text_is_one_word() {
        for text in [
            "", "a", "~", "~root", "-x", "a b", "'", "''", "\\'", "é茶", "a\nb", "$IFS", "!!", "#", "=x",
            "%41",
        ] {
            let out = words(&format!("curl {}", posix_quoted(text)));
            assert_eq!(out, [text]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_variables() {
        let http = HttpPlan::default();
        let kept = KeptCredentials {
            origin: "https://h.test".to_owned(),
            kinds: BTreeSet::from(CredentialKind::ALL),
            headers: BTreeSet::from(["x-key".to_owned()]),
        };
        let made = command(&Asked {
            kept: Some(&kept),
            head: true,
            version: None,
            ..asked("https://h.test/", &http)
        });
        let got = words(&made.posix);
        for (option, value) in [
            ("--user", "<LOGIN>"),
            ("--header", "Authorization: Bearer <TOKEN>"),
            ("--header", "x-key: <SECRET>"),
            ("--cookie", "<COOKIES>"),
        ] {
            assert!(got.windows(2).any(|pair| pair == [option, value]), "{option} {value}: {got:?}");
        }
        assert!(
            got.contains(&"--head".to_owned()) && !got.iter().any(|word| word.starts_with("--http")),
            "{got:?}"
        );
        assert!(made.posix.starts_with("# Set LOGIN first: name:password.\n"), "{}", made.posix);
        assert!(made.windows.contains("--cookie ^\"%COOKIES%^\""), "{}", made.windows);
    }

    #[test]
    fn hosts_that_lead_elsewhere_are_named() {
        let check = |url: &str, to: &str, expect: &str| {
            let http = HttpPlan {
                overrides: vec![HostOverride {
                    host: "h.test".to_owned(),
                    port: 443,
                    to: to.parse().expect("an address"),
                }],
                proxy: ProxyRule::Through(ProxyAddress {
                    scheme: ProxyScheme::Socks5h,
                    host: "p.test".to_owned(),
                    port: 1080,
                }),
                version: VersionRule::Http1,
                certificates: CertificateRule::GoOn,
                ..HttpPlan::default()
            };
            let made = command(&Asked { version: None, ..asked(url, &http) }).posix.replace(" \\\n ", "");
            assert_eq!(
                made.contains(" --resolve ") || made.contains(" --connect-to "),
                !expect.is_empty(),
                "{made}"
            );
            assert!(made.contains(expect), "{made}");
            assert!(
                made.contains(" --proxy socks5h://p.test:1080 ") && made.contains(" --insecure "),
                "{made}"
            );
            assert!(made.contains(" --http1.1 "), "{made}");
        };
        check("https://h.test/", "127.0.0.1:443", " --resolve h.test:443:127.0.0.1 ");
        check("https://h.test/", "127.0.0.1:8443", " --connect-to h.test:443:127.0.0.1:8443 ");
        check("https://h.test/", "[::1]:443", " --resolve 'h.test:443:[::1]' ");
        check("http://h.test/", "127.0.0.1:443", "");
        check("https://other.test/", "127.0.0.1:443", "");
    }

    #[test]
    fn the_command_prompt_expands_nothing() {
        let check = |text: &str, expect: &str| assert_eq!(windows_quoted(text, ""), expect, "{text}");
        check("--head", "--head");
        check("", "^\"^\"");
        check("a b", "^\"a b^\"");
        check("https://h.test/?a=1&b=2", "^\"https://h.test/^?a=1^&b=2^\"");
        check("%PATH%", "^\"^%^PATH^%^\"");
        check("%41", "^\"^%^41^\"");
        check("say \"x\\\"", "^\"say \\^\"x\\\\\\^\"^\"");
        check("end\\", "^\"end\\\\^\"");
    }
}
