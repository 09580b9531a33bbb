//! A project made row by row.

use crate::made::Made;
use model::state::Indexability;
use model::{LinkKind, Position, UrlState};
use store::{AnswerRow, Document, Href, NewLink, Shape};

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

/// A project whose texts are hostile, with its pages and the links between them.
pub(super) fn odd() -> Made {
    let mut odd = Made::audit("http://odd.test/");
    for title in TITLES {
        odd.titled(title, 200);
    }
    odd
}

impl Made {
    pub(super) fn titled(&mut self, title: &str, status: u16) -> u32 {
        self.writer.begin().unwrap();
        let address = format!("http://odd.test/{}", self.writer.known_urls() + 1);
        let visit = self.met(&address, UrlState::Fetched);
        let url = visit.url;
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
