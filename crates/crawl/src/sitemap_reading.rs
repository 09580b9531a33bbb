//! Reading one sitemap while it comes, on a thread of its own: its entries go to the writer in batches.

use crate::sitemap_course::problem;
use crossbeam_channel::Sender;
use model::address::without_userinfo;
use model::{Address, Failure, Outcome};
use parse::{SitemapAlternate, SitemapEntry, SitemapKind, SitemapProblem, SitemapReport};
use std::io::Read;

/// Entries of one batch, and the bytes of their texts.
const BATCH: usize = 500;
const BATCH_BYTES: usize = 256 * 1024;
/// Batches that wait for the writer.
pub(crate) const READ_AHEAD: usize = 2;

/// Some entries in their order.
pub(crate) struct Batch {
    pub kind: SitemapKind,
    /// Number of the first one in its sitemap.
    pub first: u64,
    pub entries: Vec<Entry>,
}

/// One entry with its address resolved, where it is one.
pub(crate) struct Entry {
    pub url: Option<String>,
    pub raw: String,
    pub lastmod: Option<Box<str>>,
    pub alternates: Vec<SitemapAlternate>,
}

/// How a sitemap was answered and read, once all of it has come.
pub(crate) struct SitemapRecord {
    pub row: i64,
    pub status: Option<u16>,
    pub error: Option<String>,
    /// Where the answer leads, if it is a redirect that was not followed.
    pub redirect: Option<String>,
    /// The bytes ended before their announced end, or could not be decoded to it.
    pub damage: Option<SitemapProblem>,
    /// Not all of the answer was read.
    pub truncated: bool,
    pub report: SitemapReport,
}

impl SitemapRecord {
    /// `at` is the address that answered.
    pub(crate) fn new(row: i64, at: &Address, outcome: Outcome, report: SitemapReport) -> Self {
        let answer = match outcome.result {
            Ok(answer) => answer,
            Err(failure) => return Self { report, ..Self::failed(row, &failure) },
        };
        let target =
            answer.header("location").filter(|_| answer.is_redirect()).map(|location| at.join(location));
        let damage = match &answer.decode_error {
            Some(error) => Some(problem("undecodable", error.clone())),
            None if answer.incomplete => {
                Some(problem("incomplete", answer.cut_reason.unwrap_or("the answer broke off")))
            }
            None if answer.truncated => {
                Some(problem("truncated", answer.cut_reason.unwrap_or("the answer was read up to the cap")))
            }
            None => None,
        };
        Self {
            row,
            status: Some(answer.status),
            error: None,
            redirect: target.and_then(Result::ok).map(|target| target.without_credentials().0.to_string()),
            damage,
            truncated: answer.truncated,
            report,
        }
    }

    /// There is no answer.
    pub(crate) fn unanswered(row: i64, why: String) -> Self {
        let report = SitemapReport::default();
        Self { row, status: None, error: Some(why), redirect: None, damage: None, truncated: false, report }
    }

    pub(crate) fn failed(row: i64, failure: &Failure) -> Self {
        Self::unanswered(row, format!("{}: {}", failure.kind, failure.detail))
    }
}

/// Reads up to `cap` decoded bytes of a sitemap. `announce` is called after each batch that was sent.
pub(crate) fn read(
    body: &mut dyn Read,
    address: &Address,
    cap: u64,
    batches: &Sender<Batch>,
    announce: &dyn Fn(),
) -> SitemapReport {
    let mut batch = Batch { kind: SitemapKind::Unknown, first: 0, entries: Vec::new() };
    let mut bytes = 0;
    let send = |batch: &mut Batch| {
        let first = batch.first + batch.entries.len() as u64;
        let full = std::mem::replace(batch, Batch { kind: batch.kind, first, entries: Vec::new() });
        // The receiver goes first only when the crawl is being given up.
        if batches.send(full).is_ok() {
            announce();
        }
    };
    let report = parse::sitemap(body, cap, &mut |entry| {
        batch.kind = entry.kind;
        let entry = resolved(entry, address);
        bytes += entry.raw.len() + entry.url.as_ref().map_or(0, String::len);
        bytes += entry.alternates.iter().map(|one| one.href.len() + one.hreflang.len()).sum::<usize>();
        batch.entries.push(entry);
        if batch.entries.len() >= BATCH || bytes >= BATCH_BYTES {
            send(&mut batch);
            bytes = 0;
        }
    });
    if !batch.entries.is_empty() {
        send(&mut batch);
    }
    report
}

/// Addresses of sitemaps are absolute (sitemaps.org); those of feeds may be relative to the feed.
fn resolved(entry: SitemapEntry, address: &Address) -> Entry {
    let is_feed = matches!(entry.kind, SitemapKind::Rss | SitemapKind::Atom);
    let found = if is_feed { address.join(&entry.loc) } else { Address::parse(&entry.loc) };
    Entry {
        url: found.ok().map(|address| address.without_credentials().0.to_string()),
        raw: without_userinfo(&entry.loc, "…@").into_owned(),
        lastmod: entry.lastmod,
        alternates: entry.alternates,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn read_all(body: &str) -> (Vec<Batch>, SitemapReport) {
        let (sender, batches) = crossbeam_channel::bounded(100);
        let announced = Cell::new(0);
        let address = Address::parse("http://h/feeds/all.xml").expect("an address");
        let report =
            read(&mut body.as_bytes(), &address, 1 << 30, &sender, &|| announced.set(announced.get() + 1));
        let batches: Vec<Batch> = batches.try_iter().collect();
        assert_eq!(batches.len(), announced.get());
        (batches, report)
    }

    #[test]
    fn entries_come_in_batches_by_number_and_by_size() {
        let check = |entries: usize, length: usize, expect: &[usize]| {
            let list: String =
                (0..entries).map(|n| format!("http://h/{n}/{}\n", "x".repeat(length))).collect();
            let (batches, report) = read_all(&list);
            assert_eq!(batches.iter().map(|batch| batch.entries.len()).collect::<Vec<_>>(), expect);
            let mut first = 0;
            for batch in &batches {
                assert_eq!((batch.kind, batch.first), (SitemapKind::Text, first));
                first += batch.entries.len() as u64;
            }
            assert_eq!(report.entries, first);
        };
        check(0, 0, &[]);
        check(500, 0, &[500]);
        check(1_201, 0, &[500, 500, 201]);
        check(40, 8_000, &[17, 17, 6]);
    }

    #[test]
    fn addresses_are_absolute_but_for_feeds() {
        let check = |body: &str, url: Option<&str>, raw: &str| {
            let (batches, _) = read_all(body);
            let entry = &batches[0].entries[0];
            assert_eq!((entry.url.as_deref(), entry.raw.as_str()), (url, raw), "{body}");
        };
        let set = |loc: &str| format!("<urlset><url><loc>{loc}</loc></url></urlset>");
        check(&set("http://u:p@o.test/x#f"), Some("http://o.test/x"), "http://…@o.test/x#f");
        check(&set("/x"), None, "/x");
        check(&set("not a url at all"), None, "not a url at all");
        check("<feed><entry><link href='../x'/></entry></feed>", Some("http://h/x"), "../x");
        check("<rss><channel><item><link>/y</link></item></channel></rss>", Some("http://h/y"), "/y");
    }
}
