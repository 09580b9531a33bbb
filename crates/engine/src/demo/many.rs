//! A project file of any size, made up: something large to open, scroll, sort and filter without crawling anything.
//!
//! The same number of URLs gives the same site. Numbers derived from links, and the findings of all but the largest, are
//! those of a real crawl, because its analysis is run.

use crate::Engine;
use crate::error::EngineError;
use crate::job::project_error;
use crate::seams::PROGRAM;
use crate::settings;
use audit::{EvaluateError, Limits};
use model::hash::HashSeed;
use model::settings::Start;
use model::state::{FoundBy, Indexability};
use model::{Address, FailureKind, LinkKind, Position, Purpose, UrlState};
use std::path::Path;
use store::{AnswerRow, CrawlStart, Document, Href, NewLink, Shape, StoreError, VisitRow, Writer};

/// URLs at least: the home page and the sections.
pub const FEWEST: u32 = 100;

const SITE: &str = "https://many.example";
/// The moment at which the crawl began, in Unix milliseconds: 1 March 2026, 08:00 UTC.
const BEGAN: i64 = 1_772_352_000_000;
/// Requests a second, for the moments.
const RATE: i64 = 50;
/// URLs up to which the audits are judged too, which takes three times as long as all the rest.
const MOST_JUDGED: u32 = 100_000;
/// URLs that share one list of links.
const SHARING: u32 = 20;
/// URLs after which what was written is committed.
const BATCH: u32 = 20_000;

const SECTIONS: [&str; 12] = [
    "green", "black", "white", "oolong", "herbal", "teaware", "gifts", "recipes", "journal", "harvest",
    "growers", "help",
];
const QUALITIES: [&str; 16] = [
    "Fresh", "Smoky", "Early", "Late", "Mild", "Strong", "Rolled", "Whole", "Mountain", "River", "Small",
    "Old", "Wild", "Shaded", "Roasted", "Élite",
];
const THINGS: [&str; 16] = [
    "leaves", "buds", "blend", "pot", "cup", "caddy", "sampler", "cake", "harvest", "garden", "whisk",
    "kettle", "story", "tasting", "letter", "basket",
];

/// Makes a project file with one finished crawl of `urls` URLs, at least a hundred. Refuses where a file stands already.
pub fn make(path: &Path, urls: u32) -> Result<(), EngineError> {
    if path.exists() {
        return Err(EngineError::CannotStart(format!(
            "{} exists already; it was left as it is",
            path.display()
        )));
    }
    let start =
        Start { seeds: Address::parse(&format!("{SITE}/")).into_iter().collect(), ..Start::default() };
    let plan = settings::plan(start, None, &[])?;
    let failed = |error: StoreError| project_error(path, error);
    let mut writer = Writer::open(path, &Engine::system().store_options()).map_err(failed)?;
    let crawl =
        CrawlStart { job: "audit", started: BEGAN, profile: &plan.said, program: PROGRAM, plan: &plan };
    let mut site = Site { writer: &mut writer, crawl: 0, urls: urls.max(FEWEST), counts: [0; 7] };
    site.write(&crawl).map_err(failed)?;
    let (crawl, site_urls) = (site.crawl, site.urls);
    let finished = BEGAN + i64::from(site_urls) * 1_000 / RATE;
    let counts = site.counts;
    super::around::write(&mut writer, crawl, SITE, BEGAN).map_err(failed)?;
    writer.build_reverse_indexes().map_err(failed)?;
    let derived = if site_urls <= MOST_JUDGED {
        let limits = Limits::new(&plan.thresholds).reading(parse::shingles);
        audit::evaluate(&mut writer, crawl, &limits, &mut |_| true).map(|_| ())
    } else {
        audit::analyse(&mut writer, crawl)
    };
    derived.map_err(|error| match error {
        EvaluateError::Store(error) => failed(error),
        other => EngineError::Internal(other.to_string()),
    })?;
    writer.set_counts(crawl, &counts).map_err(failed)?;
    writer.set_crawl(crawl, "finished", None, Some(finished)).map_err(failed)?;
    writer.settle().map_err(failed)
}

struct Site<'a> {
    writer: &'a mut Writer,
    crawl: i64,
    urls: u32,
    /// In the order of `UrlState::ALL`.
    counts: [u64; 7],
}

/// What a URL is, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    /// To the page with this number.
    Redirect(u32),
    Gone,
    Fault,
    Image,
    Partner,
    Refused,
    Lost,
    Blocked,
    Excluded,
}

impl Kind {
    fn of(n: u32) -> Self {
        match n % 100 {
            // The home page and the first page of each section.
            _ if n <= SECTIONS.len() as u32 + 1 => Self::Page,
            84..=87 => Self::Redirect(n - n % 100 + n % 80),
            88..=90 => Self::Gone,
            91 => Self::Fault,
            92 | 93 => Self::Image,
            94 | 95 => Self::Partner,
            96 => Self::Refused,
            97 => Self::Lost,
            98 => Self::Blocked,
            99 => Self::Excluded,
            _ => Self::Page,
        }
    }

    const fn internal(self) -> bool {
        !matches!(self, Self::Partner | Self::Refused | Self::Lost)
    }

    const fn state(self) -> UrlState {
        match self {
            Self::Lost => UrlState::Failed,
            Self::Blocked => UrlState::Blocked,
            Self::Excluded => UrlState::Excluded,
            _ => UrlState::Fetched,
        }
    }

    const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Lost => Some(FailureKind::Dns.word()),
            Self::Blocked => Some("robots.txt line 3: Disallow: /internal/"),
            Self::Excluded => Some("scope.exclude: /print/"),
            _ => None,
        }
    }

    const fn status(self) -> Option<u16> {
        match self {
            Self::Page | Self::Image | Self::Partner => Some(200),
            Self::Redirect(_) => Some(301),
            Self::Gone => Some(404),
            Self::Fault => Some(500),
            Self::Refused => Some(403),
            Self::Lost | Self::Blocked | Self::Excluded => None,
        }
    }
}

impl Site<'_> {
    fn write(&mut self, start: &CrawlStart) -> Result<(), StoreError> {
        self.writer.begin()?;
        self.crawl = self.writer.add_crawl(start)?;
        let seed = self.writer.seed();
        for n in 1..=self.urls {
            let text = address(n);
            self.writer.add_url(seed.url(&text), &text, Some(model::address::origin_of(&text)))?;
            if n.is_multiple_of(BATCH) {
                self.writer.commit()?;
                self.writer.begin()?;
            }
        }
        let shapes = self.shapes()?;
        let mut list = 0;
        for n in 1..=self.urls {
            if n % SHARING == 1 {
                list = self.list(n, &shapes)?;
            }
            self.url(n, list)?;
            if n.is_multiple_of(BATCH) {
                self.writer.commit()?;
                self.writer.begin()?;
            }
        }
        self.writer.commit()
    }

    /// Navigation, body and footer.
    fn shapes(&mut self) -> Result<[i64; 3], StoreError> {
        let shape = |position, element: &str, rel: &str| Shape {
            kind: LinkKind::Anchor,
            position,
            nofollow: rel == "nofollow",
            noscript: false,
            rel: rel.into(),
            window: "".into(),
            element: element.into(),
        };
        Ok([
            self.writer.shape(&shape(Position::Nav, "body>header>nav>ul>li>a", ""))?,
            self.writer.shape(&shape(Position::Main, "body>main>ul>li>a", ""))?,
            self.writer.shape(&shape(Position::Footer, "body>footer>a", "nofollow"))?,
        ])
    }

    /// The links of the pages from `n` on: the sections, their neighbours, some pages far away, a partner; and in every fortieth
    /// list something that is a problem.
    fn list(&mut self, n: u32, shapes: &[i64; 3]) -> Result<i64, StoreError> {
        let [nav, main, footer] = *shapes;
        let sections = (2..=5).map(|target| (target, nav));
        let near = (0..4)
            .map(|next| (page_near(n.saturating_mul(2).saturating_add(next * 3) % self.urls + 1), main));
        let far = (0..2).map(|turn| (page_near(number(n + turn, 7, self.urls) + 1), main));
        let problem = (n / SHARING).is_multiple_of(40).then(|| (self.problem_near(n), main));
        let partner = (self.at_most(n - n % 100 + 95), footer);
        let targets: Vec<(u32, i64)> =
            sections.chain(near).chain(far).chain(problem).chain(std::iter::once(partner)).collect();
        let texts: Vec<String> = targets.iter().map(|(target, _)| anchor(*target)).collect();
        let links: Vec<NewLink> = targets
            .iter()
            .zip(&texts)
            .enumerate()
            .map(|(at, ((target, shape), text))| NewLink {
                target: Some(*target),
                shape: *shape,
                href: Href::Form(store::Form::Path, ""),
                anchor: Some(text),
                line: 20 + at as u32 * 3,
                size: None,
            })
            .collect();
        self.writer.put_list(u64::from(n), &links)
    }

    fn at_most(&self, n: u32) -> u32 {
        n.min(self.urls)
    }

    fn problem_near(&self, n: u32) -> u32 {
        self.at_most(n - n % 100 + [88, 89, 91, 96, 97, 98][(n / (SHARING * 40)) as usize % 6])
    }

    fn url(&mut self, n: u32, list: i64) -> Result<(), StoreError> {
        let kind = Kind::of(n);
        let host = self.writer.host_of(n)?;
        let state = kind.state();
        self.counts[usize::from(state.code())] += 1;
        let seed = n == 1;
        self.writer.add_visit(
            self.crawl,
            &VisitRow {
                url: n,
                host,
                state,
                purpose: if kind.internal() { Purpose::Crawl } else { Purpose::Check },
                internal: kind.internal(),
                depth: depth(n, kind),
                hops: 0,
                found: if seed { FoundBy::Seed } else { FoundBy::Link },
                source: (!seed).then(|| page_near(n / SHARING + 1)),
                reason: kind.reason(),
            },
        )?;
        if state != UrlState::Fetched && state != UrlState::Failed {
            return Ok(());
        }
        let html = kind == Kind::Page;
        let target = match kind {
            Kind::Redirect(target) => Some(target),
            _ => None,
        };
        self.writer.put_answer(self.crawl, n, &answer(n, kind), target, html.then_some(list))?;
        if html {
            let seed_of_urls = self.writer.seed();
            let document = document(n, seed_of_urls);
            let indexability = if document.noindex { Indexability::Noindex } else { Indexability::Indexable };
            self.writer.put_page(self.crawl, n, &document, indexability)?;
        }
        Ok(())
    }
}

fn answer(n: u32, kind: Kind) -> AnswerRow {
    let status = kind.status();
    let content_type = match kind {
        Kind::Image => "image/webp",
        Kind::Lost => "",
        _ => "text/html; charset=utf-8",
    };
    let bytes = status.map(|_| u64::from(2_000 + number(n, 1, 180_000)));
    let ttfb = 20 + number(n, 2, 60) * number(n, 3, 20);
    AnswerRow {
        method: if kind.internal() { 1 } else { 2 },
        status,
        version: status.map(|_| "HTTP/2"),
        content_type: status.map(|_| content_type.into()),
        bytes,
        transferred: bytes.filter(|_| kind.internal()).map(|bytes| bytes / 4),
        started: BEGAN + i64::from(n) * 1_000 / RATE,
        ttfb_ms: status.map(|_| ttfb),
        total_ms: Some(ttfb + number(n, 4, 90)),
        remote: status.map(|_| "192.0.2.80:443".to_owned()),
        flags: if kind == Kind::Page { store::schema::answer_flags::BODY_READ } else { 0 },
        headers: status
            .map(|_| format!("content-type: {content_type}\nserver: many\ncache-control: max-age=600")),
        error: (kind == Kind::Lost).then(|| "the name could not be resolved".to_owned()),
        ..AnswerRow::default()
    }
}

fn document(n: u32, seed: HashSeed) -> Document {
    let title = title(n);
    let address = address(n);
    // A few pages leave their canonical out.
    let canonical = !n.is_multiple_of(70);
    let h1 = format!("{}, no. {n}", anchor(n));
    let words = 40 + number(n, 5, 1_800);
    let description = (!n.is_multiple_of(9))
        .then(|| format!("{}: how it is grown, made and brewed. Number {n} of our list.", anchor(n)));
    Document {
        hash: u64::from(n),
        content_hash: u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        html_key: u64::from(n),
        title_px: title.as_ref().map_or(0, |title| title.len() as u32 * 9),
        title_count: u32::from(title.is_some()),
        title: title.map(Into::into),
        description_px: description.as_ref().map_or(0, |text| text.len() as u32 * 6),
        description_count: u32::from(description.is_some()),
        description: description.map(Into::into),
        headings: Some(format!("[[1,\"{h1}\",31],[2,\"How to brew it\",52]]")),
        h1: Some(h1.into()),
        h1_count: 1,
        h2: Some("How to brew it".into()),
        h2_count: 1,
        canonical_key: canonical.then(|| seed.url(&address)),
        canonical: canonical.then(|| address.into()),
        canonical_count: u32::from(canonical),
        canonical_distinct: u32::from(canonical),
        flags: if canonical { store::schema::document_flags::CANONICAL_SELF } else { 0 },
        robots: n.is_multiple_of(60).then(|| "noindex, follow".to_owned()),
        noindex: n.is_multiple_of(60),
        lang: Some("en".into()),
        charset: "UTF-8".into(),
        charset_source: "header",
        viewport: Some("width=device-width".into()),
        word_count: words,
        text_bytes: words * 6,
        text_hash: u64::from(n),
        dom_nodes: 120 + words / 3,
        dom_depth: 9 + n % 7,
        ..Document::default()
    }
}

/// Some pages have no title, and some share one.
fn title(n: u32) -> Option<String> {
    match n % 80 {
        7 => None,
        11 => Some("Tea of the month".to_owned()),
        _ => Some(format!("{} – no. {n} | Many Teas", anchor(n))),
    }
}

fn anchor(n: u32) -> String {
    format!(
        "{} {} {}",
        QUALITIES[number(n, 11, 16) as usize],
        SECTIONS[number(n, 12, 12) as usize],
        THINGS[number(n, 13, 16) as usize]
    )
}

fn address(n: u32) -> String {
    let section = SECTIONS[number(n, 12, 12) as usize];
    match Kind::of(n) {
        _ if n == 1 => format!("{SITE}/"),
        Kind::Page if n <= SECTIONS.len() as u32 + 1 => format!("{SITE}/{}/", SECTIONS[n as usize - 2]),
        Kind::Page => format!("{SITE}/{section}/{}-{n}", THINGS[number(n, 13, 16) as usize]),
        Kind::Redirect(_) => format!("{SITE}/old/{section}-{n}.html"),
        Kind::Gone => format!("{SITE}/{section}/sold-out-{n}"),
        Kind::Fault => format!("{SITE}/stock/{n}?refresh=1"),
        Kind::Image => format!("{SITE}/img/{section}/{n}.webp"),
        Kind::Blocked => format!("{SITE}/internal/{n}"),
        Kind::Excluded => format!("{SITE}/print/{section}/{n}"),
        Kind::Partner | Kind::Refused | Kind::Lost => {
            format!("https://partner-{}.example/tea/{n}", number(n, 14, 40))
        }
    }
}

/// A page at or before a number.
fn page_near(n: u32) -> u32 {
    if Kind::of(n) == Kind::Page { n } else { n - n % 100 + n % 80 }
}

/// The greater its number, the deeper a page lies.
fn depth(n: u32, kind: Kind) -> Option<u16> {
    match kind {
        Kind::Lost | Kind::Refused | Kind::Partner => Some(2),
        // Named by a sitemap alone.
        _ if n % 500 == 77 => None,
        _ => Some(n.ilog(20) as u16),
    }
}

/// A number below `below` that is always the same for `n` and looks like none in particular.
fn number(n: u32, salt: u64, below: u32) -> u32 {
    let mut x = (u64::from(n) ^ (salt << 40)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) % u64::from(below.max(1))) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::{Access, CrawlChoice, ViewQuery};
    use report::{CsvStyle, Format};

    fn written(path: &Path, view: &str) -> String {
        let project = Engine::system().open(path, Access::Read).unwrap();
        let query = ViewQuery { view: view.to_owned(), crawl: CrawlChoice::Latest, ..ViewQuery::default() };
        let mut out = Vec::new();
        project.write_view(&query, Format::Csv(CsvStyle::default()), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_numbers_add_up_and_come_again() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(format!("{name}.gossamer")));
        make(&one, 1_500).unwrap();
        make(&two, 1_500).unwrap();
        assert!(make(&one, 1_500).is_err(), "an existing file is left alone");
        for view in ["urls", "pages", "links", "issues", "redirects"] {
            assert_eq!(written(&one, view), written(&two, view), "{view}");
        }
        let [card] =
            <[_; 1]>::try_from(Engine::system().open(&one, Access::Read).unwrap().crawls().unwrap()).unwrap();
        assert_eq!((card.counts.encountered, card.state.as_str()), (1_500, "finished"));
        assert_eq!(written(&one, "urls").lines().count(), 1_501);
        assert!(written(&one, "issues").lines().count() > 100);
    }
}
