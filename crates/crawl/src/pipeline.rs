//! Running a crawl: what it is given, the threads it starts, and how it ends.

use crate::agents::{self, Compared};
use crate::confirm::Followed;
use crate::control::Control;
use crate::course::Course;
use crate::earlier::EarlierPages;
use crate::extras::EXTRAS_AT_ONCE;
use crate::fields::Fields;
use crate::lanes::Lanes;
use crate::messages::{ToParse, ToWriter};
use crate::network::{Around, Network};
use crate::record::{Preparer, Record, every_attempt};
use crate::rewriting::Rewriting;
use crate::robots_cache::RobotsCache;
use crate::sitemap_reading::READ_AHEAD;
use crate::sitemaps::{SITEMAPS_AT_ONCE, Sitemaps};
use crate::terms::{Crawl, CrawlError, Ended, Observer};
use crossbeam_channel::{Receiver, Sender, bounded};
use fetch::Fetcher;
use model::{LinkKind, Plan, Purpose};
use std::sync::Arc;
use store::{Reader, Writer};

/// Handed out at most over all hosts: bounds sockets and what waits in memory.
const IN_ALL: usize = 160;
/// Messages of one sitemap: its entries in batches that wait or are being sent, its end, and a robots.txt.
const PER_SITEMAP: usize = READ_AHEAD + 3;
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
    control.watch(fetcher.hosts_now());
    let per_host = (plan.pace.concurrency * AHEAD).max(2);
    let in_all = IN_ALL.max(per_host);
    // Each URL handed out is at one place at a time and may bring one robots.txt along, so these queues never fill:
    // what is handed out bounds them, and the bytes in them are bounded by the fetcher's budget. A sitemap's bytes and
    // entries are not in them: they take a way of their own, which is as narrow.
    let (to_parse, parse_inbox) = bounded::<ToParse>(in_all + EXTRAS_AT_ONCE);
    let (to_writer, inbox) =
        bounded::<ToWriter>(2 * (in_all + EXTRAS_AT_ONCE) + SITEMAPS_AT_ONCE * PER_SITEMAP);
    let preparer = Arc::new(Preparer {
        seed: writer.seed(),
        codec: writer.codec(),
        store_html: plan.store.html,
        bot: plan.agent.audited_bot.to_ascii_lowercase(),
        rewriting: Rewriting::new(plan),
        off: off_kinds(plan),
        large_pages: Arc::default(),
        traps: plan.limits.pause_traps,
        echoes: fetch::Echoes::of(&plan.secrets),
        fields: Fields::of(&writer.fields()?),
    });
    // The network thread comes to life first and is dropped first: with it go the senders, and the parse threads end.
    let parsers = start_parsers(&parse_inbox, &to_writer, &preparer, control)?;
    let network = {
        let (id, plan, path, clock) =
            (crawl.id, plan.clone(), crawl.path.clone(), Arc::clone(&crawl.seams.clock));
        let policy = plan.policy;
        let around = Around {
            clock: Arc::clone(&clock),
            resolver: Arc::clone(&crawl.seams.resolver),
            patience: plan.fetch.timeout,
            download: plan.fetch.download_resources,
            sitemap_cap: plan.fetch.sitemap_cap,
            earlier: EarlierPages::open(&plan, path.as_deref()),
        };
        let cache =
            move || RobotsCache::new(id, &plan, path.and_then(|path| Reader::open(&path).ok()), clock);
        // One more for the moment at which the job has to end.
        let capacity = in_all + SITEMAPS_AT_ONCE + EXTRAS_AT_ONCE + 1;
        Network::start(fetcher.clone(), cache, policy, around, capacity, to_parse, to_writer)?
    };
    // The network's thread has begun as what this one was until now.
    control.go_to_background();
    let lanes = Lanes::new(per_host, in_all);
    let mut course = Course::new(crawl, writer, observer, network, fetcher, lanes);
    let outcome = course.run(control, &inbox);
    if outcome.is_err() {
        course.writer.rollback();
    }
    let ended = course.ended;
    // Whoever reads a sitemap waits for its entries to be taken: without a receiver it stops.
    course.sitemaps = Sitemaps::default();
    drop(course);
    // Records that nobody will store hold the turn of large pages, which a parse thread may wait for.
    drop(inbox);
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
    control: &Control,
) -> std::io::Result<Vec<std::thread::JoinHandle<()>>> {
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(1, 8);
    // Large pages have a thread of their own: they wait for one another, which small ones need not, and allocators keep what
    // a large page took for the thread that took it. Whatever is handed out finds a place in this queue, too.
    let (large, large_inbox) = bounded::<ToParse>(inbox.capacity().unwrap_or(1));
    let start = |name: String, inbox: Receiver<ToParse>, large: Option<Sender<ToParse>>| {
        let (to_writer, preparer, control) = (to_writer.clone(), Arc::clone(preparer), control.clone());
        std::thread::Builder::new().name(name).spawn(move || {
            control.go_to_background();
            for message in inbox {
                let sent = match &large {
                    Some(large) if message.is_large() => large.send(message).is_ok(),
                    _ => to_writer.send(made_of(message, &preparer)).is_ok(),
                };
                if !sent {
                    return;
                }
            }
        })
    };
    let small = (0..threads).map(|n| start(format!("parse-{n}"), inbox.clone(), Some(large.clone())));
    let mut started = small.collect::<std::io::Result<Vec<_>>>()?;
    started.push(start("parse-large".to_owned(), large_inbox, None)?);
    Ok(started)
}

/// What a parse thread makes of a message.
fn made_of(message: ToParse, preparer: &Preparer) -> ToWriter {
    match message {
        ToParse::Page { job, bot_allowed, outcome } => {
            ToWriter::Record(Box::new(preparer.finish(&job, bot_allowed, outcome)))
        }
        ToParse::Probe { job, bot_allowed, outcome } => {
            ToWriter::Probe(Box::new(job.read(preparer, bot_allowed, outcome)))
        }
        ToParse::Confirmed { job, bot_allowed, outcome } => {
            let attempts = every_attempt(&outcome);
            let record = preparer.finish(&job, bot_allowed, outcome);
            ToWriter::Confirmed(Box::new(Record { attempts, ..record }))
        }
        ToParse::Compared { job, bot_allowed, outcome } => {
            let asked = agents::asked(&outcome);
            let record = preparer.finish(&job, bot_allowed, outcome);
            ToWriter::Compared(Box::new(Compared::of(record, asked)))
        }
        ToParse::Followed { job, bot_allowed, outcome, at, internal, loops } => {
            let attempts = every_attempt(&outcome);
            let read = if internal { job.purpose } else { Purpose::Check };
            let record = preparer.prepare(job.url, job.host, &at, read, bot_allowed, outcome);
            ToWriter::Followed(Box::new(Followed { job, record: Record { attempts, ..record }, at, loops }))
        }
    }
}
