//! The shared collection of hard cases: its server, run as a child, and the verdict on the requests it saw.

use crate::paths;
use crate::server::pause;
use model::clock::{Clock, SystemClock};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// The product token that the cases' robots.txt files address.
const TOKEN: &str = "GossamerBot";

/// Ports that one server may need above its base: six for each of the collection's slots.
const PORTS: u16 = 1_000;

/// One case of the collection.
#[derive(Debug, Clone)]
pub struct Case {
    pub id: String,
    pub area: String,
    /// `crawl`, `feed`, `watch`.
    pub kind: String,
    /// The whole `case.json`.
    pub script: Value,
}

/// Every case of the collection, by id; `None`, after saying so, where the collection is absent.
pub fn collection() -> Option<Vec<Case>> {
    let folder = paths::shared("cases/by-case")?;
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<Case> =
        entries.filter_map(|entry| read_case(&entry.ok()?.path().join("case.json"))).collect();
    cases.sort_by(|one, other| one.id.cmp(&other.id));
    Some(cases)
}

fn read_case(file: &Path) -> Option<Case> {
    let script: Value = serde_json::from_str(&std::fs::read_to_string(file).ok()?)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let word = |key: &str| script.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Case { id: word("id"), area: word("area"), kind: word("kind"), script })
}

/// The collection's server with every case on its own ports. Dropping it kills it.
#[derive(Debug)]
pub struct CaseServer {
    child: Child,
    scripts: PathBuf,
    base: u16,
    log: PathBuf,
    ready: Value,
    _folder: TempDir,
}

impl CaseServer {
    /// Starts it; `None`, after saying so, where the collection or Python is absent.
    ///
    /// # Panics
    /// When the server does not come up.
    pub fn start() -> Option<Self> {
        let scripts = paths::shared("cases")?;
        if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
            eprintln!("skipped: python3, which serves the cases, is not installed");
            return None;
        }
        // Several test runs on one computer must not meet: the process number spreads their ports, which stay
        // below the range that systems hand out by themselves (from 32,768 on Linux).
        let first = 12_000 + (std::process::id() % 19) as u16 * PORTS;
        (0..19)
            .map(|turn| 12_000 + (first - 12_000 + turn * PORTS) % (19 * PORTS))
            .find_map(|base| Self::on(&scripts, base))
            .or_else(|| panic!("the case server came up on no port"))
    }

    fn on(scripts: &Path, base: u16) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let (log, ready_file) = (folder.path().join("requests.jsonl"), folder.path().join("ready.json"));
        let mut child = Command::new("python3")
            .arg("-B")
            .arg(scripts.join("serve.py"))
            .arg("--cases")
            .arg(scripts.join("by-case"))
            .arg("--log")
            .arg(&log)
            .arg("--ready")
            .arg(&ready_file)
            .args(["--port-base", &base.to_string(), "--ua-token", TOKEN, "--quiet"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("python3 cannot be started: {error}"));
        let deadline = SystemClock.now() + Duration::from_secs(30);
        loop {
            if let Some(ready) =
                std::fs::read_to_string(&ready_file).ok().and_then(|text| serde_json::from_str(&text).ok())
            {
                return Some(Self { child, scripts: scripts.to_owned(), base, log, ready, _folder: folder });
            }
            // It ends at once when one of its ports is taken.
            if !matches!(child.try_wait(), Ok(None)) || SystemClock.now() > deadline {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            pause(Duration::from_millis(20));
        }
    }

    /// The addresses a crawl of the case starts from.
    pub fn start_urls(&self, id: &str) -> Vec<String> {
        let urls = self.ready["cases"][id]["start"].as_array().cloned().unwrap_or_default();
        urls.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The address of one of a case's origins, without a slash at its end.
    pub fn origin(&self, id: &str, name: &str) -> Option<String> {
        self.ready["cases"][id]["origins"][name].as_str().map(str::to_owned)
    }

    /// The certificate authority that signs the good certificates of the cases.
    pub fn authority(&self) -> PathBuf {
        self.scripts.join("certs").join("ca.pem")
    }

    /// What is wrong with the requests that the server saw for a case; empty when nothing is.
    ///
    /// # Panics
    /// When the grader cannot be run.
    pub fn grade(&self, id: &str) -> Vec<String> {
        let output = Command::new("python3")
            .arg("-B")
            .arg(self.scripts.join("serve.py"))
            .arg("grade")
            .arg("--cases")
            .arg(self.scripts.join("by-case").join(id))
            .arg("--log")
            .arg(&self.log)
            .args(["--port-base", &self.base.to_string(), "--ua-token", TOKEN, "--json"])
            .output()
            .unwrap_or_else(|error| panic!("the grader cannot be started: {error}"));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("the grader says {error}: {}", String::from_utf8_lossy(&output.stderr))
        });
        let Some(case) = report["cases"].get(0) else {
            return vec!["the grader does not know the case".to_owned()];
        };
        if case["result"] == "not run" {
            return vec!["the server was never asked".to_owned()];
        }
        let checks = case["checks"].as_array().cloned().unwrap_or_default();
        checks
            .iter()
            // What merely should hold is not false but null where it does not.
            .filter(|check| check["ok"] != Value::Bool(true))
            .map(|check| {
                format!("{}, saw {}", check["check"].as_str().unwrap_or_default().trim(), check["saw"])
            })
            .collect()
    }
}

impl Drop for CaseServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_serves_and_grades() {
        let Some(server) = CaseServer::start() else { return };
        let id = "robots-own-token";
        assert_eq!(server.grade(id), ["the server was never asked"]);
        let urls = server.start_urls(id);
        assert_eq!(urls, [format!("{}/", server.origin(id, "main").expect("an origin"))]);
        let address = urls[0].trim_start_matches("http://").trim_end_matches('/');
        let mut stream = std::net::TcpStream::connect(address).expect("connect");
        std::io::Write::write_all(
            &mut stream,
            b"GET /mine/y.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        )
        .expect("write");
        std::io::Read::read_to_end(&mut stream, &mut Vec::new()).expect("read");
        let faults = server.grade(id);
        assert!(
            faults.iter().any(|fault| fault.starts_with("must not") && fault.contains("/mine/y.html")),
            "{faults:?}"
        );
    }
}
