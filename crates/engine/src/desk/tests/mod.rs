//! The desk as the window uses it, against the demo site on loopback.

mod profiles;
mod robots;
mod sign_in;
mod slow;

use super::*;
use crate::demo::Demo;
use crate::dto::Phase;
use crate::table::TableQuery;
use model::{Clock, SystemClock};
use slow::{Slow, Turnstile};
use std::io::Write;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

/// Far longer than anything here takes, so that a fault ends a test and a loaded machine does not.
const PATIENCE: Duration = Duration::from_secs(60);

struct Room {
    desk: Desk,
    folder: TempDir,
}

fn room() -> Room {
    room_with(Engine::system())
}

fn room_with(engine: Engine) -> Room {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let folders = Folders { config: at("config"), data: at("data"), projects: at("projects") };
    Room { desk: Desk::new(engine, folders), folder }
}

impl Room {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A desk on the same folders, as after the program was started again.
    fn again(&self) -> Desk {
        Desk::new(self.desk.engine.clone(), self.desk.folders.clone())
    }

    fn news(&self) -> Receiver<JobNews> {
        let (send, receive) = sync_channel(10_000);
        self.desk.subscribe(Box::new(move |news| drop(send.send(news))));
        receive
    }
}

fn form(address: &str) -> AuditForm {
    AuditForm { address: address.to_owned(), ..AuditForm::default() }
}

/// Waits for news of this kind.
fn until(news: &Receiver<JobNews>, what: &str, mut wanted: impl FnMut(&JobNews) -> bool) -> JobNews {
    let mut last = None;
    let began = SystemClock.now();
    let waits = || SystemClock.now().duration_since(began) < PATIENCE;
    while waits()
        && let Ok(one) = news.recv_timeout(PATIENCE)
    {
        if wanted(&one) {
            return one;
        }
        last = Some(one);
    }
    panic!("no news with: {what}; the last was {last:?}");
}

fn until_over(news: &Receiver<JobNews>) -> JobNews {
    until(news, "an end", |news| news.state != JobState::Running)
}

#[test]
fn an_audit_is_told_from_start_to_end() {
    let demo = Demo::start().unwrap();
    let room = room();
    let heard = room.news();
    let started = room.desk.start_audit(&form(&demo.url())).unwrap();
    assert_eq!(
        (started.job, started.state, started.start_url.as_str()),
        (1, JobState::Running, demo.url().as_str())
    );
    assert!(started.crawl.is_some());
    // The project is open, under the path that the news name.
    let card = room.desk.project().unwrap().unwrap();
    assert_eq!(card.path, started.project);
    assert!(Path::new(&card.path).starts_with(room.at("projects")), "{}", card.path);
    let mut revision = 0;
    let last = until(&heard, "an end", |news| {
        let counts = news.counts;
        let sum = counts.fetched + counts.failed + counts.blocked + counts.excluded + counts.over_limit;
        assert_eq!(counts.encountered, sum + counts.not_followed + counts.queued, "{counts:?}");
        assert!(news.revision >= revision && news.rates.len() <= 120);
        revision = news.revision;
        news.state != JobState::Running
    });
    assert_eq!((last.state, &last.error, last.counts.queued), (JobState::Done, &None, 0));
    assert!(last.pages > 10 && last.issues > 0 && last.revision > 0, "{last:?}");
    assert_eq!(room.desk.job().unwrap(), last);
    let card = room.desk.project().unwrap().unwrap();
    assert_eq!((card.crawls.len(), card.crawls[0].state.as_str()), (1, "finished"));
    assert_eq!(card.crawls[0].counts, last.counts);
    // The start screen knows without looking, and another run of the program by looking.
    for desk in [&room.desk, &room.again()] {
        let recent = desk.recent_projects().unwrap();
        assert_eq!(recent.len(), 1);
        assert_eq!(
            (recent[0].state.as_str(), recent[0].pages, recent[0].issues),
            ("finished", last.pages, last.issues)
        );
        assert_eq!(
            (recent[0].path.as_str(), recent[0].start_url.as_str()),
            (card.path.as_str(), demo.url().as_str())
        );
        assert!(!recent[0].missing && !recent[0].resumable);
    }
    // The same site again is a second crawl of the same project, and a second job.
    let second = room.desk.start_audit(&form(&demo.url())).unwrap();
    assert_eq!(
        (second.job, second.project.as_str(), second.crawl),
        (2, card.path.as_str(), last.crawl.map(|n| n + 1))
    );
    until_over(&heard);
}

#[test]
fn a_job_can_be_paused_stopped_and_resumed_and_another_must_wait() {
    let slow = Slow::held_before(5);
    let room = room();
    let heard = room.news();
    let mut audit = form(&slow.address);
    audit.settings = vec![("limits.max_urls".to_owned(), "60".to_owned())];
    let started = room.desk.start_audit(&audit).unwrap();
    let refused = room.desk.start_audit(&form("other.example")).unwrap_err();
    assert_eq!(refused.code, "busy");
    assert!(refused.message.contains(&slow.address), "{}", refused.message);
    assert_eq!(room.desk.resume_audit(Path::new(&started.project)).unwrap_err().code, "busy");

    until(&heard, "pages", |news| news.pages >= 3);
    room.desk.pause_job();
    let paused = until(&heard, "the pause", |news| news.phase == Phase::Paused);
    assert_eq!(paused.state, JobState::Running);
    let recent = room.desk.recent_projects().unwrap();
    assert_eq!((recent[0].state.as_str(), recent[0].resumable), ("running", false));
    room.desk.continue_job();
    slow.turnstile.move_to(10);
    let on = until(&heard, "more pages", |news| news.phase == Phase::Crawling && news.pages > paused.pages);
    room.desk.stop_job();
    let stopped = until_over(&heard);
    assert_eq!((stopped.state, &stopped.error), (JobState::Stopped, &None));
    assert!(stopped.pages >= on.pages && stopped.counts.queued > 0, "{stopped:?}");
    let recent = room.desk.recent_projects().unwrap();
    assert_eq!((recent[0].state.as_str(), recent[0].resumable), ("interrupted", true));

    slow.turnstile.open();
    let resumed = room.desk.resume_audit(Path::new(&started.project)).unwrap();
    assert_eq!((resumed.job, resumed.crawl), (2, started.crawl));
    let done = until_over(&heard);
    assert_eq!((done.state, done.pages), (JobState::Done, 60));
    // What was there before is no work of the second job.
    assert!(done.rates.iter().sum::<f64>() <= (60 - stopped.pages + 1) as f64, "{:?}", done.rates);
    let nothing = room.desk.resume_audit(Path::new(&started.project)).unwrap_err();
    assert_eq!(nothing.code, "cannot_start");
    assert_eq!(room.desk.job().unwrap().job, 2, "a job that never began leaves no trace");
}

#[test]
fn a_crawl_that_was_let_in_is_not_resumed_without_its_credentials() {
    let slow = Slow::held_before(5);
    let room = room();
    let heard = room.news();
    let started = room.desk.start_audit(&form(&slow.address.replace("://", "://ada:s3cret@"))).unwrap();
    until(&heard, "pages", |news| news.pages >= 2);
    room.desk.stop_job();
    assert_eq!(until_over(&heard).state, JobState::Stopped);
    let refused = room.desk.resume_audit(Path::new(&started.project)).unwrap_err();
    assert_eq!(refused.code, "credentials");
    let origin = slow.address.trim_end_matches('/');
    assert!(
        refused.message.contains(origin) && refused.message.contains("credentials"),
        "{}",
        refused.message
    );
    assert!(!refused.message.contains("s3cret"), "{}", refused.message);
    assert_eq!(room.desk.job().unwrap().job, 1, "a job that never began leaves no trace");
    let recent = room.desk.recent_projects().unwrap();
    assert!(recent[0].resumable, "it can still be resumed with credentials");
}

#[test]
fn the_end_of_the_program_settles_the_file() {
    let slow = Slow::held_before(5);
    let room = room();
    assert!(room.desk.shutdown(), "without a job there is nothing to wait for");
    let heard = room.news();
    let started = room.desk.start_audit(&form(&slow.address)).unwrap();
    until(&heard, "pages", |news| news.pages >= 1);
    assert!(room.desk.shutdown());
    let card = room.again().open_project(Path::new(&started.project)).unwrap();
    assert_eq!((card.crawls[0].state.as_str(), card.crawls[0].resumable), ("interrupted", true));
    assert_eq!(store::holder(Path::new(&started.project)), None);
}

#[test]
fn everything_wrong_with_a_form_is_told_before_anything_begins() {
    let room = room();
    let check = |form: AuditForm, code: &str, fields: &[&str]| {
        let error = room.desk.start_audit(&form).unwrap_err();
        let told: Vec<&str> = error.detail.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!((error.code.as_str(), told.as_slice()), (code, fields), "{form:?}: {}", error.message);
        assert!(!error.message.is_empty());
    };
    let set = |settings: &[(&str, &str)], address: &str| AuditForm {
        settings: settings.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect(),
        ..form(address)
    };
    check(form(""), "usage", &["address"]);
    check(form("ftp://example.com/"), "usage", &["address"]);
    check(form("not an address"), "usage", &["address"]);
    check(
        set(&[("pace.delay", "soon"), ("scope.rules", "include ("), ("no.such", "1")], "example.com"),
        "settings",
        &["no.such", "pace.delay", "scope.rules"],
    );
    check(set(&[("pace.delay", "soon")], "ftp://x"), "usage", &["address", "pace.delay"]);
    check(AuditForm { profile: Some("absent".to_owned()), ..form("example.com") }, "usage", &["profile"]);
    let list = |text: &[u8]| {
        std::fs::write(room.at("list.txt"), text).unwrap();
        AuditForm { list: Some(room.at("list.txt").display().to_string()), ..AuditForm::default() }
    };
    check(list(b""), "usage", &["list"]);
    check(list(b"PK\x03\x04"), "usage", &["list"]);
    check(list(b"mailto:a@b.example\nftp://x\n"), "usage", &["list"]);
    check(AuditForm { list: Some("/not/there".to_owned()), ..AuditForm::default() }, "usage", &["list"]);
    assert_eq!(room.desk.job(), None);
    assert!(!room.at("projects").exists() && !room.at("data").exists());
    // A file that is no project is refused by the engine, and left alone.
    std::fs::write(room.at("foreign.gossamer"), "a letter").unwrap();
    let foreign = AuditForm {
        project: Some(room.at("foreign.gossamer").display().to_string()),
        ..form("http://127.0.0.1:9/")
    };
    check(foreign, "project", &[]);
    assert_eq!(std::fs::read(room.at("foreign.gossamer")).unwrap(), b"a letter");
    assert_eq!((room.desk.job(), room.desk.project().unwrap()), (None, None));
}

#[test]
fn a_site_out_of_reach_is_a_failed_job_with_its_reason() {
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let room = room();
    let heard = room.news();
    let mut audit = form(&format!("http://127.0.0.1:{port}/"));
    audit.settings = vec![("fetch.retries".to_owned(), "0".to_owned())];
    room.desk.start_audit(&audit).unwrap();
    let failed = until_over(&heard);
    assert_eq!(failed.state, JobState::Failed);
    let error = failed.error.unwrap();
    assert_eq!(error.code, "cannot_start");
    assert!(error.message.contains("could not be reached"), "{}", error.message);
    assert_eq!(room.desk.recent_projects().unwrap()[0].state, "failed");
}

#[test]
fn a_job_that_fails_at_once_is_never_told_as_running_again() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for _ in 0..5 {
        let room = room();
        let heard = room.news();
        let mut audit = form(&format!("http://127.0.0.1:{port}/"));
        audit.settings = vec![("fetch.retries".to_owned(), "0".to_owned())];
        let returned = room.desk.start_audit(&audit).unwrap();
        let mut told = vec![heard.recv_timeout(PATIENCE).unwrap()];
        while told.last().unwrap().state == JobState::Running {
            // The file says it before the news do.
            told.push(heard.recv_timeout(PATIENCE).unwrap());
        }
        let card = room.desk.project().unwrap().unwrap();
        assert_eq!((card.crawls[0].state.as_str(), card.crawls[0].resumable), ("failed", false));
        let last = told.last().unwrap();
        assert_eq!((last.state, room.desk.job().unwrap()), (JobState::Failed, last.clone()));
        assert!(told.is_sorted_by_key(|news| news.revision), "{told:?}");
        for earlier in told.iter().chain([&returned]).filter(|news| news.state == JobState::Running) {
            assert!(earlier.revision < last.revision, "{earlier:?}");
        }
    }
}

/// Audits a site whose start page links to `links` pages of which every `answering`-th answers, and gives what was told.
fn audit_dying_site(links: u32, answering: u32) -> (Room, JobNews) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let home: String = (1..=links).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
    std::thread::spawn(move || {
        // Ends with the process: nobody connects to it after the test.
        for stream in listener.incoming() {
            use std::io::Read;
            let Ok(mut stream) = stream else { continue };
            let mut head = [0; 4096];
            let read = stream.read(&mut head).unwrap_or(0);
            let line = String::from_utf8_lossy(&head[..read]);
            let page = line.split_whitespace().nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
            if page.parse::<u32>().is_ok_and(|n| n % answering != 0) {
                continue;
            }
            let body = if page.is_empty() { &home } else { "" };
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            drop(stream.write_all(answer.as_bytes()));
        }
    });
    let room = room();
    let heard = room.news();
    let mut audit = form(&address);
    let say = |id: &str, value: &str| (id.to_owned(), value.to_owned());
    audit.settings = vec![say("fetch.retries", "0"), say("pace.concurrency", "1")];
    room.desk.start_audit(&audit).unwrap();
    let done = until_over(&heard);
    (room, done)
}

#[test]
fn a_site_that_goes_down_in_the_middle_is_told_once() {
    let (room, done) = audit_dying_site(80, 1_000);
    let told: Vec<&Notice> = done.notices.iter().filter(|notice| notice.code == "site-down").collect();
    assert_eq!(told.len(), 1, "{:?}", done.notices);
    assert!(told[0].message.contains("stopped answering: 25 requests in a row failed"), "{told:?}");
    let caution = room.desk.overview(done.crawl.unwrap()).unwrap().caution.unwrap();
    let start = format!("{} stopped answering", done.start_url.trim_end_matches('/'));
    assert!(caution.starts_with(&start), "{caution}");
    // One that answers now and then is not down.
    let (room, done) = audit_dying_site(80, 20);
    assert!(done.notices.iter().all(|notice| notice.code != "site-down"), "{:?}", done.notices);
    assert_eq!(room.desk.overview(done.crawl.unwrap()).unwrap().caution, None);
}

#[test]
fn results_go_to_full_paths_and_never_over_a_project() {
    let demo = Demo::start().unwrap();
    let room = room();
    let heard = room.news();
    let mut audit = form(&demo.url());
    // A project with the ending of a table.
    let project = room.at("project.csv");
    audit.project = Some(project.display().to_string());
    let crawl = room.desk.start_audit(&audit).unwrap().crawl.unwrap();
    until_over(&heard);
    let query = TableQuery { table: "urls".to_owned(), crawl, filter: None, sort: None };
    let table = room.desk.open_table(&query, 1).unwrap().table;
    let desk = &room.desk;
    let all = |path: &Path| {
        [
            desk.export_table(table, None, &[], path).map(|_| ()).unwrap_err(),
            desk.broken_link_report(crawl, None, path).map(|_| ()).unwrap_err(),
            desk.export_profile("Default", path).unwrap_err(),
        ]
    };
    for error in all(Path::new("links.csv")) {
        assert_eq!((error.code.as_str(), error.detail[0].field.as_str()), ("usage", "path"));
        let example = room.at("projects").join("links.csv");
        assert_eq!(error.message, format!("A full path is needed, such as {}", example.display()));
    }
    let before = std::fs::read(&project).unwrap();
    for error in all(&project) {
        assert_eq!(error.code, "usage");
        assert!(error.message.contains("is a Gossamer project"), "{error}");
    }
    assert_eq!(std::fs::read(&project).unwrap(), before);
    for error in all(&room.at("absent/links.csv")) {
        assert_eq!(error.code, "unwritable");
        let folder = room.at("absent");
        assert!(
            error.message.ends_with(&format!("the folder {} does not exist", folder.display())),
            "{error}"
        );
    }
    let file = room.desk.engine.open(&project, Access::Read).unwrap();
    let everything = crate::dto::ViewQuery { view: "all".to_owned(), ..Default::default() };
    let error = file.export(&everything, &project).unwrap_err().to_string();
    assert_eq!(error, format!("all views go into a folder; {} is a file", project.display()));
    let urls = crate::dto::ViewQuery { view: "urls".to_owned(), ..Default::default() };
    let error = file.export(&urls, &project).unwrap_err().to_string();
    assert!(error.contains("is a Gossamer project"), "{error}");
}

#[test]
fn a_list_is_audited_as_it_is() {
    let demo = Demo::start().unwrap();
    let room = room();
    let heard = room.news();
    let list = format!("{}\n{}\nftp://no\n", demo.address_of("/"), demo.address_of("/about"));
    std::fs::write(room.at("list.txt"), list).unwrap();
    let form = AuditForm {
        list: Some(room.at("list.txt").display().to_string()),
        address: "not looked at".to_owned(),
        ..AuditForm::default()
    };
    room.desk.start_audit(&form).unwrap();
    let done = until_over(&heard);
    assert_eq!(done.state, JobState::Done);
    assert_eq!(room.desk.project().unwrap().unwrap().crawls[0].job, "list");
    assert_eq!(
        done.notices.iter().filter(|notice| notice.code == "list-line").count(),
        1,
        "{:?}",
        done.notices
    );
}

#[test]
fn projects_are_named_after_the_host_and_numbered_where_the_name_is_taken() {
    let demo = Demo::start().unwrap();
    let room = room();
    let heard = room.news();
    let name = crate::default_project_name(&demo.url()).unwrap();
    // Somebody else's file stands where the project would.
    std::fs::create_dir_all(room.at("projects")).unwrap();
    std::fs::write(room.at("projects").join(&name), "a letter").unwrap();
    let started = room.desk.start_audit(&form(&demo.url())).unwrap();
    let stem = name.file_stem().unwrap().to_string_lossy().into_owned();
    assert_eq!(Path::new(&started.project), room.at("projects").join(format!("{stem}-2.gossamer")));
    until_over(&heard);
    let again = room.desk.start_audit(&form(&demo.url())).unwrap();
    assert_eq!(again.project, started.project);
    until_over(&heard);
}

#[test]
fn the_demo_is_served_and_audited_anew_each_time() {
    let room = room();
    let heard = room.news();
    for _ in 0..2 {
        let started = room.desk.start_demo().unwrap();
        assert_eq!(until_over(&heard).state, JobState::Done);
        let card = room.desk.project().unwrap().unwrap();
        assert_eq!((card.path.as_str(), card.crawls.len()), (started.project.as_str(), 1));
    }
}

/// A clock whose time of day breaks on demand: the nearest thing to a fault of the program.
#[derive(Debug)]
struct BreakingClock(AtomicBool);

impl Clock for BreakingClock {
    fn now(&self) -> Instant {
        SystemClock.now()
    }

    fn wall(&self) -> SystemTime {
        let on_the_job = std::thread::current().name() == Some("job");
        assert!(!(on_the_job && self.0.load(Ordering::Relaxed)), "the clock breaks, as this test wants it");
        SystemClock.wall()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        SystemClock.sleep(duration)
    }
}

#[test]
fn a_fault_of_the_program_is_a_failed_job_and_the_desk_goes_on() {
    let slow = Slow::held_before(5);
    let mut audit = form(&slow.address);
    audit.settings = vec![("limits.max_urls".to_owned(), "20".to_owned())];
    let clock = Arc::new(BreakingClock(AtomicBool::new(true)));
    let seams = fetch::Seams { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..fetch::Seams::system() };
    let room = room_with(Engine::with_seams(seams, Arc::new(store::NoFaults)));
    let error = room.desk.start_audit(&audit).unwrap_err();
    assert_eq!(error.code, "internal");
    assert_eq!(room.desk.job(), None);
    clock.0.store(false, Ordering::Relaxed);
    let heard = room.news();
    room.desk.start_audit(&audit).unwrap();
    until(&heard, "pages", |news| news.pages > 0);
    clock.0.store(true, Ordering::Relaxed);
    slow.turnstile.open();
    let failed = until_over(&heard);
    assert_eq!(
        (failed.state, failed.error.map(|error| error.code)),
        (JobState::Failed, Some("internal".to_owned()))
    );
    clock.0.store(false, Ordering::Relaxed);
    room.desk.resume_audit(Path::new(&failed.project)).unwrap();
    assert_eq!(until_over(&heard).state, JobState::Done);
}

#[test]
fn opening_refuses_what_is_no_project() {
    let room = room();
    let check = |path: &Path, expect: &str| {
        let error = room.desk.open_project(path).unwrap_err();
        assert_eq!(error.code, "project");
        assert!(error.message.contains(expect), "{}", error.message);
    };
    check(&room.at("absent.gossamer"), "no such file");
    std::fs::write(room.at("letter.gossamer"), "Dear reader").unwrap();
    check(&room.at("letter.gossamer"), "not a Gossamer project");
    assert_eq!(room.desk.project().unwrap(), None);
    assert_eq!(room.desk.recent_projects().unwrap(), []);
}

#[test]
fn thirty_recent_projects_are_kept_and_listed_in_no_time() {
    let room = room();
    let engine = Engine::system();
    let path = |number: usize| room.at(&format!("p{number}.gossamer"));
    for number in 0..32 {
        drop(engine.open(&path(number), Access::Write).err());
        // An empty project: made by opening it for writing.
        drop(engine.writer(&path(number)).unwrap());
        room.desk.open_project(&path(number)).unwrap();
    }
    room.desk.open_project(&path(5)).unwrap();
    let clock = SystemClock;
    // Waits until the files have been looked at once.
    let began = clock.now();
    let recent = loop {
        let started = clock.now();
        let recent = room.desk.recent_projects().unwrap();
        let took = clock.now().duration_since(started);
        if took < Duration::from_millis(50) && recent.iter().all(|one| one.state == "empty") {
            break recent;
        }
        assert!(clock.now().duration_since(began) < PATIENCE, "never quick: {took:?}");
    };
    assert_eq!(recent.len(), 30);
    assert_eq!(
        (recent[0].name.as_str(), recent[1].name.as_str(), recent[29].name.as_str()),
        ("p5", "p31", "p2")
    );
    assert!(recent.windows(2).all(|pair| pair[0].opened >= pair[1].opened));
    std::fs::remove_file(path(5)).unwrap();
    let missing = |desk: &Desk| desk.recent_projects().unwrap()[0].missing;
    while !missing(&room.desk) {
        assert!(clock.now().duration_since(began) < PATIENCE, "the missing file is never seen");
    }
    room.desk.forget_project(&path(5).display().to_string()).unwrap();
    assert_eq!(room.desk.recent_projects().unwrap()[0].name, "p31");
    assert_eq!(room.again().recent_projects().unwrap().len(), 29);
}

#[test]
fn preferences_are_kept_and_a_broken_file_is_moved_aside() {
    let room = room();
    assert!(room.desk.preferences().unwrap().is_empty());
    room.desk.set_preference("theme", "dark").unwrap();
    room.desk.set_preference("columns.urls", "[1,2]").unwrap();
    room.desk.set_preference("theme", "light").unwrap();
    let expect = BTreeMap::from([
        ("columns.urls".to_owned(), "[1,2]".to_owned()),
        ("theme".to_owned(), "light".to_owned()),
    ]);
    assert_eq!(room.desk.preferences().unwrap(), expect);
    assert_eq!(room.again().preferences().unwrap(), expect);
    assert_eq!(room.desk.set_preference("", "x").unwrap_err().code, "usage");
    let file = room.at("config/preferences.json");
    for (broken, aside) in [("{\"theme\": ", "preferences.broken.json"), ("[1]", "preferences.broken-2.json")]
    {
        std::fs::write(&file, broken).unwrap();
        assert!(room.desk.preferences().unwrap().is_empty());
        assert_eq!(std::fs::read_to_string(room.at("config").join(aside)).unwrap(), broken);
    }
    // The person hears of it with the next job.
    let heard = room.news();
    room.desk.start_demo().unwrap();
    let told = until_over(&heard).notices;
    assert_eq!(
        told.iter().filter(|notice| notice.message.contains("preferences.broken")).count(),
        2,
        "{told:?}"
    );
}

#[test]
fn files_are_named_beside_the_project_and_addresses_are_checked() {
    let room = room();
    let path = room.desk.export_path("../all URLs", ".c/sv");
    assert_eq!(path, room.at("projects").join("all-URLs.csv"));
    std::fs::create_dir_all(room.at("projects")).unwrap();
    std::fs::write(&path, "taken").unwrap();
    assert_eq!(room.desk.export_path("all URLs", "csv"), room.at("projects").join("all-URLs-2.csv"));
    let check = |text: &str, expect: Option<&str>| {
        assert_eq!(Desk::web_address(text).ok().as_deref(), expect, "{text}");
    };
    check("https://example.com/a b", Some("https://example.com/a%20b"));
    for bad in ["javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.example", "example.com", "", "-h"] {
        check(bad, None);
    }
}

#[test]
fn a_desk_may_be_used_from_any_thread() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Desk>();
}
