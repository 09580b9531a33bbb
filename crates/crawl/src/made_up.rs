//! What tests share that crawl made-up sites in memory, without a network: dice, a plan, a project, links and answers.

use crate::frontier::Reach;
use model::settings::{Layer, Profile, Start, resolve};
use model::{Address, FoundBy, LinkKind, Plan, Position, Purpose};
use std::sync::Arc;
use store::{AnswerRow, Href, NewLink, NoFaults, Options, Shape, Writer};

/// A small generator of pseudo-random numbers (xorshift), so that a failure can be repeated by its seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// How the first seed is reached.
pub(crate) const SEED: Reach = Reach {
    purpose: Purpose::Crawl,
    depth: 0,
    hops: 0,
    found: FoundBy::Seed,
    source: None,
    listed: true,
    grown: false,
};

pub(crate) fn plan(seed: &str, said: &[(&str, &str)]) -> Plan {
    let mut run = Profile::default();
    for (id, value) in said {
        run.set(id, value);
    }
    let seeds = vec![Address::parse(seed).unwrap()];
    resolve(Start { seeds, ..Start::default() }, &[(Layer::Run, &run)], &[]).unwrap()
}

/// An empty project in memory.
pub(crate) fn project() -> Writer {
    let options = Options { program: "test".to_owned(), views: Vec::new(), faults: Arc::new(NoFaults) };
    Writer::in_memory(&options).unwrap()
}

pub(crate) fn link(writer: &mut Writer, kind: LinkKind, nofollow: bool, target: u32) -> NewLink<'static> {
    let shape = Shape {
        kind,
        position: Position::Body,
        nofollow,
        noscript: false,
        rel: "".into(),
        window: "".into(),
        element: "a".into(),
    };
    let shape = writer.shape(&shape).unwrap();
    NewLink { target: Some(target), shape, href: Href::Target, anchor: None, line: 1, size: None }
}

/// Stores the answer for a URL, with the links that were read in it.
pub(crate) fn answered(writer: &mut Writer, url: u32, links: &[NewLink]) {
    let list = (!links.is_empty()).then(|| writer.put_list(u64::from(url), links).unwrap());
    writer.put_answer(1, url, &AnswerRow::default(), None, list).unwrap();
}
