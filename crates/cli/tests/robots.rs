//! `gossamer robots` from outside: what it asks for, what it tells, and how it ends.

mod program;

use program::command;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A server of one robots.txt, with the lines of the requests it got.
struct Site {
    origin: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Answers every request with what `answer` makes of its path: the head without its last line, and the body.
    fn start(answer: impl Fn(&str) -> (String, String) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&log);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that speaks TLS, or goes away, is none of this server's.
                let _ = serve(stream, &answer, &told);
            }
        });
        Self { origin, log }
    }

    fn robots(text: &'static str) -> Self {
        Self::start(move |path| match path {
            "/robots.txt" => ("200 OK".to_owned(), text.to_owned()),
            _ => ("404 Not Found".to_owned(), String::new()),
        })
    }

    fn status(status: &'static str) -> Self {
        Self::start(move |_| (status.to_owned(), String::new()))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    fn asked(&self) -> Vec<String> {
        self.log.lock().expect("the log").clone()
    }
}

fn serve(
    mut stream: TcpStream,
    answer: &impl Fn(&str) -> (String, String),
    log: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut agent = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("user-agent")
        {
            agent = value.trim().to_owned();
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    log.lock().expect("the log").push(format!("{path} {agent}"));
    let (head, body) = answer(path);
    write!(stream, "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(arguments: &[&str]) -> Ended {
    run_in(Path::new("."), arguments)
}

fn run_in(folder: &Path, arguments: &[&str]) -> Ended {
    let output = command(arguments, folder).output().expect("the program starts");
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The row of an address, its columns separated by single spaces.
fn row(ended: &Ended, url: &str) -> String {
    let found = ended.stdout.lines().find(|line| line.ends_with(&format!(" {url}")));
    let line = found.unwrap_or_else(|| panic!("{url} is not told:\n{}{}", ended.stdout, ended.stderr));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

const RULES: &str = "User-agent: *
Disallow: /private/
Crawl-delay: 1.5
User-agent: Googlebot
Disallow: /cart
Crawl-delay: soon
Sitemap: https://example.com/sitemap.xml
";

#[test]
fn each_robots_txt_is_asked_for_once_and_under_our_own_name() {
    let (one, other) = (Site::robots(RULES), Site::robots("User-agent: GossamerBot\nDisallow: /\n"));
    let urls = [one.url("/private/a"), other.url("/x"), one.url("/open"), other.url("/y?z"), one.url("/")];
    let mut arguments = vec!["robots"];
    arguments.extend(urls.iter().map(String::as_str));
    let ended = run(&arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let check = |url: &str, expect: &str| assert_eq!(row(&ended, url), format!("{expect} {url}"));
    check(&urls[0], "blocked 2 Disallow: /private/");
    check(&urls[1], "blocked 2 Disallow: /");
    check(&urls[2], "allowed no rule matches");
    check(&urls[3], "blocked 2 Disallow: /");
    check(&urls[4], "allowed no rule matches");
    for site in [&one, &other] {
        let asked = site.asked();
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert!(asked[0].starts_with("/robots.txt GossamerBot/"), "{asked:?}");
    }
}

#[test]
fn what_is_known_of_a_file_stands_above_the_verdicts() {
    let site = Site::robots(RULES);
    let ended = run(&["robots", &site.url("/cart"), "--agent", "Googlebot/2.1 (x)"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for part in [
        &format!("{}/robots.txt: status 200", site.origin),
        "group for Googlebot: Googlebot",
        "sitemap: https://example.com/sitemap.xml (line 7)",
        "problem: line 6: bad-crawl-delay: This Crawl-delay is not a number of seconds; it is skipped. Crawl-delay: soon",
    ] {
        assert!(ended.stdout.contains(part), "{part}\n{}", ended.stdout);
    }
    assert!(!ended.stdout.contains("crawl delay:"), "the group's own is no number\n{}", ended.stdout);
    assert_eq!(row(&ended, &site.url("/cart")), format!("blocked 5 Disallow: /cart {}", site.url("/cart")));
    let star = run(&["robots", &site.url("/")]);
    assert!(star.stdout.contains("group for GossamerBot: *"), "{}", star.stdout);
    assert!(star.stdout.contains("crawl delay: 1.5 s"), "{}", star.stdout);
}

#[test]
fn redirects_are_followed_and_told() {
    let target = Site::robots("User-agent: *\nDisallow: /moved\n");
    let location = target.url("/robots.txt");
    let site = Site::start(move |path| match path {
        "/robots.txt" => ("301 Moved Permanently\r\nLocation: /second".to_owned(), String::new()),
        _ => (format!("302 Found\r\nLocation: {location}"), String::new()),
    });
    let ended = run(&["robots", &site.url("/moved")]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(
        row(&ended, &site.url("/moved")),
        format!("blocked 2 Disallow: /moved {}", site.url("/moved"))
    );
    for part in [
        format!("redirect: 301 from {}", site.url("/robots.txt")),
        format!("redirect: 302 from {}", site.url("/second")),
        format!("read at: {}", target.url("/robots.txt")),
    ] {
        assert!(ended.stdout.contains(&part), "{part}\n{}", ended.stdout);
    }
}

#[test]
fn an_answer_without_rules_is_told_apart_from_none() {
    let check = |status: &'static str, verdict: &str, outcome: &str| {
        let site = Site::status(status);
        let ended = run(&["robots", &site.url("/x")]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(row(&ended, &site.url("/x")), format!("{verdict} {}", site.url("/x")));
        let expect = format!("{}/robots.txt: {outcome}\n", site.origin);
        assert!(ended.stdout.starts_with(&expect), "{expect}\n{}", ended.stdout);
        // A group is told, or that there is none, only where it is known.
        let group = ended.stdout.contains("group for GossamerBot: none speaks to it");
        assert_eq!(group, verdict.starts_with("allowed"), "{status}\n{}", ended.stdout);
        assert_eq!(ended.stdout.contains("group for"), group, "{status}\n{}", ended.stdout);
    };
    check("404 Not Found", "allowed no rule matches", "status 404: no rules");
    check("403 Forbidden", "allowed no rule matches", "status 403: no rules");
    let unknown = "the rules are unknown; an audit goes on with a warning";
    check("503 Busy", "unknown the rules are unknown", &format!("status 503: {unknown}"));
    check("429 Slower", "unknown the rules are unknown", &format!("status 429: {unknown}"));
}

/// An origin at which nobody listens.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

#[test]
fn where_nobody_answers_the_job_could_not_start() {
    let dead = nobody();
    let ended = run(&["robots", &format!("{dead}/x")]);
    assert_eq!(ended.code, Some(3), "{}", ended.stdout);
    assert_eq!(ended.stdout, "");
    assert!(ended.stderr.contains(&format!("{dead}/robots.txt: connect: ")), "{}", ended.stderr);

    let site = Site::robots(RULES);
    let ended = run(&["robots", &format!("{dead}/x"), &site.url("/")]);
    assert_eq!(ended.code, Some(0), "one answered: {}", ended.stderr);
    let url = format!("{dead}/x");
    assert_eq!(row(&ended, &url), format!("unknown the rules are unknown {url}"));
    // Of rules that nobody knows, no group is told; the other file's is.
    let told = |origin: &str| {
        let head = format!("{origin}/robots.txt: ");
        let part = ended.stdout.split("\n\n").find(|part| part.starts_with(&head));
        part.unwrap_or_else(|| panic!("{origin} is not told:\n{}", ended.stdout)).to_owned()
    };
    assert!(told(&dead).contains("the rules are unknown"), "{}", ended.stdout);
    assert!(!told(&dead).contains("group for"), "{}", ended.stdout);
    assert!(told(&site.origin).contains("group for GossamerBot: *"), "{}", ended.stdout);
}

#[test]
fn an_address_without_scheme_is_asked_over_http_where_https_does_not_connect() {
    let site = Site::robots(RULES);
    let host = site.origin.trim_start_matches("http://");
    let ended = run(&["robots", &format!("{host}/private/x"), &format!("{host}/")]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let url = site.url("/private/x");
    assert_eq!(row(&ended, &url), format!("blocked 2 Disallow: /private/ {url}"));
    let asked: Vec<String> =
        site.asked().into_iter().filter(|line| line.starts_with("/robots.txt")).collect();
    assert_eq!(asked.len(), 1, "{asked:?}");
}

#[test]
fn rows_are_written_for_programs_too() {
    let site = Site::robots(RULES);
    let url = site.url("/cart/x");
    let ended = run(&["robots", &url, "--agent", "Googlebot", "--format", "json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let rows: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let row = &rows[0];
    for (column, expect) in [
        ("url", url.as_str()),
        ("verdict", "blocked"),
        ("rule", "Disallow: /cart"),
        ("group", "Googlebot"),
        ("agent", "Googlebot"),
        ("reason", "Line 5 decides: Disallow: /cart"),
        ("robots_txt", &site.url("/robots.txt")),
        ("outcome", "status 200"),
        ("sitemaps", "https://example.com/sitemap.xml"),
        ("problems", "line 6: bad-crawl-delay"),
    ] {
        assert_eq!(row[column], expect, "{column}: {row}");
    }
    assert_eq!((&row["line"], &row["status"], &row["redirects"]), (&5.into(), &200.into(), &0.into()));
    let csv = run(&["robots", &url, "--format", "csv"]);
    let expect = format!("{url},allowed,,,*,GossamerBot,");
    assert!(csv.stdout.lines().nth(1).is_some_and(|line| line.starts_with(&expect)), "{}", csv.stdout);
}

#[test]
fn a_local_file_is_read_and_nothing_is_asked() {
    let site = Site::robots(RULES);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("new.txt"), "\u{FEFF}User-agent: *\r\nDisallow: /*.pdf$\r\n")
        .expect("written");
    let pdf = site.url("/a.pdf");
    let ended = run_in(folder.path(), &["robots", &pdf, &site.url("/a.pdf?x"), "--robots", "new.txt"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(row(&ended, &pdf), format!("blocked 2 Disallow: /*.pdf$ {pdf}"));
    assert!(row(&ended, &site.url("/a.pdf?x")).starts_with("allowed"));
    assert!(ended.stdout.starts_with("new.txt: read from disk\n"), "{}", ended.stdout);
    assert_eq!(site.asked(), Vec::<String>::new());

    let missing = run_in(folder.path(), &["robots", &pdf, "--robots", "absent.txt"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.contains("absent.txt cannot be read"), "{}", missing.stderr);
}

#[test]
fn every_address_that_is_none_is_named() {
    let ended = run(&["robots", "https://exa mple/", "ftp://x/", "example.com"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("exa mple") && ended.stderr.contains("only http and https"),
        "{}",
        ended.stderr
    );
    let ended = run(&["robots", "example.com", "--agent", " "]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}

#[test]
fn credentials_are_not_shown() {
    let site = Site::robots(RULES);
    let with = site.url("/private/a").replace("http://", "http://user:secret@");
    let ended = run(&["robots", &with, "--format", "json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(!ended.stdout.contains("secret") && ended.stdout.contains("blocked"), "{}", ended.stdout);
}
