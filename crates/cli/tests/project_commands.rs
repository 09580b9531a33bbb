//! The program on a project file: what is printed, written and refused once something was audited.

#![cfg(unix)]

mod program;

use program::command;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};

/// The demo site, served until it is dropped, and a folder to work in.
struct Stage {
    served: Child,
    address: String,
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut served =
            command(&["demo"], folder.path()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut first = String::new();
        BufReader::new(served.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
        let address = first.trim().strip_prefix("Demo site: ").expect("an address").to_owned();
        Self { served, address, folder }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command(arguments, self.folder.path()).output().expect("the program starts")
    }

    /// A project with one small crawl.
    fn audited(&self) -> &'static str {
        let limits = ["--max-urls", "8", "--progress", "none", "--project", "p.gossamer"];
        let ended = self.run(&[&["audit", &self.address], limits.as_slice()].concat());
        assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
        "p.gossamer"
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.served.kill();
        let _ = self.served.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn lines_of_a_list_that_are_left_out_are_named() {
    let stage = Stage::new();
    let bad: String = (1..=12).map(|n| format!("not a url {n}\n")).collect();
    std::fs::write(stage.file("list.txt"), format!("ftp://x\n{}\n{bad}", stage.address)).expect("written");
    let ended = stage.run(&["audit", "--list", "list.txt", "--progress", "json"]);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let events: Vec<serde_json::Value> = text(&ended.stderr)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    let named: Vec<&str> = events
        .iter()
        .filter(|event| event["code"] == "list-line")
        .filter_map(|event| event["message"].as_str())
        .collect();
    assert_eq!(named.len(), 11, "{named:?}");
    assert!(named[0].contains("ftp://x") && named[1].contains("not a url 1"), "{named:?}");
    assert!(named[10].contains("3 more"), "{named:?}");
    let finished = events.last().expect("an event");
    assert_eq!((&finished["event"], &finished["counts"]["fetched"]), (&"finished".into(), &1.into()));
    for severity in ["issue", "warning", "opportunity", "note"] {
        assert!(finished["findings"][severity].is_u64(), "{severity}: {finished}");
    }
    let port = stage.address.trim_end_matches('/').rsplit(':').next().expect("a port");
    assert!(stage.file(&format!("127.0.0.1-{port}.gossamer")).exists(), "the port is part of the name");
}

#[test]
fn what_cannot_be_written_is_code_4_and_a_closed_pipe_is_no_fault() {
    let stage = Stage::new();
    let project = stage.audited();
    for format in ["table", "csv", "json"] {
        let show = [
            "sql",
            project,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i, 'x' FROM n",
            "--format",
            format,
        ];
        let mut child = command(&show, stage.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(0), String::new()), "{format}");
        if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
            let ended = command(&show, stage.folder.path()).stdout(full).output().expect("it starts");
            assert_eq!(ended.status.code(), Some(4), "{format}: {}", text(&ended.stderr));
        }
    }
    std::fs::write(stage.file("taken"), "").expect("written");
    for (view, to) in [("v_urls", "absent/urls.csv"), ("all", "taken/below")] {
        let ended = stage.run(&["export", project, view, "--to", to]);
        let complaint = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(4), "{complaint}");
        assert!(complaint.contains(&format!("{to} cannot be written")), "{complaint}");
        assert!(!complaint.contains("os error"), "{complaint}");
    }
    let ended = stage.run(&["export", project, "all", "--to", "taken"]);
    let complaint = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("all views go into a folder; taken is a file"), "{complaint}");
}

#[test]
fn the_last_crawl_is_not_deleted_by_a_number() {
    let stage = Stage::new();
    let project = stage.audited();
    let ended = stage.run(&["crawls", project, "--keep", "0"]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(text(&ended.stderr).contains("at least 1 crawl is kept"), "{}", text(&ended.stderr));
    let crawls = text(&stage.run(&["crawls", project, "--keep", "1"]).stdout);
    assert!(crawls.contains("Deleted 0 crawls.") && crawls.contains("finished"), "{crawls}");
}

#[test]
fn a_crawl_at_work_is_told_from_one_whose_process_was_killed() {
    let stage = Stage::new();
    let slow = ["audit", &stage.address, "--project", "p.gossamer", "--set", "pace.delay=600s"];
    let mut audit = command(&slow, stage.folder.path())
        .args(["--progress", "json"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut news = BufReader::new(audit.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("\"progress\"") || !line.contains("\"crawling\"") {
        line.clear();
        assert!(news.read_line(&mut line).expect("a line") > 0, "the audit ended early");
    }
    let crawls = text(&stage.run(&["crawls", "p.gossamer"]).stdout);
    let process = audit.id();
    assert!(crawls.contains(&format!("running now (process {process})")), "{crawls}");
    let refused = stage.run(&["crawls", "p.gossamer", "--compact"]);
    assert_eq!(refused.status.code(), Some(4));
    assert!(text(&refused.stderr).contains("another gossamer is writing"), "{}", text(&refused.stderr));
    audit.kill().expect("killed");
    audit.wait().expect("it ends");
    let crawls = text(&stage.run(&["crawls", "p.gossamer"]).stdout);
    assert!(crawls.contains("interrupted (can be resumed)"), "{crawls}");
}
