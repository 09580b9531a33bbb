//! Signing in through the desk, judged by what servers on loopback were sent and by the bytes that were written.

use super::*;
use crate::desk::sign_in::{GivenCredential, SignIn};
use crate::logins::CredentialKind;
use crate::secrets::{Keychain, KeychainError};
use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::net::TcpStream;

const SECRET: &str = "hunter2-s3cret";
/// `ada:hunter2-s3cret` as RFC 7617 sends it.
const BASIC: &str = "Basic YWRhOmh1bnRlcjItczNjcmV0";

/// A keychain in memory, which can be locked.
#[derive(Default)]
struct Drawer {
    kept: Mutex<HashMap<String, String>>,
    locked: AtomicBool,
}

impl Drawer {
    fn open(&self) -> Result<MutexGuard<'_, HashMap<String, String>>, KeychainError> {
        if self.locked.load(Ordering::Relaxed) {
            return Err(KeychainError::Refused("it is locked".to_owned()));
        }
        Ok(lock(&self.kept))
    }
}

impl Keychain for Drawer {
    fn read(&self, origin: &str) -> Result<Option<String>, KeychainError> {
        Ok(self.open()?.get(origin).cloned())
    }

    fn write(&self, origin: &str, secret: &str) -> Result<(), KeychainError> {
        self.open()?.insert(origin.to_owned(), secret.to_owned());
        Ok(())
    }

    fn remove(&self, origin: &str) -> Result<(), KeychainError> {
        self.open()?.remove(origin);
        Ok(())
    }
}

/// A site that lets in whoever says `BASIC`, and logs path and Authorization of every request. Its pages are a chain, each
/// with a link to `beside` and with one that redirects there, and held before the fifth.
struct Walled {
    origin: String,
    turnstile: Turnstile,
    log: Arc<Mutex<Vec<(String, Option<String>)>>>,
    open: Arc<AtomicBool>,
}

impl Walled {
    fn start(beside: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let log: Arc<Mutex<Vec<_>>> = Arc::default();
        let open = Arc::new(AtomicBool::new(true));
        let turnstile = Turnstile::before(5);
        let (logged, serving, beside) = (Arc::clone(&log), Arc::clone(&open), beside.to_owned());
        let held = turnstile.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if !serving.load(Ordering::Relaxed) {
                    return;
                }
                let (Ok(stream), logged, beside) = (stream, Arc::clone(&logged), beside.clone()) else {
                    continue;
                };
                let held = held.clone();
                std::thread::spawn(move || answer(stream, &logged, &beside, &held));
            }
        });
        Self { origin, turnstile, log, open }
    }

    fn address(&self) -> String {
        format!("{}/", self.origin)
    }

    fn log(&self) -> Vec<(String, Option<String>)> {
        lock(&self.log).clone()
    }
}

fn answer(
    mut stream: TcpStream,
    log: &Mutex<Vec<(String, Option<String>)>>,
    beside: &str,
    turnstile: &Turnstile,
) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let Some(path) = head.split_whitespace().nth(1) else { return };
    let said = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("authorization").then(|| value.trim().to_owned())
    });
    let is_let_in = said.as_deref() == Some(BASIC) || beside.is_empty();
    lock(log).push((path.to_owned(), said));
    let page = path.trim_start_matches('/').parse::<u64>().unwrap_or(0);
    turnstile.pass(page);
    let next = page + 1;
    let (status, more, body) = match path {
        "/robots.txt" => ("404 Not Found", String::new(), String::new()),
        _ if !is_let_in => {
            ("401 Unauthorized", "www-authenticate: Basic realm=x\r\n".to_owned(), String::new())
        }
        "/away" => ("302 Found", format!("location: {beside}/led\r\n"), String::new()),
        _ => {
            let links = format!("<a href=/{next}>next</a><a href={beside}/linked>o</a><a href=/away>a</a>");
            ("200 OK", String::new(), format!("<title>{page}</title>{links}"))
        }
    };
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    drop(stream.write_all(answer.as_bytes()));
}

impl Drop for Walled {
    fn drop(&mut self) {
        self.open.store(false, Ordering::Relaxed);
        self.turnstile.open();
        // Wakes the listener, so that it sees the end.
        drop(TcpStream::connect(self.origin.trim_start_matches("http://")));
    }
}

fn room_with_drawer() -> (Room, Arc<Drawer>) {
    let drawer = Arc::new(Drawer::default());
    let room = room();
    let engine = Engine::system()
        .with_keychain(Arc::<Drawer>::clone(&drawer), Some(room.at("keychain/credentials.txt")));
    let desk = Desk::new(engine, room.desk.folders.clone());
    (Room { desk, folder: room.folder }, drawer)
}

fn login(password: &str) -> Vec<GivenCredential> {
    vec![GivenCredential::Login { user: "ada".to_owned(), password: password.to_owned() }]
}

fn given(origin: &str, password: &str) -> SignIn {
    SignIn::Given { origin: origin.to_owned(), credentials: login(password) }
}

fn small(address: &str, sign_in: SignIn) -> AuditForm {
    let settings = [("limits.max_urls", "30"), ("fetch.retries", "0")];
    let settings = settings.map(|(id, value)| (id.to_owned(), value.to_owned())).to_vec();
    AuditForm { sign_in, settings, ..form(address) }
}

/// Starts an audit of the walled site and stops it when a few of its pages are read; the project.
fn interrupted(room: &Room, heard: &Receiver<JobNews>, site: &Walled, sign_in: SignIn) -> PathBuf {
    let started = room.desk.start_audit(&small(&site.address(), sign_in)).unwrap();
    until(heard, "pages", |news| news.pages >= 3);
    room.desk.stop_job();
    let stopped = until_over(heard);
    assert_eq!((stopped.state, &stopped.error), (JobState::Stopped, &None));
    assert!(stopped.counts.queued > 0, "{stopped:?}");
    site.turnstile.open();
    PathBuf::from(started.project)
}

/// No file below the folder holds the secret, in clear or as it is sent.
fn assert_nothing_written(folder: &Path) {
    let mut files = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let bytes = std::fs::read(&path).unwrap();
            for secret in [SECRET, BASIC, BASIC.trim_start_matches("Basic ")] {
                let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!found, "{} holds {secret}", path.display());
            }
        }
    }
    assert!(files > 0, "something was written");
}

fn pages_said(site: &Walled) -> (usize, usize) {
    let log = site.log();
    let said = log.iter().filter(|(_, said)| said.as_deref() == Some(BASIC)).count();
    (said, log.len())
}

#[test]
fn a_sign_in_of_one_run_goes_to_its_origin_alone_and_is_written_nowhere() {
    let beside = Walled::start("");
    let site = Walled::start(&beside.origin);
    let (room, drawer) = room_with_drawer();
    let heard = room.news();
    let project = interrupted(&room, &heard, &site, given(&site.origin, SECRET));
    let needed = room.desk.sign_in_needed(&project).unwrap().unwrap();
    assert_eq!(needed.origin, site.origin);
    assert_eq!(needed.kinds, BTreeSet::from([CredentialKind::Login]));

    let refused = room.desk.resume_audit(&project).unwrap_err();
    assert_eq!(refused.code, "credentials");
    let elsewhere = room.desk.resume_audit_as(&project, &given(&beside.origin, SECRET)).unwrap_err();
    assert!(elsewhere.message.contains(&beside.origin) && !elsewhere.message.contains(SECRET), "{elsewhere}");
    room.desk.resume_audit_as(&project, &given(&site.origin, SECRET)).unwrap();
    let done = until_over(&heard);
    assert_eq!((done.state, &done.error), (JobState::Done, &None));
    assert!(done.pages > 20, "it was let in to the end: {done:?}");
    assert_eq!(room.desk.sign_in_needed(&project).unwrap(), None);

    let (said, _) = pages_said(&site);
    assert!(said >= done.pages as usize);
    let elsewhere = beside.log();
    assert!(elsewhere.iter().any(|(path, _)| path == "/linked"), "{elsewhere:?}");
    assert!(elsewhere.iter().all(|(_, said)| said.is_none()), "{elsewhere:?}");
    assert!(lock(&drawer.kept).is_empty() && room.desk.kept_sign_ins().is_empty());
    assert!(!format!("{done:?} {refused:?}").contains(SECRET));
    assert_nothing_written(room.folder.path());
}

#[test]
fn what_is_kept_lets_in_the_start_and_the_resuming_until_it_is_forgotten() {
    let beside = Walled::start("");
    let site = Walled::start(&beside.origin);
    let (room, drawer) = room_with_drawer();
    let heard = room.news();
    let kept = room.desk.keep_sign_in(&site.origin, &login(SECRET)).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].origin.as_str(), kept[0].headers.len()), (site.origin.as_str(), 0));
    assert_eq!(kept[0].kinds, BTreeSet::from([CredentialKind::Login]));
    assert_eq!(room.desk.sign_in_place(&site.address(), None).unwrap().kept.as_ref(), kept.first());

    let project = interrupted(&room, &heard, &site, SignIn::Kept);
    assert_eq!(room.desk.sign_in_needed(&project).unwrap().unwrap().origin, site.origin);
    room.desk.resume_audit(&project).unwrap();
    let done = until_over(&heard);
    assert_eq!(done.state, JobState::Done);
    assert!(done.pages > 20, "{done:?}");
    assert!(beside.log().iter().all(|(_, said)| said.is_none()));

    // Left alone where that is wanted, and gone once it is forgotten.
    let before = pages_said(&site).0;
    room.desk.start_audit(&small(&site.address(), SignIn::Without)).unwrap();
    until_over(&heard);
    assert!(room.desk.forget_sign_in(&site.origin).unwrap().is_empty());
    assert!(lock(&drawer.kept).is_empty());
    room.desk.start_audit(&small(&site.address(), SignIn::Kept)).unwrap();
    until_over(&heard);
    assert_eq!(pages_said(&site).0, before);
    assert_nothing_written(room.folder.path());
}

#[test]
fn a_crawl_may_be_resumed_signed_out_and_says_so() {
    let beside = Walled::start("");
    let site = Walled::start(&beside.origin);
    let (room, _) = room_with_drawer();
    let heard = room.news();
    let project = interrupted(&room, &heard, &site, given(&site.origin, SECRET));
    let before = pages_said(&site).0;
    // Even where the keychain could let it in.
    room.desk.keep_sign_in(&site.origin, &login(SECRET)).unwrap();
    room.desk.resume_audit_as(&project, &SignIn::Without).unwrap();
    let done = until_over(&heard);
    assert_eq!((done.state, pages_said(&site).0), (JobState::Done, before));
    let told: Vec<_> = done.notices.iter().filter(|one| one.code == "credentials-left-out").collect();
    assert_eq!(told.len(), 1, "{:?}", done.notices);
    assert!(told[0].message.starts_with(&format!("{}: resumed without", site.origin)), "{told:?}");
    let caution = room.desk.overview(done.crawl.unwrap()).unwrap().caution.unwrap();
    assert!(caution.contains("resumed without the credentials"), "{caution}");
}

#[test]
fn a_locked_keychain_is_told_with_what_serves_instead() {
    let beside = Walled::start("");
    let site = Walled::start(&beside.origin);
    let (room, drawer) = room_with_drawer();
    let heard = room.news();
    room.desk.keep_sign_in(&site.origin, &login(SECRET)).unwrap();
    drawer.locked.store(true, Ordering::Relaxed);
    let check = |error: ApiError| {
        assert_eq!(error.code, "keychain");
        assert!(error.message.contains("for this run only") && !error.message.contains(SECRET), "{error}");
    };
    check(room.desk.keep_sign_in(&site.origin, &login("other")).unwrap_err());
    check(room.desk.forget_sign_in(&site.origin).unwrap_err());
    check(room.desk.start_audit(&small(&site.address(), SignIn::Kept)).unwrap_err());
    assert_eq!(room.desk.kept_sign_ins().len(), 1, "the list needs no keychain");
    let project = interrupted(&room, &heard, &site, given(&site.origin, SECRET));
    check(room.desk.resume_audit(&project).unwrap_err());
    room.desk.resume_audit_as(&project, &given(&site.origin, SECRET)).unwrap();
    assert_eq!(until_over(&heard).state, JobState::Done);
}

#[test]
fn what_is_wrong_with_a_sign_in_stands_at_its_field_and_repeats_nothing() {
    let room = room();
    let check = |given: &[GivenCredential], expect: &[&str]| {
        let told = room.desk.check_sign_in("https://a.test", given);
        let fields = match &told {
            Ok(()) => Vec::new(),
            Err(error) => error.detail.iter().map(|one| one.field.as_str()).collect(),
        };
        assert_eq!(fields, expect, "{given:?}: {told:?}");
        assert!(!format!("{told:?}{given:?}").contains("hunter2"), "{told:?}");
    };
    let login = |user: &str, password: &str| GivenCredential::Login {
        user: user.to_owned(),
        password: password.to_owned(),
    };
    let header =
        |name: &str, value: &str| GivenCredential::Header { name: name.to_owned(), value: value.to_owned() };
    let bearer = |token: &str| GivenCredential::Bearer { token: token.to_owned() };
    let cookies = |pairs: &str| GivenCredential::Cookies { pairs: pairs.to_owned() };
    check(&[login("ada", "hunter2"), header("X-Key", "hunter2"), cookies("a=hunter2; b=c")], &[]);
    check(&[login("ada", "")], &[]);
    check(&[bearer(" hunter2.a ")], &[]);
    check(&[], &["credentials"]);
    check(&[login("", "hunter2"), bearer("hunter2 b")], &["credentials.0.user", "credentials.1.token"]);
    check(&[login("a:hunter2", "x")], &["credentials.0.user"]);
    check(&[login("Bearer hunter2", "x")], &["credentials.0.user"]);
    check(&[login("ada", "hunter2\n")], &["credentials.0.password"]);
    check(&[login("a\nhunter2", "x")], &["credentials.0.user"]);
    check(&[header("", "hunter2")], &["credentials.0.name"]);
    check(&[header("X Key", "hunter2")], &["credentials.0.name"]);
    check(&[header("Host", "hunter2")], &["credentials.0.name"]);
    check(&[header("X-Key", "hunter2\u{e9}")], &["credentials.0.value"]);
    check(&[header("X-Key", " ")], &["credentials.0.value"]);
    check(&[cookies("hunter2")], &["credentials.0.pairs"]);
    check(&[login("ada", "hunter2"), bearer("hunter2")], &["credentials"]);
    // The form tells it with everything else that is wrong.
    let sign_in = SignIn::Given { origin: "https://a.test".to_owned(), credentials: vec![bearer("")] };
    let told = room.desk.start_audit(&AuditForm { sign_in, ..form("ftp://a.test") }).unwrap_err();
    let fields: Vec<&str> = told.detail.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["address", "credentials.0.token"]);
}

#[test]
fn a_sign_in_is_for_the_one_origin_of_what_is_typed() {
    let room = room();
    let check = |address: &str, expect: &str| {
        assert_eq!(room.desk.sign_in_place(address, None).unwrap().origin, expect, "{address}");
    };
    check("example.com/a?b", "https://example.com");
    check("http://u:hunter2@Example.com:8080/x", "http://example.com:8080");
    check("bücher.example", "https://xn--bcher-kva.example");
    let wrong = room.desk.sign_in_place("ftp://u:hunter2@x", None).unwrap_err();
    assert_eq!(wrong.detail[0].field, "address");
    assert!(!wrong.message.contains("hunter2"), "{wrong}");
    let list = |text: &str| {
        std::fs::write(room.at("list.txt"), text).unwrap();
        room.desk.sign_in_place("", Some(&room.at("list.txt").display().to_string()))
    };
    assert_eq!(list("https://a.test/1\nhttps://a.test/2\n").unwrap().origin, "https://a.test");
    assert_eq!(list("https://a.test/1\nhttps://b.test/\n").unwrap_err().detail[0].field, "list");
}
