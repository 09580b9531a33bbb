//! What came of one address.

use crate::robots_txt::RobotsHop;
use crate::throttle;
use model::outcome::Attempt;
use model::{Address, Answer, Failure, FailureKind};
use robots::RuleLine;
use std::time::{Duration, SystemTime};

/// What came of one address, redirects and robots.txt included.
#[derive(Debug)]
pub struct SingleOutcome {
    pub ended: Ended,
    /// The address that was asked last, or would have been, without credentials.
    pub final_url: Address,
    /// Redirects that were followed, in order.
    pub hops: Vec<RobotsHop>,
    /// Where to ask from now on: there were redirects, all of them permanent (301, 308), and they led to the thing itself.
    pub moved_to: Option<Address>,
    /// How long the server asks to be left alone (Retry-After), as it said.
    pub retry_after: Option<Duration>,
    /// For how long the server says that its answer holds (Cache-Control: max-age).
    pub max_age: Option<Duration>,
    /// Each robots.txt that was looked at, in order.
    pub robots: Vec<RobotsLooked>,
    /// Every request, those for robots.txt included, in order.
    pub attempts: Vec<Attempt>,
}

/// How it ended.
#[derive(Debug)]
pub enum Ended {
    /// There is an answer, of whatever status. Its body was read if `body_read` says so: HTML in a Watch, and what is no
    /// web page in Feeds.
    Answered(Box<Answer>),
    /// 304 to validators that were sent: what was read before still holds.
    NotModified(Box<Answer>),
    /// The server does not want this feed to be polled: 401, 403 or 410.
    Refused(Box<Answer>),
    /// robots.txt says no, so that nothing was requested there; the line that said so.
    Disallowed {
        origin: String,
        line: Option<RuleLine>,
    },
    /// robots.txt answered 429 or 5xx, or gave no answer, so that nothing else was requested there.
    RobotsUnread {
        origin: String,
        result: Result<u16, Failure>,
    },
    Failed(Failure),
}

/// One robots.txt that was looked at.
#[derive(Debug, Clone)]
pub struct RobotsLooked {
    pub origin: String,
    /// It was read within the last minutes and not asked for again.
    pub remembered: bool,
    /// Its status, or why there was none. Too many redirects mean that there are no rules.
    pub result: Result<u16, Failure>,
    /// It is larger than what is read of it.
    pub too_large: bool,
}

impl Ended {
    /// What the person is told where there is no answer to show; a sentence or two.
    pub fn message(&self) -> Option<String> {
        Some(match self {
            Self::Answered(_) | Self::NotModified(_) => return None,
            Self::Disallowed { .. } => {
                "This address cannot be checked because some sites ask not to be read automatically."
                    .to_owned()
            }
            Self::RobotsUnread { origin, result: Ok(status) } => format!(
                "{origin} answers with status {status} when it is asked for its robots.txt. Nothing else is asked of it until that file can be read again."
            ),
            Self::RobotsUnread { origin, result: Err(failure) } => format!(
                "{origin} does not give its robots.txt: {} Nothing else is asked of it until that file can be read again.",
                failure.detail
            ),
            Self::Refused(answer) => match answer.status {
                410 => "The server says that this feed is gone for good (status 410).".to_owned(),
                status => format!("The server refuses to give this feed to us (status {status})."),
            },
            Self::Failed(failure) => failure.detail.clone(),
        })
    }

    /// The answer, where there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) | Self::NotModified(answer) | Self::Refused(answer) => Some(answer),
            Self::Disallowed { .. } | Self::RobotsUnread { .. } | Self::Failed(_) => None,
        }
    }
}

impl SingleOutcome {
    /// Nothing was asked yet.
    pub(super) fn of(address: Address) -> Self {
        Self {
            ended: Ended::Failed(Failure { kind: FailureKind::InvalidUrl, detail: String::new() }),
            final_url: address,
            hops: Vec::new(),
            moved_to: None,
            retry_after: None,
            max_age: None,
            robots: Vec::new(),
            attempts: Vec::new(),
        }
    }

    /// Takes the end, and reads what its answer says about later requests.
    pub(super) fn conclude(&mut self, ended: Ended, now: SystemTime) {
        if let Some(answer) = ended.answer() {
            self.retry_after = throttle::asked_wait(answer, now);
            self.max_age = max_age(answer);
            let good = (200..300).contains(&answer.status) || matches!(ended, Ended::NotModified(_));
            let permanent = self.hops.iter().all(|hop| matches!(hop.status, 301 | 308));
            if good && permanent && !self.hops.is_empty() {
                self.moved_to = Some(self.final_url.clone());
            }
        }
        self.ended = ended;
    }
}

/// `max-age` of Cache-Control (RFC 9111 §5.2.2.1), in whatever of its fields. Not where it may not be kept at all.
fn max_age(answer: &Answer) -> Option<Duration> {
    let fields = answer.headers.iter().filter(|(name, _)| &**name == "cache-control");
    let directives = || fields.clone().flat_map(|(_, value)| value.split(',')).map(str::trim);
    let named = |name: &str| directives().any(|directive| directive.eq_ignore_ascii_case(name));
    if named("no-store") || named("no-cache") {
        return None;
    }
    directives().find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let value = value.trim().trim_matches('"');
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        (digits && name.trim().eq_ignore_ascii_case("max-age"))
            .then(|| Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX))))
    })
}
