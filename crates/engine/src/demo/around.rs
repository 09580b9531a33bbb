//! What stands around the pages of a made-up project: robots.txt of every host, sitemaps, and what went to and came from each.

use model::address::origin_of;
use store::{CertificateRow, RobotsRow, StoreError, TrafficRow, Value, Writer};

/// Its third line is the one that blocks.
const ROBOTS: &str = "# many.example
User-agent: *
Disallow: /internal/
Disallow: /print/
Disallow: /*?session=
Allow: /internal/press/
Crawl-delay: 0.02

User-agent: Googlebot
Disallow: /internal/

User-agent: GreedyBot
Crawl-delay: soon
Disallow: /

Sitemap: https://many.example/sitemap.xml
";

/// Entries of one sitemap at most (sitemaps.org).
const ENTRIES: i64 = 50_000;

/// A day, in Unix milliseconds.
const DAY: i64 = 86_400_000;

/// Writes it for a crawl whose URLs are written; `site` is the origin of its own pages.
pub(super) fn write(writer: &mut Writer, crawl: i64, site: &str, began: i64) -> Result<(), StoreError> {
    writer.begin()?;
    hosts(writer, crawl, site, began)?;
    sitemaps(writer, crawl, site)?;
    writer.commit()
}

fn hosts(writer: &mut Writer, crawl: i64, site: &str, began: i64) -> Result<(), StoreError> {
    let (first, last) = store::key_range(crawl);
    let mut rows: Vec<(u32, String, TrafficRow)> = Vec::new();
    let sql = "SELECT h.id, h.origin, count(a.key), coalesce(sum(a.transferred), 0), coalesce(sum(a.status IS NULL), 0), coalesce(sum(a.total_ms), 0)
               FROM visit v CROSS JOIN answer a ON a.key = v.key CROSS JOIN host h ON h.id = v.host WHERE v.key BETWEEN ?1 AND ?2 GROUP BY h.id ORDER BY h.id";
    writer.rows(sql, &[first.into(), last.into()], &mut |row| {
        let count = |column: usize| u64::try_from(row.int(column)).unwrap_or_default();
        let traffic = TrafficRow {
            requests: count(2) + 1,
            bytes: count(3),
            errors: count(4),
            total_ms: count(5),
            ..TrafficRow::default()
        };
        rows.push((u32::try_from(row.int(0)).unwrap_or_default(), row.text(1).to_owned(), traffic));
        Ok(())
    })?;
    for (host, origin, mut traffic) in rows {
        let (name, turn) = (origin.trim_start_matches("https://"), i64::from(host));
        traffic.internal = origin == site;
        // A host whose requests all failed is not there.
        let answers = traffic.errors + 1 < traffic.requests;
        if answers {
            traffic.remote = Some(format!("192.0.2.{}:443", host % 200 + 1));
            traffic.version = Some(if host % 3 == 0 { "HTTP/1.1" } else { "HTTP/2" });
            traffic.certificate = Some(CertificateRow {
                from: began - turn % 60 * DAY,
                until: began + (20 + turn % 70) * DAY,
                issuer: "CN=Example TLS CA, O=Example Trust".to_owned(),
                subject: format!("CN={name}"),
                names: format!("{name} www.{name}"),
                fault: None,
            });
        }
        if host % 5 == 4 {
            (traffic.slow_downs, traffic.paused_ms) = (1, 5_000);
        }
        writer.add_traffic(crawl, host, &traffic)?;
        writer.put_robots(crawl, host, &robots(traffic.internal, answers, host, began))?;
    }
    Ok(())
}

fn robots(internal: bool, answers: bool, host: u32, began: i64) -> RobotsRow {
    let row = RobotsRow { fetched: began, ..RobotsRow::default() };
    match (internal, answers, host % 3) {
        (true, ..) => {
            RobotsRow { state: "ok", status: Some(200), crawl_delay: Some(0.02), body: ROBOTS.into(), ..row }
        }
        (_, false, _) => RobotsRow {
            state: "unreachable",
            error: Some("dns: The name could not be resolved.".to_owned()),
            ..row
        },
        (_, _, 0) => RobotsRow { state: "missing", status: Some(404), ..row },
        _ => RobotsRow {
            state: "ok",
            status: Some(200),
            body: b"User-agent: *\nDisallow: /account/\n".to_vec(),
            ..row
        },
    }
}

/// An index and as many sitemaps as the pages need, in the order of the pages.
fn sitemaps(writer: &mut Writer, crawl: i64, site: &str) -> Result<(), StoreError> {
    let (first, last) = store::key_range(crawl);
    let mut pages = 0;
    let counted = "SELECT count(*) FROM page WHERE key BETWEEN ?1 AND ?2";
    writer.rows(counted, &[first.into(), last.into()], &mut |row| {
        pages = row.int(0);
        Ok(())
    })?;
    let files = (pages + ENTRIES - 1) / ENTRIES;
    let url = |file: i64| format!("{}/sitemaps/{file}.xml", origin_of(site));
    let index = add(writer, crawl, &format!("{}/sitemap.xml", origin_of(site)), None, files)?;
    for file in 0..files {
        writer.run(
            "INSERT INTO sitemap_entry(sitemap, n, raw) VALUES(?1, ?2, ?3)",
            &[index.into(), file.into(), url(file).as_str().into()],
        )?;
    }
    for file in 0..files {
        let entries = ENTRIES.min(pages - file * ENTRIES);
        let sitemap = add(writer, crawl, &url(file), Some(index), entries)?;
        writer.run(
            "INSERT INTO sitemap_entry(sitemap, n, url) SELECT ?1, row_number() OVER (ORDER BY key) - 1, key & 4294967295
             FROM (SELECT key FROM page WHERE key BETWEEN ?2 AND ?3 ORDER BY key LIMIT ?4 OFFSET ?5)",
            &[sitemap.into(), first.into(), last.into(), ENTRIES.into(), (file * ENTRIES).into()],
        )?;
    }
    Ok(())
}

fn add(
    writer: &mut Writer,
    crawl: i64,
    url: &str,
    parent: Option<i64>,
    entries: i64,
) -> Result<i64, StoreError> {
    let mut id = 0;
    let kind = if parent.is_some() { "urlset" } else { "index" };
    writer.rows(
        "INSERT INTO sitemap(crawl, url, parent, status, kind, entries, bytes) VALUES(?1, ?2, ?3, 200, ?4, ?5, ?5 * 96) RETURNING id",
        &[crawl.into(), url.into(), parent.map_or(Value::Null, Value::Int), kind.into(), entries.into()],
        &mut |row| {
            id = row.int(0);
            Ok(())
        },
    )?;
    Ok(id)
}
