//! Who is told about the job, and how often: at most five times a second, at least once, and of the end at once.

use super::job::Job;
use super::news::{JobNews, JobState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The shortest time between two snapshots. More could not be read, and each costs the window a repaint.
const SPACING: Duration = Duration::from_millis(200);

/// Nothing new for this long: the clock of the job is shown all the same.
const QUIET: Duration = Duration::from_secs(1);

/// Listeners at once; of more, the oldest are dropped. A window that loads its page anew leaves one behind.
const LISTENERS: usize = 8;

type Listener = Box<dyn Fn(JobNews) + Send>;

/// Everybody who wants news. A listener must return quickly and must not listen or stop listening from within.
#[derive(Default)]
pub(super) struct Listeners(Mutex<Vec<Listener>>);

impl Listeners {
    /// Tells the newest state at once, where there is one, and everything later.
    pub(super) fn add(&self, listener: Listener, newest: Option<&Job>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = newest {
            listener(job.snapshot());
        }
        if all.len() == LISTENERS {
            drop(all.remove(0));
        }
        all.push(listener);
    }

    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Snapshots are taken under the lock, so that nobody is told an older one after a newer one.
    fn tell(&self, job: &Job) -> JobNews {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let news = job.snapshot();
        for listener in all.iter() {
            listener(news.clone());
        }
        news
    }
}

/// Tells all listeners about the job until it is over.
pub(super) async fn tell(job: Arc<Job>, listeners: Arc<Listeners>) {
    loop {
        let news = listeners.tell(&job);
        if news.state != JobState::Running {
            return;
        }
        tokio::select! {
            () = job.over.notified() => continue,
            () = job.clock().sleep(SPACING) => {}
        }
        tokio::select! {
            () = job.over.notified() => {}
            () = job.changed.notified() => {}
            () = job.clock().sleep(QUIET - SPACING) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::Demo;
    use crate::desk::job::Task;
    use crate::dto::{AuditRequest, Counts, Event, Phase, Progress};
    use crate::seams::Engine;
    use model::{Clock, SystemClock};
    use std::pin::Pin;
    use std::sync::mpsc::{Receiver, sync_channel};
    use std::time::{Instant, SystemTime};
    use tokio::sync::watch;

    /// Time that moves only when a test says so.
    #[derive(Debug)]
    struct HandClock {
        start: Instant,
        passed: watch::Sender<Duration>,
    }

    impl HandClock {
        fn new() -> Arc<Self> {
            Arc::new(Self { start: SystemClock.now(), passed: watch::Sender::new(Duration::ZERO) })
        }

        /// Lets time pass and everybody who waits come to rest.
        async fn advance(&self, millis: u64) {
            self.passed.send_modify(|passed| *passed += Duration::from_millis(millis));
            rest().await;
        }
    }

    impl Clock for HandClock {
        fn now(&self) -> Instant {
            self.start + *self.passed.borrow()
        }

        fn wall(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH + *self.passed.borrow()
        }

        fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
            let mut passed = self.passed.subscribe();
            let due = *passed.borrow() + duration;
            Box::pin(async move {
                // The clock lives as long as the test.
                drop(passed.wait_for(|passed| *passed >= due).await);
            })
        }
    }

    /// On a runtime of one thread, everybody who can go on does so in a few turns.
    async fn rest() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    fn progress(fetched: u64) -> Event {
        Event::Progress(Progress {
            phase: Phase::Crawling,
            counts: Counts { encountered: fetched, fetched, ..Counts::default() },
            elapsed: Duration::ZERO,
            rate: 1.0,
            current: None,
            issues: 0,
            warnings: 0,
            pages: fetched,
        })
    }

    fn heard(news: &Receiver<JobNews>) -> Vec<(u64, u64)> {
        news.try_iter().map(|news| (news.elapsed_ms, news.counts.fetched)).collect()
    }

    #[test]
    fn news_come_at_most_five_times_a_second_and_at_least_once() {
        let clock = HandClock::new();
        let job = Arc::new(Job::new(
            1,
            "x.gossamer".into(),
            Arc::clone(&clock) as Arc<dyn Clock>,
            Default::default(),
        ));
        let listeners = Arc::new(Listeners::default());
        let (send, news) = sync_channel(1_000);
        listeners.add(Box::new(move |news| drop(send.send(news))), None);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let telling = tokio::spawn(tell(Arc::clone(&job), Arc::clone(&listeners)));
            rest().await;
            assert_eq!(heard(&news), [(0, 0)]);
            // A hundred changes in a hundred milliseconds are one snapshot, as soon as one is due.
            for fetched in 1..=100 {
                job.observe(progress(fetched));
                clock.advance(1).await;
            }
            assert_eq!(heard(&news), []);
            clock.advance(100).await;
            assert_eq!(heard(&news), [(200, 100)]);
            // A change after a while is told at once.
            clock.advance(500).await;
            assert_eq!(heard(&news), []);
            job.observe(progress(101));
            rest().await;
            assert_eq!(heard(&news), [(700, 101)]);
            // Nothing new for a second: the time is told.
            clock.advance(200).await;
            clock.advance(799).await;
            assert_eq!(heard(&news), []);
            clock.advance(1).await;
            assert_eq!(heard(&news), [(1_700, 101)]);
            // Ten seconds of changes every twenty milliseconds.
            for fetched in 1..=500 {
                job.observe(progress(101 + fetched));
                clock.advance(20).await;
            }
            let told = heard(&news);
            assert!(told.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 200), "{told:?}");
            assert!((49..=51).contains(&told.len()), "{}", told.len());
            assert!(!telling.is_finished());
        });
    }

    #[test]
    fn the_end_is_told_at_once_and_is_the_last_word() {
        let demo = Demo::start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("x.gossamer");
        let request =
            AuditRequest { seeds: vec![demo.url()], project: project.clone(), ..AuditRequest::default() };
        // Time stands still for whoever tells, so that only the end itself can have rung.
        let clock = HandClock::new();
        let job = Arc::new(Job::new(1, project, clock as Arc<dyn Clock>, Default::default()));
        let listeners = Arc::new(Listeners::default());
        let (send, news) = sync_channel(1_000);
        listeners.add(Box::new(move |news| drop(send.send(news))), None);
        let worker = Arc::clone(&job);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let work = std::thread::spawn(move || {
            worker.run(&Task::Audit(request, Default::default()), &Engine::system(), &|_| {});
        });
        runtime.block_on(tell(job, listeners));
        work.join().unwrap();
        let told: Vec<JobNews> = news.try_iter().collect();
        assert_eq!(told.last().map(|news| news.state), Some(JobState::Done));
        assert!(told[..told.len() - 1].iter().all(|news| news.state == JobState::Running));
    }
}
