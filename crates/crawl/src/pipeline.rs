//! Running a crawl: what it is given, the threads it starts, and how it ends.

use crate::control::Control;
use crate::course::Course;
use crate::lanes::Lanes;
use crate::messages::{ToParse, ToWriter};
use crate::network::Network;
use crate::record::Preparer;
use crate::robots_cache::RobotsCache;
use crate::sitemaps::SITEMAPS_AT_ONCE;
use crate::terms::{Crawl, CrawlError, Ended, Observer};
use crossbeam_channel::{Receiver, bounded};
use fetch::Fetcher;
use model::{LinkKind, Plan, Purpose};
use std::sync::{Arc, Mutex};
use store::{Reader, Writer};

/// Handed out at most over all hosts: bounds sockets and what waits in memory.
const IN_ALL: usize = 160;
/// Handed out per host, as a multiple of its concurrency: enough that parsing and storing never leave the network idle.
const AHEAD: usize = 3;

/// Runs a crawl until nothing is queued, or until it is told to stop. Everything stored stays, whatever the end.
pub fn run(
    crawl: &Crawl,
    writer: &mut Writer,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Ended, CrawlError> {
    let plan = crawl.plan;
    let fetcher = Fetcher::new(plan, crawl.seams.clone())?;
    let per_host = (plan.pace.concurrency * AHEAD).max(2);
    let in_all = IN_ALL.max(per_host);
    // Each URL handed out is at one place at a time and may bring one robots.txt along, so these queues never fill:
    // what is handed out bounds them, and the bytes in them are bounded by the fetcher's budget.
    let (to_parse, parse_inbox) = bounded::<ToParse>(in_all + SITEMAPS_AT_ONCE);
    let (to_writer, inbox) = bounded::<ToWriter>(2 * in_all + SITEMAPS_AT_ONCE);
    let preparer = Arc::new(Preparer {
        seed: writer.seed(),
        codec: writer.codec(),
        store_html: plan.store.html,
        bot: plan.agent.audited_bot.to_ascii_lowercase(),
        drop_parameters: plan.scope.drop_parameters.clone(),
        off: off_kinds(plan),
        large_pages: Mutex::default(),
    });
    // The network thread comes to life first and is dropped first: with it go the senders, and the parse threads end.
    let parsers = start_parsers(&parse_inbox, &to_writer, &preparer, plan.fetch.sitemap_cap)?;
    let network = {
        let (id, plan, path, clock) =
            (crawl.id, plan.clone(), crawl.path.clone(), Arc::clone(&crawl.seams.clock));
        let obey = plan.robots.obey;
        let cache =
            move || RobotsCache::new(id, &plan, path.and_then(|path| Reader::open(&path).ok()), clock);
        Network::start(fetcher.clone(), cache, obey, in_all + SITEMAPS_AT_ONCE, to_parse, to_writer)?
    };
    let lanes = Lanes::new(per_host, in_all);
    let mut course = Course::new(crawl, writer, observer, network, fetcher, lanes);
    let outcome = course.run(control, &inbox);
    if outcome.is_err() {
        course.writer.rollback();
    }
    let ended = course.ended;
    drop(course);
    for parser in parsers {
        let _ = parser.join();
    }
    outcome.map(|()| ended)
}

fn off_kinds(plan: &Plan) -> Vec<LinkKind> {
    let off = |kind: &LinkKind| {
        plan.links.treatment(*kind, true) == model::Treatment::Off
            && plan.links.treatment(*kind, false) == model::Treatment::Off
    };
    LinkKind::ALL.iter().copied().filter(off).collect()
}

fn start_parsers(
    inbox: &Receiver<ToParse>,
    to_writer: &crossbeam_channel::Sender<ToWriter>,
    preparer: &Arc<Preparer>,
    sitemap_cap: u64,
) -> std::io::Result<Vec<std::thread::JoinHandle<()>>> {
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(1, 8);
    (0..threads)
        .map(|n| {
            let (inbox, to_writer, preparer) = (inbox.clone(), to_writer.clone(), Arc::clone(preparer));
            std::thread::Builder::new().name(format!("parse-{n}")).spawn(move || {
                for message in inbox {
                    let made = match message {
                        ToParse::Page { job, bot_allowed, outcome } => {
                            let read = if job.internal { job.purpose } else { Purpose::Check };
                            ToWriter::Record(Box::new(preparer.prepare(
                                job.url,
                                job.host,
                                &job.text,
                                read,
                                bot_allowed,
                                outcome,
                            )))
                        }
                        ToParse::Sitemap { job, outcome } => {
                            ToWriter::Sitemap(Box::new(crate::sitemaps::read(job, outcome, sitemap_cap)))
                        }
                    };
                    if to_writer.send(made).is_err() {
                        return;
                    }
                }
            })
        })
        .collect()
}
