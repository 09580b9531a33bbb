//! The form of an audit: one value says everything there is to say about one defect.

use crate::cases::Case;
use crate::hosts::{Probe, SiteForms};
use crate::limits::Limits;
use crate::robots_file::RobotsFile;
use crate::sitemap_entries::Entry;
use model::{ChangeKind, FlawKind};

/// One audit of the catalogue.
#[derive(Debug)]
pub struct Audit {
    /// Kebab-case, names the defect; a public contract.
    pub id: &'static str,
    pub title: &'static str,
    pub family: Family,
    pub severity: Severity,
    pub priority: Priority,
    /// What the rule is asked of; the number of these is the denominator shown with the findings.
    pub scope: Scope,
    /// Raised whenever the rule comes to mean something else, so that a changed rule never counts as a changed site.
    pub version: u32,
    pub rule: Rule,
    pub thresholds: &'static [Threshold],
    /// Findings that weigh differently from the rest.
    pub escalation: Option<Escalation>,
    /// Name and SQL expression of each value shown with a finding, over the columns of `view`.
    pub evidence: &'static [(&'static str, &'static str)],
    pub why: &'static str,
    pub fix: &'static str,
    pub references: &'static [&'static str],
    pub case: Case,
}

/// Groups of the catalogue, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Responses,
    Redirects,
    Robots,
    Canonicals,
    Urls,
    Links,
    International,
    Sitemaps,
    Text,
    Content,
    Images,
    Security,
    Structured,
    Html,
    Change,
}

impl Family {
    pub const ALL: &'static [Self] = &[
        Self::Responses,
        Self::Redirects,
        Self::Robots,
        Self::Canonicals,
        Self::Urls,
        Self::Links,
        Self::International,
        Self::Sitemaps,
        Self::Text,
        Self::Content,
        Self::Images,
        Self::Security,
        Self::Structured,
        Self::Html,
        Self::Change,
    ];

    /// The stored word; a public contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::Redirects => "redirects",
            Self::Robots => "robots",
            Self::Canonicals => "canonicals",
            Self::Urls => "urls",
            Self::Links => "links",
            Self::International => "international",
            Self::Sitemaps => "sitemaps",
            Self::Text => "text",
            Self::Content => "content",
            Self::Images => "images",
            Self::Security => "security",
            Self::Structured => "structured",
            Self::Html => "html",
            Self::Change => "change",
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Self::Responses => "Responses",
            Self::Redirects => "Redirects",
            Self::Robots => "robots.txt and directives",
            Self::Canonicals => "Canonicals",
            Self::Urls => "URLs",
            Self::Links => "Links and structure",
            Self::International => "Pagination and hreflang",
            Self::Sitemaps => "Sitemaps",
            Self::Text => "Titles, descriptions, headings",
            Self::Content => "Content",
            Self::Images => "Images",
            Self::Security => "Security",
            Self::Structured => "Structured data and social",
            Self::Html => "HTML, mobile, performance, accessibility",
            Self::Change => "Change",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Issue,
    Warning,
    Opportunity,
    Note,
}

impl Severity {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Warning => "warning",
            Self::Opportunity => "opportunity",
            Self::Note => "note",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    High,
    Medium,
    Low,
}

impl Priority {
    pub const fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// What a rule is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Internal URLs that were asked for.
    Internal,
    /// External URLs that were asked for.
    External,
    /// Internal URLs that robots.txt keeps us from.
    Blocked,
    /// Internal URLs that answered with a redirect.
    Redirect,
    /// Internal, 2xx, HTML.
    Page,
    /// Pages whose HTML could be read: decoded, and not empty.
    Content,
    /// Those of them that search engines may show; all when the setting `audit.all_pages` says so.
    Indexable,
    /// Links on internal pages.
    Link,
    /// robots.txt of internal hosts.
    Robots,
    /// Internal hosts, each by its home page or the first page it has.
    Host,
    /// The other forms of the start address, and a URL that does not exist.
    Probe,
    /// URLs that the crawl met, asked for or not.
    Met,
    /// Sitemap files that were asked for.
    Sitemap,
    /// What sitemaps list, but for the sitemaps that an index names.
    Entry,
}

impl Scope {
    /// Scopes whose rules run over the row view.
    pub(crate) const OF_ROWS: &'static [Self] = &[
        Self::Internal,
        Self::External,
        Self::Blocked,
        Self::Redirect,
        Self::Page,
        Self::Content,
        Self::Indexable,
        Self::Met,
    ];

    /// The rows of the view that are in this scope, as an SQL condition; `None` for those not made of rows.
    pub(crate) const fn condition(self) -> Option<&'static str> {
        Some(match self {
            Self::Internal => "internal AND (fetched OR failed)",
            Self::External => "NOT internal AND (fetched OR failed)",
            Self::Blocked => "internal AND blocked",
            Self::Redirect => "internal AND fetched AND redirect_id IS NOT NULL",
            Self::Page => "is_page",
            Self::Content => "is_page AND has_content",
            Self::Indexable => "is_page AND has_content AND (indexable OR {all_pages} > 0)",
            Self::Met => "1",
            Self::Link | Self::Robots | Self::Host | Self::Probe | Self::Sitemap | Self::Entry => {
                return None;
            }
        })
    }

    /// What the denominator counts.
    pub const fn counts(self) -> &'static str {
        match self {
            Self::Internal => "internal URLs asked for",
            Self::External => "external URLs asked for",
            Self::Blocked => "internal URLs blocked by robots.txt",
            Self::Redirect => "internal redirects",
            Self::Page => "pages",
            Self::Content => "pages with content",
            Self::Indexable => "indexable pages with content",
            Self::Link => "pages with links",
            Self::Robots => "robots.txt files",
            Self::Host => "internal hosts",
            Self::Probe => "probes",
            Self::Met => "URLs met",
            Self::Sitemap => "sitemap files",
            Self::Entry => "entries of sitemaps",
        }
    }
}

/// How far a row's rule looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The URL's own answer and document: can be judged as soon as they are stored.
    Itself,
    /// Other URLs of the crawl: judged after it.
    Crawl,
}

/// The rule of an audit.
#[derive(Debug)]
pub enum Rule {
    /// A boolean SQL expression over the columns of `view`; `{name}` stands for a threshold.
    Row(Needs, &'static str),
    /// The length of a text, in user-perceived characters, against a threshold; an absent or empty text is never a finding.
    Longer(Text, &'static str),
    /// As `Longer`, but a wide character (Chinese, Japanese, Korean) counts as two: it says and fills as much.
    Shorter(Text, &'static str),
    /// The text, case folded, stands on another row of the scope too.
    Same(Text),
    /// One finding per link occurrence.
    Link(LinkRule),
    /// As `Link`; one of several conditions suffices.
    AnyLink(&'static [LinkRule]),
    /// One SELECT that yields (url, ref) for the crawl `{crawl}` whose keys run from `{first}` to `{last}`.
    Select(&'static str),
    /// One finding per flaw of the markup of this kind, on the pages of the scope.
    Flaw(FlawKind),
    /// Asked of every internal host's robots.txt.
    Robots(fn(&RobotsFile, &Limits) -> bool),
    /// As `Robots`, but gives where each finding points, as in `findings::place`.
    RobotsAt(fn(&RobotsFile) -> Vec<i64>),
    /// As `Row`, asked of one page of every internal host.
    Host(&'static str),
    /// SQL that gives a text where something is wrong with an internal URL that was asked for: one finding per host and text,
    /// at the URL that comes first.
    HostText(&'static str),
    /// Pages whose next pages lead back to them: one finding each, at the link.
    Circle,
    /// Asked of every probe.
    Probe(fn(&Probe, &SiteForms) -> bool),
    /// As `Row` after the crawl; what is asked last is the text of the URL.
    Url(&'static str, fn(&str, &Limits) -> bool),
    /// Pages with the same visible text whose URLs are the same once they are folded. Each is found together with another one.
    Variants(fn(&str) -> Option<String>),
    /// As `Select`, but yields (sitemap, ref): what is found is told of the sitemap's own address.
    Sitemap(&'static str),
    /// What differs from the crawl before, of these kinds; SQL over `c`, the change (before, after), and `v`, the visit.
    Change(&'static [ChangeKind], &'static str),
    /// What became of findings of the crawl before: SQL over `y`, the life (state, absent, judged, crawl).
    Life(&'static str),
    /// Asked of every entry of a sitemap, and told of the sitemap's own address.
    Entry(fn(&Entry, &Limits) -> bool),
}

/// A conjunction of conditions on what a link is made of. Each is evaluated once per distinct value, so a link costs a few
/// array look-ups however many rules there are.
#[derive(Debug, Clone, Copy)]
pub struct LinkRule {
    /// SQL over the columns of `link_shape` with `kind` as its word: kind, nofollow, noscript, rel, window, element.
    pub shape: &'static str,
    pub target: Target,
    /// SQL over the row view of the page that holds the link.
    pub source: Option<&'static str>,
    /// The anchor or alt text; `None` where the text does not exist.
    pub text: Option<fn(Option<&str>, &Limits) -> bool>,
    /// The href as written.
    pub href: Option<fn(&str, &Limits) -> bool>,
    /// The image has no width or no height attribute.
    pub unsized_image: bool,
    /// The target lacks the place that the href's fragment names.
    pub broken_fragment: bool,
    /// The condition on the href holds, too, where it is written without the origin of its target.
    pub or_relative: bool,
}

/// Where a link must lead for a rule to hold.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    Any,
    /// No URL parser accepts the href.
    Missing,
    /// SQL over the row view of the target.
    Row(&'static str),
}

impl LinkRule {
    /// Any link of these shapes.
    pub const fn shaped(shape: &'static str) -> Self {
        Self {
            shape,
            target: Target::Any,
            source: None,
            text: None,
            href: None,
            unsized_image: false,
            broken_fragment: false,
            or_relative: false,
        }
    }

    pub const fn to(mut self, target: &'static str) -> Self {
        self.target = Target::Row(target);
        self
    }

    /// No URL parser accepts the href.
    pub const fn to_nowhere(mut self) -> Self {
        self.target = Target::Missing;
        self
    }

    pub const fn from(mut self, source: &'static str) -> Self {
        self.source = Some(source);
        self
    }

    pub const fn with_text(mut self, text: fn(Option<&str>, &Limits) -> bool) -> Self {
        self.text = Some(text);
        self
    }

    pub const fn with_href(mut self, href: fn(&str, &Limits) -> bool) -> Self {
        self.href = Some(href);
        self
    }

    pub const fn of_unsized_image(mut self) -> Self {
        self.unsized_image = true;
        self
    }

    pub const fn or_relative(mut self) -> Self {
        self.or_relative = true;
        self
    }

    pub const fn with_broken_fragment(mut self) -> Self {
        self.broken_fragment = true;
        self
    }
}

/// A text of a page that is measured or compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    Title,
    Description,
    H1,
    H2,
    /// All visible text, with the title: compared, never measured.
    Content,
}

impl Text {
    pub(crate) const fn column(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::H1 => "h1",
            Self::H2 => "h2",
            Self::Content => "CASE WHEN text_hash <> 0 THEN text_hash || ' ' || coalesce(title, '') END",
        }
    }

    /// What it is, in words.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Content => "title and visible text",
            Self::Title | Self::Description | Self::H1 | Self::H2 => self.column(),
        }
    }
}

/// A number of a rule that people may change: the setting `audit.<name>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Lower case with underscores.
    pub name: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    pub unit: Unit,
    pub min: u64,
    pub max: u64,
    pub default: u64,
}

/// What a threshold counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Characters,
    Pixels,
    Links,
    Hops,
    Clicks,
    Seconds,
    Days,
    Percent,
    Words,
    Milliseconds,
    Bytes,
    Parameters,
    Urls,
    Elements,
    /// Of a scale.
    Points,
    /// 0 or 1.
    Switch,
}

/// Findings that fulfil a further condition weigh differently. Read when findings are shown, with the thresholds they were
/// evaluated with.
#[derive(Debug, Clone, Copy)]
pub struct Escalation {
    /// SQL over the columns of `view`; `{name}` stands for a threshold of the audit.
    pub when: &'static str,
    pub severity: Severity,
    pub priority: Priority,
}
