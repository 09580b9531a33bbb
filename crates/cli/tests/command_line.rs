//! The program from outside: what it accepts, what it refuses, what it says about itself.

mod program;

use program::command;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run_in(folder: &Path, arguments: &[&str]) -> Ended {
    let output = command(arguments, folder).output().expect("the program starts");
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn run(arguments: &[&str]) -> Ended {
    let folder = tempfile::tempdir().expect("a folder");
    run_in(folder.path(), arguments)
}

#[test]
fn wrong_usage_ends_with_code_2_and_says_what_is_wrong() {
    let check = |arguments: &[&str], expect: &str| {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(expect), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stdout.is_empty(), "nothing but results goes to standard output: {}", ended.stdout);
    };
    check(&[], "Usage");
    check(&["nonsense"], "unrecognized subcommand");
    check(&["audit"], "required");
    check(&["audit", "ftp://example.com"], "only http and https");
    check(&["audit", "not a url"], "not a web address");
    check(&["audit", "http://127.0.0.1:9/", "--set", "fetch.timeout"], "KEY=VALUE");
    check(&["audit", "http://127.0.0.1:9/", "--set", "fetch.timeuot=3"], "did you mean fetch.timeout?");
    check(&["audit", "http://127.0.0.1:9/", "--max-urls", "0"], "limits.max_urls");
    check(&["audit", "http://127.0.0.1:9/", "--profile", "absent.toml"], "absent.toml cannot be read");
    check(&["audit", "--list", "absent.txt"], "absent.txt cannot be read");
    check(&["audit", "http://127.0.0.1:9/", "--fail-on", "new"], "possible values");
    check(&["audit", "http://127.0.0.1:9/", "--progress", "loud"], "possible values");
    check(&["show", "x.gossamer", "--crawl", "first"], "a crawl's number, or all");
    check(&["explain", "no-such-audit-at-all"], "there is no audit");
    check(&["settings", "--template", "--format", "json"], "cannot be used with");
    check(&["robots"], "required");
    check(&["robots", "gopher://x/"], "only http and https");
}

#[test]
fn every_wrong_option_is_named_at_once_and_nothing_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |arguments: &[&str], expect: &[&str]| {
        let ended = run_in(folder.path(), &[&["audit"], arguments].concat());
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
        for part in expect {
            assert!(ended.stderr.contains(part), "{part}: {}", ended.stderr);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{arguments:?}");
    };
    let site = "http://127.0.0.1:9/";
    check(
        &[site, "--set", "a=1", "--set", "b=2", "--header", "bad"],
        &["--header: ", "2 settings are wrong", "\n  a: ", "\n  b: "],
    );
    check(
        &[site, "--set", "one", "--set", "two", "--set", "c=3"],
        &["--set one: ", "--set two: ", "\n  c: "],
    );
    check(&["ftp://x/", "exa mple", "--set", "a=1"], &["only http and https", "exa mple", "\n  a: "]);
    check(&["--list", "absent.txt", "--max-urls", "0"], &["absent.txt cannot be read", "limits.max_urls"]);
    check(&[site, "http://127.0.0.1:10/", "--header", "X-Key: x", "--set", "a=1"], &["several", "\n  a: "]);
    // A profile that cannot be read hides nothing, nor does a number that is none.
    check(
        &[site, "--profile", "absent.toml", "--set", "a=1", "--max-urls", "many", "--depth", "-1"],
        &[
            "absent.toml cannot be read",
            "3 settings are wrong",
            "\n  a: ",
            "limits.max_urls: ",
            "limits.max_depth: ",
        ],
    );
    check(
        &[site, "--resolve", "here", "--resolve", "there", "--project", "absent/p.gossamer"],
        &["http.overrides: ", "“here”", "“there”", "the folder absent does not exist"],
    );
    check(&["ftp://x/", "--project", "."], &["only http and https", ". is not a Gossamer project file"]);
}

#[test]
fn all_that_is_wrong_with_a_test_of_robots_txt_is_named_at_once() {
    let ended = run(&["robots", "ftp://x", "--robots", "absent.txt", "--agent", " "]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    for part in ["only http and https", "absent.txt cannot be read", "The agent is empty"] {
        assert!(ended.stderr.contains(part), "{part}: {}", ended.stderr);
    }
}

#[test]
fn every_wrong_setting_is_named_at_once_and_nothing_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile =
        "version = 1\n[fetch]\ntimeout = \"soon\"\n[scope]\nrules = [\"exclude (\"]\n[unknown]\nx = 1\n";
    std::fs::write(folder.path().join("p.toml"), profile).expect("written");
    let arguments = [
        "audit",
        "http://127.0.0.1:9/",
        "--profile",
        "p.toml",
        "--set",
        "pace.concurrency=0",
        "--progress",
        "none",
    ];
    let ended = run_in(folder.path(), &arguments);
    assert_eq!(ended.code, Some(2));
    for id in ["fetch.timeout", "scope.rules", "unknown.x", "pace.concurrency"] {
        assert!(ended.stderr.contains(id), "{id}: {}", ended.stderr);
    }
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["p.toml"], "no project file is made before the settings are right");
}

#[test]
fn a_project_file_that_is_not_there_is_code_4() {
    for arguments in [
        ["show", "absent.gossamer"].as_slice(),
        &["crawls", "absent.gossamer"],
        &["crawls", "absent.gossamer", "--compact"],
        &["issues", "absent.gossamer"],
        &["sql", "absent.gossamer", "SELECT 1"],
        &["export", "absent.gossamer", "v_urls", "--to", "out.csv"],
        &["resume", "absent.gossamer"],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let ended = run_in(folder.path(), arguments);
        assert_eq!(ended.code, Some(4), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("absent.gossamer"), "{arguments:?}: {}", ended.stderr);
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            0,
            "{arguments:?} made a file"
        );
    }
}

#[test]
fn help_and_version_are_answers_not_errors() {
    let help = run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for word in [
        "audit", "resume", "crawls", "show", "issues", "export", "sql", "robots", "explain", "settings",
        "doctor", "demo", "130",
    ] {
        assert!(help.stdout.contains(word), "{word}");
    }
    let version = run(&["--version"]);
    assert_eq!(
        (version.code, version.stdout.trim()),
        (Some(0), concat!("gossamer ", env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn settings_come_as_a_table_and_as_json() {
    let table = run(&["settings"]);
    assert_eq!(table.code, Some(0));
    assert!(
        table.stdout.lines().any(|line| line.starts_with("fetch.timeout") && line.contains("20s")),
        "{}",
        table.stdout
    );
    let json = run(&["settings", "--format", "json"]);
    let settings: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let settings = settings.as_array().expect("a list");
    let find =
        |id: &str| settings.iter().find(|setting| setting["id"] == id).unwrap_or_else(|| panic!("{id}"));
    assert_eq!(find("pace.concurrency")["default"], "5");
    assert_eq!(
        find("internal_links.anchor")["choices"],
        serde_json::json!(["crawl", "check", "store", "off"])
    );
    assert!(find("agent.user_agent")["help"].as_str().expect("help").contains("recommended"));
    assert!(settings.iter().any(|setting| setting["id"].as_str().is_some_and(|id| id.starts_with("audit."))));
}

#[test]
fn the_template_is_a_profile_and_names_every_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let template = run_in(folder.path(), &["settings", "--template"]).stdout;
    let json = run(&["settings", "--format", "json"]).stdout;
    let settings: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for setting in settings.as_array().expect("a list") {
        let (_, name) = setting["id"].as_str().and_then(|id| id.rsplit_once('.')).expect("section.name");
        assert!(template.contains(&format!("\n# {name} = ")), "{name}");
    }
    // Accepted as it is; a wrong value put into it is refused, so it was read.
    let spoiled = template.replace("# timeout = \"20s\"", "timeout = \"never\"");
    assert_ne!(spoiled, template);
    std::fs::write(folder.path().join("good.toml"), template).expect("written");
    std::fs::write(folder.path().join("bad.toml"), spoiled).expect("written");
    let audit = |profile: &str| {
        // Nothing listens on port 9, so a run that gets past its settings cannot start.
        let arguments = [
            "audit",
            "http://127.0.0.1:9/",
            "--profile",
            profile,
            "--set",
            "fetch.retries=0",
            "--progress",
            "none",
        ];
        run_in(folder.path(), &arguments).code
    };
    assert_eq!(audit("bad.toml"), Some(2));
    assert_eq!(audit("good.toml"), Some(3));
}

#[test]
fn audits_are_listed_and_explained() {
    let list = run(&["explain"]).stdout;
    let id = list
        .lines()
        .find_map(|line| line.split_whitespace().find(|word| *word == "broken-page"))
        .expect("broken-page");
    let text = run(&["explain", id]);
    assert_eq!(text.code, Some(0));
    assert!(
        text.stdout.starts_with("broken-page: ")
            && text.stdout.contains("Why it matters")
            && text.stdout.contains("How to fix it")
    );
    let near = run(&["explain", "broken-pgae"]);
    assert!(near.stderr.contains("did you mean broken-page?"), "{}", near.stderr);
}

#[test]
fn robots_rules_of_a_local_file_are_tested() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("robots.txt"), "User-agent: *\nDisallow: /private/\n")
        .expect("written");
    let ended = run_in(
        folder.path(),
        &["robots", "example.com/private/x", "https://example.com/open", "--robots", "robots.txt"],
    );
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let line = |end: &str| {
        ended
            .stdout
            .lines()
            .find(|line| line.ends_with(end))
            .unwrap_or_else(|| panic!("{}", ended.stdout))
            .to_owned()
    };
    let blocked = line("https://example.com/private/x");
    assert!(
        blocked.starts_with("blocked") && blocked.contains(" 2 ") && blocked.contains("Disallow: /private/"),
        "{blocked}"
    );
    assert!(line("https://example.com/open").starts_with("allowed"));
}

#[test]
fn errors_are_json_where_progress_is_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = run_in(
        folder.path(),
        &["audit", "http://127.0.0.1:9/", "--progress", "json", "--set", "fetch.retries=0"],
    );
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let lines: Vec<serde_json::Value> = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    assert_eq!(lines.last().expect("a line")["event"], "error");
}

#[test]
fn a_list_comes_from_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = command(&["audit", "--list", "-", "--progress", "none"], folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"\n\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds no addresses"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = command(&["settings", "--template"], folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut complaint).expect("read");
    assert_eq!((child.wait().expect("it ends").code(), complaint.as_str()), (Some(0), ""));
}

#[test]
fn the_doctor_finds_this_computer_fit() {
    let ended = run(&["doctor"]);
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("gossamer") && ended.stdout.contains("current folder"));
}

#[cfg(unix)]
#[test]
fn the_demo_is_served_until_it_is_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child =
        command(&["demo"], folder.path()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
    let address = first
        .trim()
        .strip_prefix("Demo site: http://")
        .and_then(|rest| rest.strip_suffix('/'))
        .expect("an address");
    let ask = |path: &str| {
        let mut stream = std::net::TcpStream::connect(address).expect("connected");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    };
    assert!(ask("/").starts_with("HTTP/1.1 200 OK\r\n"));
    assert!(ask("/no-such-page-in-the-shop").starts_with("HTTP/1.1 404 "));
    assert!(ask("/robots.txt").to_ascii_lowercase().contains("user-agent: *"));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn the_pages_of_the_documentation_are_printed() {
    let cli = run(&["docs", "cli"]);
    assert_eq!(cli.code, Some(0));
    assert!(
        cli.stdout.contains("## gossamer audit") && cli.stdout.contains("`--fail-on SEVERITY`"),
        "{}",
        cli.stdout
    );
    let audits = run(&["docs", "audits"]);
    assert!(audits.stdout.starts_with('#') || audits.stdout.starts_with("<!--"), "{}", audits.stdout);
}
