//! One job for one URL: requests, each through its host's gate, until there is an answer to keep.

use crate::body::{self, Reading, TimeIsUp, TimeLimit};
use crate::carried::Carried;
use crate::classify;
use crate::conditional;
use crate::cookies::Jar;
use crate::fetcher::Inner;
use crate::host::Host;
use crate::pieces::{self, Pieces};
use crate::throttle::{self, Throttle};
use crate::trace::Trace;
use crate::wire;
use http::{HeaderMap, HeaderName, HeaderValue};
use model::outcome::{Attempt, Method, Timing};
use model::policy::Retries;
use model::{Address, Answer, Failure, FailureKind, Outcome, Validators};
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// The requests for one URL.
pub(crate) struct Exchange<'a> {
    fetcher: &'a Inner,
    host: Arc<Host>,
    /// Without credentials.
    url: Url,
    carried: Carried,
    attempts: Vec<Attempt>,
    paused_host: Option<Duration>,
    /// The one further try after a 429 was used.
    asked_again: bool,
    /// A connection that had gone stale was replaced: at once and once for a URL, in the place of a retry.
    replaced_stale: bool,
    /// Where the body of a good answer goes, where it is not kept.
    pieces: Option<&'a Pieces>,
    /// The body is wanted only if it is no longer the one that these came with.
    known: Validators,
    /// When all requests of the job are over, whatever each of them may take.
    deadline: Option<Instant>,
    /// A body that breaks off within so many bytes is as good as none.
    whole: Option<u64>,
    /// The requests say that they are the plan's second user agent.
    by_second_agent: bool,
}

/// What a throttling answer leads to.
enum Next {
    /// The host's pause is set; the same request is due once more.
    AskAgain,
    /// The answer stands, and nothing else may be asked because of it.
    Final,
    /// The answer asks for nothing special.
    Usual,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(fetcher: &'a Inner, address: &Address) -> Self {
        Self::carrying(fetcher, address, Carried::new(fetcher, address))
    }

    /// The next hop of a load, with the cookies of the hops before.
    pub(crate) fn along(fetcher: &'a Inner, address: &Address, jar: Jar) -> Self {
        Self::carrying(fetcher, address, Carried::along(fetcher, address, jar))
    }

    fn carrying(fetcher: &'a Inner, address: &Address, carried: Carried) -> Self {
        let plain = address.without_credentials().0;
        Self {
            fetcher,
            host: fetcher.host(address.host()),
            carried,
            url: plain.url().clone(),
            attempts: Vec::with_capacity(1),
            paused_host: None,
            asked_again: false,
            replaced_stale: false,
            pieces: None,
            known: Validators::default(),
            deadline: None,
            whole: None,
            by_second_agent: false,
        }
    }

    /// Lets the requests say that they are the plan's second user agent.
    pub(crate) const fn by_second_agent(mut self) -> Self {
        self.by_second_agent = true;
        self
    }

    /// Asks for the body only if it is no longer the one that these validators came with.
    pub(crate) fn unless_known(mut self, validators: Validators) -> Self {
        self.known = validators;
        self
    }

    /// Lets no request go on beyond this moment.
    pub(crate) fn until(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Takes a body that breaks off within its first `bytes` for a connection that failed: half of such a file is not to be
    /// followed as if it were all of it.
    pub(crate) fn wanting_whole(mut self, bytes: u64) -> Self {
        self.whole = Some(bytes);
        self
    }

    /// Hands the body of a good answer over instead of keeping it.
    pub(crate) fn handing_over(mut self, pieces: &'a Pieces) -> Self {
        self.pieces = Some(pieces);
        self
    }

    /// The Cookie header that the next request would have.
    pub(crate) fn cookies(&self) -> Option<String> {
        self.carried.cookies(self.fetcher, &self.url)
    }

    pub(crate) fn outcome(self, result: Result<Answer, Failure>) -> Outcome {
        self.outcome_and_jar(result).0
    }

    /// The outcome, and the cookies for the next hop of the same load.
    pub(crate) fn outcome_and_jar(self, result: Result<Answer, Failure>) -> (Outcome, Jar) {
        let outcome = Outcome { result, attempts: self.attempts, paused_host: self.paused_host };
        (outcome, self.carried.into_jar())
    }

    /// GET, with retries of what may pass.
    pub(crate) async fn get(&mut self, reading: Reading) -> Result<Answer, Failure> {
        self.get_retrying(reading, 0).await
    }

    /// One GET that stands alone: nothing is asked again, and the host is not paused because of the answer.
    pub(crate) async fn get_alone(&mut self, reading: Reading) -> Result<Answer, Failure> {
        self.send(Method::Get, reading).await.map(|(answer, _)| answer)
    }

    /// GET without retries.
    pub(crate) async fn get_once(&mut self, reading: Reading) -> Result<Answer, Failure> {
        self.get_retrying(reading, self.fetcher.fetch.retries.len()).await
    }

    /// `used` of the retries were spent before.
    async fn get_retrying(&mut self, reading: Reading, used: usize) -> Result<Answer, Failure> {
        let fetcher = self.fetcher;
        let mut used = used;
        loop {
            match self.send(Method::Get, reading).await {
                Ok((mut answer, started)) => match self.heed(&answer, started) {
                    Next::AskAgain => {}
                    Next::Usual if self.carried.asks_again(fetcher, &self.url, &mut answer) => {}
                    Next::Final | Next::Usual => return Ok(answer),
                },
                Err(failure) if failure.kind.is_transient() => {
                    let retries = &fetcher.fetch.retries;
                    if used + usize::from(self.replaced_stale) >= retries.len() {
                        return Err(failure);
                    }
                    fetcher.clock.sleep(retries[used]).await;
                    used += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// HEAD; where it fails, GET decides. With `page`, an HTML answer is then read by GET.
    pub(crate) async fn head(&mut self, page: Option<Reading>) -> Result<Answer, Failure> {
        let fallback = page.unwrap_or(Reading::Nothing);
        if self.host.refuses_head() {
            return self.get(fallback).await;
        }
        let (head_status, used) = loop {
            match self.send(Method::Head, Reading::Nothing).await {
                Ok((mut answer, started)) => match self.heed(&answer, started) {
                    Next::AskAgain => {}
                    Next::Final => return Ok(answer),
                    Next::Usual if self.carried.asks_again(self.fetcher, &self.url, &mut answer) => {}
                    Next::Usual if answer.status >= 400 && !self.doubts_head(answer.status) => {
                        return Ok(answer);
                    }
                    Next::Usual if answer.status < 400 => {
                        self.host.head_worked();
                        let may_be_html = answer.is_html() || answer.media_type().is_none();
                        return match page {
                            Some(reading) if (200..300).contains(&answer.status) && may_be_html => {
                                self.get(reading).await
                            }
                            _ => Ok(answer),
                        };
                    }
                    Next::Usual => break (Some(answer.status), 0),
                },
                Err(failure) if failure.kind.is_transient() => {
                    // The HEAD was the first try, so GET is the first retry.
                    if let Some(wait) = self.fetcher.fetch.retries.first() {
                        self.fetcher.clock.sleep(*wait).await;
                    }
                    break (None, 1);
                }
                Err(failure) if failure.kind == FailureKind::Protocol => break (None, 0),
                // Names, certificates and forbidden addresses are the same for every method.
                Err(failure) => return Err(failure),
            }
        };
        let mut answer = self.get_retrying(fallback, used).await?;
        if answer.status < 400 {
            self.host.head_contradicted();
        }
        answer.head_status = Some(head_status);
        Ok(answer)
    }

    /// Whether GET has to confirm what HEAD was answered with.
    fn doubts_head(&self, status: u16) -> bool {
        let head = self.fetcher.policy.methods.head();
        head.is_some_and(|head| head.refused.leads_to_get(Some(status)))
    }

    /// Pauses and slows the host down as the answer asks.
    fn heed(&mut self, answer: &Answer, started: Instant) -> Next {
        let fetcher = self.fetcher;
        let Some(asked) = throttle::read(answer, fetcher.clock.wall()) else { return Next::Usual };
        let cap = fetcher.fetch.retry_after_cap;
        let (pause, next) = match asked {
            Throttle::Unsaid => (throttle::DEFAULT_PAUSE.min(cap), Next::Usual),
            Throttle::Unreadable => (throttle::DEFAULT_PAUSE.min(cap), Next::AskAgain),
            Throttle::For { wait, may_ask_again } if wait <= cap => {
                (wait, if may_ask_again { Next::AskAgain } else { Next::Usual })
            }
            Throttle::For { .. } => {
                let pause = if self.host.may_pause_long() { cap } else { throttle::DEFAULT_PAUSE.min(cap) };
                (pause, Next::Final)
            }
        };
        let slowed = self.host.slow_down(started, fetcher.clock.now(), pause);
        fetcher.ledger.pause(&self.url, slowed.longer, slowed.counted);
        fetcher.note_slow_down(self.url.host_str().unwrap_or_default(), pause);
        self.paused_host = Some(self.paused_host.map_or(pause, |before| before.max(pause)));
        match next {
            // Only an Audit asks a second time.
            Next::AskAgain if !self.may_repeat() => Next::Final,
            Next::AskAgain if std::mem::replace(&mut self.asked_again, true) => Next::Final,
            next => next,
        }
    }

    /// One request, again at once where an idle connection had gone stale. Gives the moment it started, too.
    async fn send(&mut self, method: Method, reading: Reading) -> Result<(Answer, Instant), Failure> {
        if let Err(refused) = self.fetcher.addresses.check_url(&self.url) {
            return Err(Failure { kind: FailureKind::AddressNotAllowed, detail: refused.to_string() });
        }
        let fetcher = self.fetcher;
        loop {
            if let Some(failure) = self.host.given_up().filter(|_| !fetcher.asks_single_addresses()) {
                return Err(failure);
            }
            let ticket = self.host.enter(&*fetcher.clock).await;
            if fetcher.is_closed() {
                drop(ticket);
                return std::future::pending().await;
            }
            let (started, wall) = (fetcher.clock.now(), fetcher.clock.wall());
            let under_way = UnderWay { fetcher, host: &self.host, url: &self.url, started };
            let trace = Arc::new(Trace::default());
            let mut headers = self.carried.headers(fetcher, method, &self.url);
            conditional::ask(&self.known, &mut headers);
            if self.by_second_agent {
                headers.extend(fetcher.wire.second_agent());
            }
            let mut result = self.once(method, &headers, reading, started, &trace).await;
            under_way.done();
            // A connection is given back, or given up, by a task of its own. Letting that run before the next request
            // begins means that the next one finds the idle connection instead of opening another, and that the server
            // sees the end of a request that was given up first.
            tokio::task::yield_now().await;
            drop(ticket);
            let total = fetcher.clock.now().saturating_duration_since(started);
            let (status, transferred, failure) = match &mut result {
                Ok(answer) => {
                    answer.started = wall;
                    answer.timing.total = total;
                    self.carried.take(fetcher, &self.url, answer);
                    if self.url.scheme() == "https" && answer.certificate_fault.is_none() {
                        fetcher.hsts.note(&self.url, answer, wall);
                    }
                    (Some(answer.status), answer.transferred, None)
                }
                Err(failure) => (None, trace.read().received.unwrap_or_default(), Some(failure.kind)),
            };
            self.attempts.push(Attempt { method, started: wall, total, status, failure });
            self.host.count(transferred, failure.is_some());
            fetcher.ledger.request(&self.url, &result, transferred, total);
            // Where the proxy failed, nothing is known of the host.
            if !trace.read().proxy_failed {
                self.host.heard(failure);
            }
            // An idle connection may have ended before the request reached it, or hold the rest of an earlier answer
            // (a body after HEAD): neither says anything about this URL.
            let told = trace.read();
            let stale = matches!(failure, Some(FailureKind::Reset | FailureKind::Protocol))
                && !told.begun
                && told.received.is_none();
            if !stale || !self.may_repeat() || std::mem::replace(&mut self.replaced_stale, true) {
                return result.map(|answer| (answer, started));
            }
        }
    }

    /// Whether the same request may be made more than once, for whatever reason.
    const fn may_repeat(&self) -> bool {
        matches!(self.fetcher.policy.retries, Retries::After { .. })
    }

    /// One request on the wire.
    async fn once(
        &self,
        method: Method,
        headers: &[(HeaderName, HeaderValue)],
        reading: Reading,
        started: Instant,
        trace: &Arc<Trace>,
    ) -> Result<Answer, Failure> {
        let fetcher = self.fetcher;
        let asked = match method {
            Method::Get => http::Method::GET,
            Method::Head => http::Method::HEAD,
        };
        let clock = &*fetcher.clock;
        let mut limit = TimeLimit::starting(clock, started, self.time_for(started));
        let mut response = match limit.within(trace.scope(fetcher.wire.send(asked, &self.url, headers))).await
        {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                if matches!(error, wire::Error::Proxy(_)) {
                    trace.proxy_failed();
                }
                if let Some(leaf) = classify::refused_certificate(&error) {
                    fetcher.note_certificate(&self.url, leaf);
                }
                return Err(classify::failure(&error));
            }
            Err(TimeIsUp) => return Err(self.timed_out(trace, None)),
        };
        let connecting = trace.read();
        let first_byte = clock.now().saturating_duration_since(started);
        let mut answer = Answer {
            method,
            status: response.status().as_u16(),
            version: version(response.version()),
            headers: lossy(response.headers()),
            body: Vec::new(),
            body_read: false,
            transferred: 0,
            truncated: false,
            cut_reason: None,
            incomplete: false,
            decode_error: None,
            remote: response.remote(),
            started: std::time::SystemTime::UNIX_EPOCH,
            timing: Timing {
                dns: connecting.dns,
                connect: connecting.connect,
                first_byte,
                total: Duration::ZERO,
            },
            head_status: None,
            validators: conditional::validators(response.headers()),
            not_modified: false,
            synthetic: false,
            certificate_fault: response
                .certificate()
                .and_then(|leaf| fetcher.note_certificate(&self.url, leaf)),
            cookie_loop: false,
            budget: None,
        };
        let read = match (self.pieces, reading.kept(&answer)) {
            (Some(pieces), Some(cap)) => {
                pieces::hand_over(&mut response, &mut answer, cap, pieces, &mut limit).await
            }
            _ => body::read(&mut response, &mut answer, reading, &fetcher.budget, &mut limit).await,
        };
        trace.received(answer.transferred);
        let whole = self.whole.is_none_or(|bytes| !answer.incomplete || answer.body.len() as u64 > bytes);
        match read {
            Ok(()) if !whole => Err(broke_off(answer.transferred)),
            Ok(()) => Ok(answer),
            Err(TimeIsUp) => Err(self.timed_out(trace, Some(answer.transferred))),
        }
    }

    /// How long a request that starts at this moment may take.
    fn time_for(&self, started: Instant) -> Duration {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(started));
        self.fetcher.fetch.timeout.min(left.unwrap_or(Duration::MAX))
    }

    fn timed_out(&self, trace: &Trace, body: Option<u64>) -> Failure {
        let limit = self.fetcher.fetch.timeout.as_secs_f64();
        let connecting = trace.read();
        let detail = match body {
            Some(bytes) => format!("The body was not complete after {limit} s; {bytes} bytes had come."),
            None if connecting.begun && !connecting.done => format!("No connection within {limit} s."),
            None => format!("No complete answer within {limit} s."),
        };
        Failure { kind: FailureKind::Timeout, detail }
    }
}

fn broke_off(bytes: u64) -> Failure {
    let detail = format!("The answer broke off after {bytes} bytes of its body; the rest is missing.");
    Failure { kind: FailureKind::Reset, detail }
}

/// A request that is on the wire. Where it is given up, it was made all the same, and is counted.
struct UnderWay<'a> {
    fetcher: &'a Inner,
    host: &'a Host,
    url: &'a Url,
    started: Instant,
}

impl UnderWay<'_> {
    /// What came of it is counted by whoever knows.
    fn done(self) {
        std::mem::forget(self);
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let failure = Failure { kind: FailureKind::Timeout, detail: String::new() };
        let time = self.fetcher.clock.now().saturating_duration_since(self.started);
        self.host.count(0, true);
        self.fetcher.ledger.request(self.url, &Err(failure), 0, time);
    }
}

fn lossy(headers: &HeaderMap) -> Vec<(Box<str>, Box<str>)> {
    let value = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into();
    headers.iter().map(|(name, text)| (name.as_str().into(), value(text))).collect()
}

fn version(version: http::Version) -> &'static str {
    match version {
        http::Version::HTTP_09 => "HTTP/0.9",
        http::Version::HTTP_10 => "HTTP/1.0",
        http::Version::HTTP_2 => "HTTP/2",
        http::Version::HTTP_3 => "HTTP/3",
        _ => "HTTP/1.1",
    }
}
