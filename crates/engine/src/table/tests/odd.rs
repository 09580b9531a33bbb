//! A project made row by row.

use super::*;
use model::settings::Start;
use model::state::{FoundBy, Indexability};
use model::{LinkKind, Position, Purpose, UrlState};
use store::{AnswerRow, CrawlStart, Document, Href, NewLink, Shape, VisitRow, Writer};

/// A project whose texts are hostile, with its pages and the links between them; `finish` builds the index.
pub(super) struct Odd {
    _folder: TempDir,
    pub(super) path: PathBuf,
    pub(super) writer: Writer,
    pub(super) crawl: i64,
}

pub(super) const TITLES: [&str; 9] = [
    "it's",
    "100% sure",
    "a_b",
    "axb",
    "back\\slash",
    "nul\0inside",
    "😀 smile",
    "ÄPFEL und Öl",
    "\"quoted\" -- ; DROP",
];

impl Odd {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd.gossamer");
        let start =
            Start { seeds: vec![model::Address::parse("http://odd.test/").unwrap()], ..Start::default() };
        let plan = crate::settings::plan(start, None, &[]).unwrap();
        let mut writer = Writer::open(&path, &Engine::system().store_options()).unwrap();
        writer.begin().unwrap();
        let crawl = writer
            .add_crawl(&CrawlStart { job: "audit", started: 0, profile: "", program: "test", plan: &plan })
            .unwrap();
        writer.commit().unwrap();
        let mut odd = Self { _folder: folder, path, writer, crawl };
        for title in TITLES {
            odd.page(title, 200);
        }
        odd
    }

    pub(super) fn page(&mut self, title: &str, status: u16) -> u32 {
        self.writer.begin().unwrap();
        let url = self.writer.intern(&format!("http://odd.test/{}", self.writer.known_urls() + 1)).unwrap();
        let host = self.writer.host_of(url).unwrap();
        let visit = VisitRow {
            url,
            host,
            state: UrlState::Fetched,
            purpose: Purpose::Crawl,
            internal: true,
            depth: Some(1),
            hops: 0,
            found: FoundBy::Link,
            source: None,
            reason: None,
        };
        self.writer.add_visit(self.crawl, &visit).unwrap();
        let shape = Shape {
            kind: LinkKind::Anchor,
            position: Position::Main,
            nofollow: false,
            noscript: false,
            rel: "".into(),
            window: "".into(),
            element: "body>a".into(),
        };
        let shape = self.writer.shape(&shape).unwrap();
        // To the page before, to itself, and to nowhere.
        let link = |target| NewLink {
            target,
            shape,
            href: Href::Whole("x:"),
            anchor: Some("a|b\tc"),
            line: 1,
            size: None,
        };
        let links = [link(Some(url.saturating_sub(1).max(1))), link(Some(url)), link(None)];
        let list = self.writer.put_list(u64::from(url), &links).unwrap();
        let answer = AnswerRow { method: 1, status: Some(status), ..AnswerRow::default() };
        self.writer.put_answer(self.crawl, url, &answer, None, Some(list)).unwrap();
        let document = Document { hash: u64::from(url), title: Some(title.into()), ..Document::default() };
        self.writer.put_page(self.crawl, url, &document, Indexability::Indexable).unwrap();
        self.writer.commit().unwrap();
        url
    }
}
