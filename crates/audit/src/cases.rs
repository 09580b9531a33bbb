//! Cases: tiny sites beside each audit that show it failing and passing.
//!
//! They are data. A test serves each on loopback, crawls it, and compares what the audit found.

use model::state::Indexability;
use model::{FlawKind, LinkKind};

/// What an audit must find on one site, and a site on which it must find nothing.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub failing: Scene,
    pub passing: Scene,
    /// Path on the failing site (`/x`, or `other:/x` on the second origin; a whole URL for facts) and number of findings there.
    /// URLs that are not named have none.
    pub found: &'static [(&'static str, usize)],
    /// Settings said for both crawls, in the words of the command line.
    pub settings: &'static [(&'static str, &'static str)],
}

#[derive(Debug, Clone, Copy)]
pub enum Scene {
    /// A site that is served on loopback and crawled from `/`.
    Site(&'static [Resource]),
    /// A site as it was at one crawl after another, into one project; the findings are those of the last.
    Course(&'static [&'static [Resource]]),
    /// What a crawl would have stored, for what plain http on loopback cannot show: https, a name that does not resolve.
    Facts(&'static [Fact]),
}

/// One URL of a crawl as it is stored. The first of a scene is the start URL.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    pub url: &'static str,
    pub internal: bool,
    /// `None`: no answer, for the reason given.
    pub status: Option<u16>,
    pub reason: Option<&'static str>,
    pub redirect: Option<&'static str>,
    /// HTML with this canonical; `None` is HTML without one when `links` or `resources` is not empty.
    pub canonical: Option<&'static str>,
    /// Targets of anchors.
    pub links: &'static [&'static str],
    /// Links of other kinds: the kind, the target.
    pub resources: &'static [(LinkKind, &'static str)],
    /// Lines of the response's headers, names in lower case.
    pub headers: &'static str,
    /// Flaws of the markup: the kind, what is wrong.
    pub flaws: &'static [(FlawKind, &'static str)],
    /// Statuses of the requests that it took, in their order.
    pub attempts: &'static [u16],
    /// No URL of the crawl but a probe of this kind.
    pub probe: Option<&'static str>,
    /// Of the origin: days until its certificate expires, and the version of HTTP that it speaks.
    pub host: Option<(i64, &'static str)>,
    /// What the second user agent was answered: the status, and what the page then was to search engines.
    pub second: Option<(u16, Option<Indexability>)>,
}

/// One answer of a scripted server. `{site}` and `{other}` in headers and bodies stand for the origins.
#[derive(Debug, Clone, Copy)]
pub struct Resource {
    /// `/path?query`, or `other:/path` on the second origin.
    pub path: &'static str,
    pub status: u16,
    pub headers: &'static [(&'static str, &'static str)],
    pub body: Body,
    /// Waited before the first byte, in milliseconds.
    pub delay_ms: u64,
    /// Status of HEAD where it differs from that of GET.
    pub head_status: Option<u16>,
    /// The connection is closed without an answer.
    pub dropped: bool,
}

/// The body of a resource.
#[derive(Debug, Clone, Copy)]
pub enum Body {
    Text(&'static str),
    /// A complete page: what stands in `head` beside title and description, and in `body` beside the h1.
    Page {
        head: &'static str,
        body: &'static str,
    },
    /// This many bytes.
    Filler(usize),
}

impl Case {
    pub const fn new(
        failing: &'static [Resource],
        found: &'static [(&'static str, usize)],
        passing: &'static [Resource],
    ) -> Self {
        Self { failing: Scene::Site(failing), passing: Scene::Site(passing), found, settings: &[] }
    }

    pub const fn of_facts(
        failing: &'static [Fact],
        found: &'static [(&'static str, usize)],
        passing: &'static [Fact],
    ) -> Self {
        Self { failing: Scene::Facts(failing), passing: Scene::Facts(passing), found, settings: &[] }
    }

    pub const fn of_course(
        failing: &'static [&'static [Resource]],
        found: &'static [(&'static str, usize)],
        passing: &'static [&'static [Resource]],
    ) -> Self {
        Self {
            failing: Scene::Course(failing),
            passing: Scene::Course(passing),
            ..Self::new(&[], found, &[])
        }
    }

    pub const fn with(mut self, settings: &'static [(&'static str, &'static str)]) -> Self {
        self.settings = settings;
        self
    }
}

impl Fact {
    const BLANK: Self = Self {
        url: "",
        internal: true,
        status: None,
        reason: None,
        redirect: None,
        canonical: None,
        links: &[],
        resources: &[],
        headers: "",
        flaws: &[],
        attempts: &[],
        probe: None,
        host: None,
        second: None,
    };

    /// An internal page that answered 200.
    pub const fn page(url: &'static str, links: &'static [&'static str]) -> Self {
        Self { url, status: Some(200), canonical: Some(url), links, ..Self::BLANK }
    }

    /// An internal URL that answered with a redirect.
    pub const fn redirect(url: &'static str, status: u16, to: &'static str) -> Self {
        Self { url, status: Some(status), redirect: Some(to), ..Self::BLANK }
    }

    /// An internal URL that gave no usable answer.
    pub const fn failed(url: &'static str, reason: &'static str) -> Self {
        Self { url, reason: Some(reason), ..Self::BLANK }
    }

    /// What a probe was answered; `None` is no answer.
    pub const fn probe(kind: &'static str, url: &'static str, status: Option<u16>) -> Self {
        Self { url, status, probe: Some(kind), ..Self::BLANK }
    }

    pub const fn with_resources(mut self, resources: &'static [(LinkKind, &'static str)]) -> Self {
        self.resources = resources;
        self
    }

    pub const fn headed(mut self, headers: &'static str) -> Self {
        self.headers = headers;
        self
    }

    pub const fn with_flaws(mut self, flaws: &'static [(FlawKind, &'static str)]) -> Self {
        self.flaws = flaws;
        self
    }

    pub const fn after(mut self, attempts: &'static [u16]) -> Self {
        self.attempts = attempts;
        self
    }

    pub const fn to_second_agent(mut self, status: u16, indexability: Option<Indexability>) -> Self {
        self.second = Some((status, indexability));
        self
    }

    /// Days until the certificate expires, and the version of HTTP.
    pub const fn on_host(mut self, days: i64, version: &'static str) -> Self {
        self.host = Some((days, version));
        self
    }

    /// It was fetched although its certificate has this fault.
    pub const fn despite(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    pub const fn external(mut self) -> Self {
        self.internal = false;
        self
    }

    pub const fn canonical(mut self, canonical: &'static str) -> Self {
        self.canonical = Some(canonical);
        self
    }
}

/// An answer with a status and an empty body.
pub(crate) const fn answer(path: &'static str, status: u16) -> Resource {
    Resource {
        path,
        status,
        headers: &[],
        body: Body::Text(""),
        delay_ms: 0,
        head_status: None,
        dropped: false,
    }
}

/// HTML to the letter.
pub(crate) const fn html(path: &'static str, text: &'static str) -> Resource {
    answer(path, 200).headed(&[("Content-Type", "text/html; charset=utf-8")]).holding(Body::Text(text))
}

/// A page with nothing wrong: its title, description and h1 are of good length and its own; `body` follows the h1.
pub(crate) const fn page(path: &'static str, body: &'static str) -> Resource {
    headed_page(path, "", body)
}

/// As `page`, with more in its head.
pub(crate) const fn headed_page(path: &'static str, head: &'static str, body: &'static str) -> Resource {
    answer(path, 200)
        .headed(&[("Content-Type", "text/html; charset=utf-8")])
        .holding(Body::Page { head, body })
}

pub(crate) const fn redirect(
    path: &'static str,
    status: u16,
    headers: &'static [(&'static str, &'static str)],
) -> Resource {
    answer(path, status).headed(headers)
}

pub(crate) const fn robots(text: &'static str) -> Resource {
    answer("/robots.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Text(text))
}

impl Resource {
    pub const fn headed(mut self, headers: &'static [(&'static str, &'static str)]) -> Self {
        self.headers = headers;
        self
    }

    pub const fn holding(mut self, body: Body) -> Self {
        self.body = body;
        self
    }

    pub const fn late(mut self, delay_ms: u64) -> Self {
        self.delay_ms = delay_ms;
        self
    }

    pub const fn head(mut self, status: u16) -> Self {
        self.head_status = Some(status);
        self
    }

    pub const fn dropped(mut self) -> Self {
        self.dropped = true;
        self
    }

    /// The bytes of the body, the origins put in.
    pub fn bytes(&self, site: &str, other: &str) -> Vec<u8> {
        let text = match self.body {
            Body::Filler(bytes) => return vec![b'x'; bytes],
            Body::Text(text) => text.to_owned(),
            Body::Page { head, body } => whole_page(self.path, head, body),
        };
        placed(&text, site, other).into_bytes()
    }

    /// The headers, the origins put in.
    pub fn named_headers(&self, site: &str, other: &str) -> Vec<(String, String)> {
        self.headers.iter().map(|(name, value)| ((*name).to_owned(), placed(value, site, other))).collect()
    }
}

fn placed(text: &str, site: &str, other: &str) -> String {
    text.replace("{site}", site).replace("{other}", other)
}

/// A page that no audit has anything to say about, whose texts differ from those of other paths.
fn whole_page(path: &str, head: &str, body: &str) -> String {
    let own = path.trim_matches('/').replace(['/', '?', '=', ':', '&'], " ");
    let own = if own.is_empty() { "home" } else { &own };
    let canonical = if head.contains("rel=\"canonical\"") || path.contains(':') {
        String::new()
    } else {
        format!("<link rel=\"canonical\" href=\"{{site}}{path}\">")
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The page named {own} of a small example site</title>\
         <meta name=\"description\" content=\"This is the page named {own}; it belongs to a small example site that exists to be audited.\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{canonical}{head}</head>\n\
         <body><main><h1>All about {own}</h1><h2>More about {own}</h2><p>Text of {own}. <a href=\"/\">Back to the start</a></p>\n{body}</main></body></html>\n"
    )
}
