//! A robots.txt line by line: what each is, to which group it belongs, and for whom it counts.

use super::dto::{RobotsGroup, RobotsLine};
use super::words;
use robots::{Group, Reading, RobotsTxt};
use std::collections::{HashMap, HashSet};

/// Lines handed out at most.
const LINES: usize = 10_000;

/// A file read line by line.
pub(super) struct Lined {
    /// Lines of the file, all of them counted.
    pub(super) count: u64,
    /// The first [`LINES`].
    pub(super) lines: Vec<RobotsLine>,
    pub(super) groups: Vec<RobotsGroup>,
}

/// Where a line belongs.
#[derive(Clone, Copy)]
struct Place {
    /// User-agent lines up to the next rule share a group.
    group: u32,
    /// User-agent lines up to the next rule or crawl delay share a delay.
    stanza: u32,
}

/// Reads the lines of a file as they count for the crawl's own group and for the audited bot's.
pub(super) fn lined(file: &RobotsTxt, own: &Group, bot: &Group) -> Lined {
    let (own, bot) = (Counting::of(file, own), Counting::of(file, bot));
    let problems = messages(file);
    let mut lined = Lined { count: 0, lines: Vec::new(), groups: Vec::new() };
    let mut places = Places::default();
    for line in file.lines() {
        lined.count += 1;
        let place = places.next(line.reading);
        let (followed, followed_by_bot) = match place {
            Some(place) => {
                (own.counts(line.reading, line.number, place), bot.counts(line.reading, line.number, place))
            }
            None => (false, false),
        };
        if let Some(place) = place {
            note(&mut lined.groups, place.group, &line, (&own, &bot));
        }
        if lined.lines.len() < LINES {
            lined.lines.push(RobotsLine {
                number: line.number,
                text: line.text.to_owned(),
                kind: line.reading.word().to_owned(),
                group: place.map(|place| place.group),
                followed,
                followed_by_bot,
                problem: problems.get(&line.number).cloned(),
            });
        }
    }
    lined
}

/// How many groups a file has: as many as [`lined`] tells, without their lines.
pub(super) fn groups(file: &RobotsTxt) -> u64 {
    let mut places = Places::default();
    let last = file.lines().filter_map(|line| places.next(line.reading)).last();
    last.map_or(0, |place| u64::from(place.group) + 1)
}

fn note(
    groups: &mut Vec<RobotsGroup>,
    at: u32,
    line: &robots::TextLine<'_>,
    (own, bot): (&Counting, &Counting),
) {
    if groups.len() <= at as usize {
        groups.push(RobotsGroup {
            agents: Vec::new(),
            first_line: line.number,
            last_line: line.number,
            allows: 0,
            disallows: 0,
            followed: own.groups.contains(&at),
            followed_by_bot: bot.groups.contains(&at),
        });
    }
    let Some(group) = groups.get_mut(at as usize) else { return };
    group.last_line = line.number;
    match line.reading {
        Reading::UserAgent => group.agents.push(line.value.to_owned()),
        Reading::Allow => group.allows += 1,
        Reading::Disallow => group.disallows += 1,
        _ => {}
    }
}

/// Which lines count for one agent.
struct Counting {
    /// Numbers of the User-agent lines that name it.
    agents: HashSet<u32>,
    groups: HashSet<u32>,
    stanzas: HashSet<u32>,
}

impl Counting {
    fn of(file: &RobotsTxt, group: &Group) -> Self {
        let agents: HashSet<u32> = group.agents().iter().map(|agent| agent.number).collect();
        let (mut groups, mut stanzas) = (HashSet::new(), HashSet::new());
        let mut places = Places::default();
        for line in file.lines() {
            if let Some(place) = places.next(line.reading)
                && agents.contains(&line.number)
            {
                groups.insert(place.group);
                stanzas.insert(place.stanza);
            }
        }
        Self { agents, groups, stanzas }
    }

    fn counts(&self, reading: Reading, number: u32, place: Place) -> bool {
        match reading {
            Reading::UserAgent => self.agents.contains(&number),
            Reading::CrawlDelay => self.stanzas.contains(&place.stanza),
            _ => self.groups.contains(&place.group),
        }
    }
}

/// Goes through the lines and tells where each belongs, as `robots` groups them.
#[derive(Default)]
struct Places {
    now: Option<Place>,
    group_has_rule: bool,
    stanza_has_member: bool,
}

impl Places {
    fn next(&mut self, reading: Reading) -> Option<Place> {
        match reading {
            Reading::UserAgent => {
                let next = match self.now {
                    None => Place { group: 0, stanza: 0 },
                    Some(now) => Place {
                        group: now.group + u32::from(self.group_has_rule),
                        stanza: now.stanza + u32::from(self.stanza_has_member),
                    },
                };
                (self.group_has_rule, self.stanza_has_member) = (false, false);
                self.now = Some(next);
            }
            Reading::Allow | Reading::Disallow => {
                (self.group_has_rule, self.stanza_has_member) = (true, true);
            }
            Reading::CrawlDelay => self.stanza_has_member = true,
            _ => return None,
        }
        self.now
    }
}

/// What is wrong with each line.
fn messages(file: &RobotsTxt) -> HashMap<u32, String> {
    let mut all: HashMap<u32, String> = HashMap::new();
    for problem in file.problems() {
        let text = words::message(problem.code);
        let told = all.entry(problem.line).or_default();
        if !told.contains(text) {
            if !told.is_empty() {
                told.push(' ');
            }
            told.push_str(text);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_counted_as_they_are_told() {
        let check = |text: &str, expect: u64| {
            let file = RobotsTxt::parse(text.as_bytes());
            let group = file.group("GossamerBot");
            let told = lined(&file, &group, &group).groups.len() as u64;
            assert_eq!((groups(&file), told), (expect, expect), "{text}");
        };
        check("", 0);
        check("Disallow: /a\nSitemap: https://a.test/s.xml\n", 0);
        check("User-agent: a\nUser-agent: b\nDisallow: /\n", 1);
        check("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nAllow: /\n", 1);
        check("User-agent: a\nDisallow: /\n\nUser-agent: b\nAllow: /\nUser-agent: c\n", 3);
    }
}
