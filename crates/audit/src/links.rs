//! One pass over the links of a crawl: the numbers derived from them, and every rule about single links.
//!
//! A condition is evaluated once per distinct shape, text, href or target; a link then costs a few look-ups, so that
//! millions of links cost seconds. Memory is a few words per URL of the project.

use crate::alternates::{self, Alternate, Relation};
use crate::audit::{LinkRule, Rule, Target};
use crate::bookmarks::{self, Bookmark, Bookmarks};
use crate::compile;
use crate::findings::{Chosen, Findings, Inserts};
use crate::limits::Limits;
use crate::link_bits::{BitSet, Hits, Kinds};
use crate::link_score::{Graph, Scores};
use crate::page_weight::{self, Weights};
use crate::rows::CHUNK;
use crate::view;
use model::LinkKind;
use std::collections::{HashMap, HashSet};
use store::schema::{MAX_LINKS, ORDINAL_BITS};
use store::{Form, StoreError, Value, Writer, key_range};

/// Rules about links, ready to be asked.
pub(crate) struct LinkPass {
    /// Audit of each bit.
    audits: Vec<usize>,
    rules: Vec<LinkRule>,
    /// By shape id.
    shapes: Vec<Shape>,
    /// By URL id.
    urls: Vec<Place>,
    texts: Hits,
    hrefs: Hits,
    /// As `hrefs`, by the id of a URL of another scheme: an href that is its target to the letter is stored as the target only.
    addresses: HashMap<i64, u64>,
    kinds: Kinds,
    source: String,
    /// Those of the pages read last.
    alternates: Vec<Alternate>,
    /// Strings with a fragment that names a place, where a rule asks whether it is there; and those of the page that is read.
    fragments: BitSet,
    bookmarks: Bookmarks,
    waiting: Vec<Bookmark>,
    crawl: i64,
    /// What the link score is made of, where it is asked for.
    graph: Option<Graph>,
    weights: Option<Weights>,
}

/// A link's shape as the pass needs it.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    rules: u64,
    navigation: bool,
    nofollow: bool,
    /// It names what is loaded to show the page.
    loaded: bool,
    relation: Relation,
}

/// What is known and counted of a URL; together, so that a link touches one line of the processor's cache.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// Bits of the rules whose condition on the target holds.
    rules: u64,
    inlinks: u32,
    followed: u32,
    /// Other pages that link here.
    unique: u32,
    /// The page whose link here was counted last.
    last_source: u32,
    outlinks: u32,
    external: u32,
    standing: Standing,
}

/// Where a URL stands in the crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Standing {
    /// The crawl did not meet it, or its scheme is another.
    #[default]
    Unknown,
    External,
    Internal,
}

/// A page whose links are read.
struct Source {
    url: u32,
    list: i64,
    nofollow: bool,
    rules: u64,
}

/// What a link pass has gone through.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Passed {
    pub pages: i64,
}

impl LinkPass {
    /// A pass that only counts.
    pub(crate) fn counting(writer: &mut Writer, crawl: i64) -> Result<Self, StoreError> {
        Self::over(writer, crawl, Vec::new(), None)
    }

    /// A pass that counts and judges.
    pub(crate) fn judging(
        writer: &mut Writer,
        crawl: i64,
        chosen: &Chosen,
        limits: &Limits,
    ) -> Result<Self, StoreError> {
        let mut rules = Vec::new();
        for (index, audit) in chosen.audits() {
            match audit.rule {
                Rule::Link(rule) => rules.push((index, rule)),
                Rule::AnyLink(any) => rules.extend(any.iter().map(|rule| (index, *rule))),
                _ => {}
            }
        }
        Self::over(writer, crawl, rules, Some(limits))
    }

    fn over(
        writer: &mut Writer,
        crawl: i64,
        rules: Vec<(usize, LinkRule)>,
        limits: Option<&Limits>,
    ) -> Result<Self, StoreError> {
        let urls = writer.known_urls() as usize + 1;
        let (audits, rules): (Vec<usize>, Vec<LinkRule>) = rules.into_iter().unzip();
        debug_assert!(rules.len() <= compile::BITS, "the rules about links no longer fit one word");
        let empty = Limits::new(&std::collections::BTreeMap::new());
        let limits = limits.unwrap_or(&empty);
        let mut pass = Self {
            kinds: Kinds::of(&rules, limits),
            source: source_mask(&rules, limits),
            audits,
            rules,
            shapes: Vec::new(),
            urls: vec![Place::default(); urls],
            texts: Hits::default(),
            hrefs: Hits::default(),
            addresses: HashMap::new(),
            alternates: Vec::new(),
            fragments: BitSet::default(),
            bookmarks: Bookmarks::default(),
            waiting: Vec::new(),
            crawl,
            graph: None,
            weights: None,
        };
        pass.read_shapes(writer)?;
        pass.read_targets(writer, crawl, limits)?;
        pass.read_strings(writer, limits)?;
        Ok(pass)
    }

    /// Makes it gather what the link score is made of, and weigh the pages; needs the chains of the crawl.
    pub(crate) fn deriving(mut self, writer: &mut Writer, crawl: i64) -> Result<Self, StoreError> {
        self.graph = Some(Graph::read(writer, crawl)?);
        self.weights = Some(Weights::read(writer, crawl)?);
        Ok(self)
    }

    /// What was gathered for the link score.
    pub(crate) const fn take_graph(&mut self) -> Option<Graph> {
        self.graph.take()
    }

    fn read_shapes(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        let conditions: Vec<String> = self.rules.iter().map(|rule| rule.shape.to_owned()).collect();
        let sql = format!(
            "SELECT id, code, nofollow, {}, position, {} FROM (SELECT id, kind AS code, {} AS kind, position, nofollow, noscript, rel, window, element FROM link_shape)",
            compile::mask(None, &conditions),
            page_weight::loaded_sql("code"),
            LinkKind::sql_case("kind")
        );
        let shapes = &mut self.shapes;
        writer.rows(&sql, &[], &mut |row| {
            let kind = u8::try_from(row.int(1)).ok().and_then(LinkKind::from_code);
            let shape = Shape {
                rules: row.int(3) as u64,
                navigation: kind.is_some_and(LinkKind::is_navigation),
                nofollow: row.int(2) != 0,
                relation: Relation::of(kind, row.int(4)),
                loaded: row.int(5) != 0,
            };
            let id = usize::try_from(row.int(0)).unwrap_or_default();
            if shapes.len() <= id {
                shapes.resize(id + 1, Shape::default());
            }
            shapes[id] = shape;
            Ok(())
        })
    }

    fn read_targets(&mut self, writer: &mut Writer, crawl: i64, limits: &Limits) -> Result<(), StoreError> {
        let conditions: Vec<String> = self
            .rules
            .iter()
            .map(|rule| match rule.target {
                Target::Row(sql) => compile::condition(sql, limits),
                Target::Any | Target::Missing => "0".to_owned(),
            })
            .collect();
        let sql = format!(
            "SELECT url_id, internal, {} FROM {} WHERE key BETWEEN ?1 AND ?2",
            compile::mask(None, &conditions),
            view::crawl_rows()
        );
        let (first, last) = key_range(crawl);
        let urls = &mut self.urls;
        writer.rows(&sql, &[first.into(), last.into()], &mut |row| {
            if let Some(place) = urls.get_mut(row.int(0) as usize) {
                place.standing = if row.int(1) != 0 { Standing::Internal } else { Standing::External };
                place.rules = row.int(2) as u64;
            }
            Ok(())
        })
    }

    fn read_strings(&mut self, writer: &mut Writer, limits: &Limits) -> Result<(), StoreError> {
        if self.kinds.on_text | self.kinds.on_href | self.kinds.broken_fragment == 0 {
            return Ok(());
        }
        let on_text: Vec<_> =
            self.rules.iter().enumerate().filter_map(|(bit, rule)| Some((bit, rule.text?))).collect();
        let on_href: Vec<_> =
            self.rules.iter().enumerate().filter_map(|(bit, rule)| Some((bit, rule.href?))).collect();
        let (texts, hrefs, fragments) = (&mut self.texts, &mut self.hrefs, &mut self.fragments);
        let reads_fragments = self.kinds.broken_fragment != 0;
        writer.rows("SELECT id, value FROM string", &[], &mut |row| {
            let (id, value) = (row.int(0), row.text(1));
            let text = on_text
                .iter()
                .fold(0, |rules, (bit, holds)| rules | u64::from(holds(Some(value), limits)) << bit);
            let href =
                on_href.iter().fold(0, |rules, (bit, holds)| rules | u64::from(holds(value, limits)) << bit);
            texts.add(id, text);
            hrefs.add(id, href);
            if reads_fragments && value.contains('#') && bookmarks::fragment(value).is_some() {
                fragments.insert(usize::try_from(id).unwrap_or_default());
            }
            Ok(())
        })?;
        let addresses = &mut self.addresses;
        writer.rows("SELECT id, text FROM url WHERE host = 0", &[], &mut |row| {
            let held = on_href
                .iter()
                .fold(0, |rules, (bit, holds)| rules | u64::from(holds(row.text(1), limits)) << bit);
            if held != 0 {
                addresses.insert(row.int(0), held);
            }
            Ok(())
        })
    }

    /// Reads the links of the pages whose keys run from `first` to `last`; findings go to `findings` where there are rules.
    pub(crate) fn range(
        &mut self,
        writer: &mut Writer,
        mut findings: Option<&mut Findings>,
        first: i64,
        last: i64,
    ) -> Result<Passed, StoreError> {
        let sql = format!(
            "SELECT url_id, list, nofollow, {} FROM {} WHERE key BETWEEN ?1 AND ?2 AND is_page AND list IS NOT NULL",
            self.source,
            view::own_rows()
        );
        let mut sources = Vec::new();
        writer.rows(&sql, &[first.into(), last.into()], &mut |row| {
            let source = Source {
                url: row.int(0) as u32,
                list: row.int(1),
                nofollow: row.int(2) != 0,
                rules: row.int(3) as u64,
            };
            sources.push(source);
            Ok(())
        })?;
        let mut hits: Vec<(i64, u64)> = Vec::new();
        for source in &sources {
            hits.clear();
            self.page(writer, source, &mut hits)?;
            let Some(findings) = findings.as_deref_mut() else {
                self.alternates.clear();
                continue;
            };
            alternates::add(writer, &mut self.alternates)?;
            for (link, rules) in &hits {
                for bit in compile::bits(*rules) {
                    findings.add(writer, self.audits[bit], i64::from(source.url), *link)?;
                }
            }
        }
        Ok(Passed { pages: sources.len() as i64 })
    }

    /// Reads the links of one page; those that some rule holds for are added to `hits`.
    fn page(
        &mut self,
        writer: &mut Writer,
        source: &Source,
        hits: &mut Vec<(i64, u64)>,
    ) -> Result<(), StoreError> {
        let from = source.list << ORDINAL_BITS;
        let to = from | MAX_LINKS as i64;
        let follows = !source.nofollow;
        let gathers = self.graph.as_mut().is_some_and(|graph| graph.begin(source.url, source.list, follows));
        writer.rows(
            "SELECT id, target, shape, anchor, href FROM link WHERE id BETWEEN ?1 AND ?2",
            &[from.into(), to.into()],
            &mut |row| {
                let shape = usize::try_from(row.int(2))
                    .ok()
                    .and_then(|id| self.shapes.get(id).copied())
                    .unwrap_or_default();
                let target = row.opt_int(1);
                if shape.navigation
                    && let Some(target) = target
                {
                    self.count(source, target as usize, shape.nofollow);
                    if gathers
                        && !shape.nofollow
                        && let Some(graph) = &mut self.graph
                    {
                        graph.link(target);
                    }
                }
                if shape.loaded
                    && let (Some(weights), Some(target)) = (&mut self.weights, target)
                {
                    weights.file(source.url, target);
                }
                if shape.relation.kind != 0 {
                    self.alternates.push(Alternate {
                        url: i64::from(source.url),
                        link: row.int(0),
                        relation: shape.relation,
                        target,
                        text: row.opt_int(3),
                    });
                }
                if shape.rules != 0 {
                    let rules = self.holding(source, shape.rules, target, row.opt_int(3), row.opt_int(4));
                    if rules & self.kinds.broken_fragment != 0
                        && let (Some(target), Some(href)) = (target, row.opt_int(4))
                    {
                        let (target, string) = (target as u32, href >> 2);
                        self.waiting.push(Bookmark { hit: hits.len(), target, string });
                    }
                    if rules != 0 {
                        hits.push((row.int(0), rules));
                    }
                }
                Ok(())
            },
        )?;
        if gathers && let Some(graph) = &mut self.graph {
            graph.end(writer)?;
        }
        if let Some(weights) = &mut self.weights {
            weights.end(writer, self.crawl, source.url)?;
        }
        for bookmark in std::mem::take(&mut self.waiting) {
            if !self.bookmarks.is_broken(writer, self.crawl, bookmark)? {
                hits[bookmark.hit].1 &= !self.kinds.broken_fragment;
            }
        }
        if hits.iter().any(|(_, rules)| rules & self.kinds.unsized_image != 0) {
            let mut sized = HashSet::new();
            writer.rows(
                "SELECT link FROM image_size WHERE link BETWEEN ?1 AND ?2",
                &[from.into(), to.into()],
                &mut |row| {
                    sized.insert(row.int(0));
                    Ok(())
                },
            )?;
            for (link, rules) in hits.iter_mut() {
                if sized.contains(link) {
                    *rules &= !self.kinds.unsized_image;
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, source: &Source, target: usize, nofollow: bool) {
        let Some(place) = self.urls.get_mut(target) else { return };
        let standing = place.standing;
        if standing == Standing::Unknown {
            return;
        }
        place.inlinks += 1;
        place.followed += u32::from(!(nofollow || source.nofollow));
        if place.last_source != source.url {
            place.last_source = source.url;
            place.unique += u32::from(target != source.url as usize);
        }
        let page = &mut self.urls[source.url as usize];
        match standing {
            Standing::Internal => page.outlinks += 1,
            Standing::External => page.external += 1,
            Standing::Unknown => {}
        }
    }

    /// The rules that hold for a link, of those that hold for its shape.
    fn holding(
        &self,
        source: &Source,
        shape: u64,
        target: Option<i64>,
        text: Option<i64>,
        href: Option<i64>,
    ) -> u64 {
        let kinds = &self.kinds;
        let mut rules = shape & (source.rules | !kinds.on_source);
        match target {
            Some(target) => {
                let held = self.urls.get(target as usize).map_or(0, |place| place.rules);
                rules &= (held | !kinds.on_target) & !kinds.on_missing_target;
            }
            None => rules &= !kinds.on_target,
        }
        if rules & kinds.on_text != 0 {
            let held = text.map_or(kinds.on_absent_text, |id| self.texts.get(id));
            rules &= held | !kinds.on_text;
        }
        if rules & kinds.on_href != 0 {
            // Nothing is odd about an href that is a form of its http or https target: what is odd is stored to the letter.
            let held = match (href, target) {
                (Some(href), _) if href & 3 == 0 => self.hrefs.get(href >> 2),
                (Some(href), _) if href & 3 != Form::Absolute as i64 => kinds.or_relative,
                (Some(_), _) => 0,
                (None, Some(target)) => self.addresses.get(&target).copied().unwrap_or_default(),
                (None, None) => 0,
            };
            rules &= held | !kinds.on_href;
        }
        let names_place = href.is_some_and(|href| {
            kinds.broken_fragment != 0
                && self.fragments.contains(usize::try_from(href >> 2).unwrap_or_default())
        });
        if names_place { rules } else { rules & !kinds.broken_fragment }
    }

    /// Writes the table `metric` of a crawl anew, and what is left of `page_weight`.
    pub(crate) fn write_metrics(
        &mut self,
        writer: &mut Writer,
        crawl: i64,
        scores: Option<&Scores>,
    ) -> Result<(), StoreError> {
        if let Some(weights) = &mut self.weights {
            weights.finish(writer)?;
        }
        let (first, last) = key_range(crawl);
        writer.run("DELETE FROM metric WHERE key BETWEEN ?1 AND ?2", &[first.into(), last.into()])?;
        let mut inserts = Inserts::new(
            "INSERT INTO metric(key, inlinks, followed_inlinks, unique_inlinks, outlinks, external_outlinks, link_score)",
            7,
        );
        for (url, place) in
            self.urls.iter().enumerate().filter(|(_, place)| place.standing != Standing::Unknown)
        {
            let [inlinks, followed, unique, outlinks, external] =
                [place.inlinks, place.followed, place.unique, place.outlinks, place.external].map(i64::from);
            let counts = [store::key(crawl, url as u32), inlinks, followed, unique, outlinks, external];
            let score = scores.and_then(|scores| scores.of(url as u32)).map_or(Value::Null, Value::Real);
            inserts.add_cells(writer, counts.map(Value::Int).into_iter().chain(std::iter::once(score)))?;
        }
        inserts.finish(writer)
    }
}

/// Ranges of keys in which a crawl is gone through.
pub(crate) fn ranges(writer: &Writer, crawl: i64) -> impl Iterator<Item = (i64, i64)> + use<> {
    let (first, _) = key_range(crawl);
    let end = first + i64::from(writer.known_urls());
    let mut at = first;
    std::iter::from_fn(move || {
        (at <= end).then(|| {
            let range = (at, at + CHUNK - 1);
            at += CHUNK;
            range
        })
    })
}

fn source_mask(rules: &[LinkRule], limits: &Limits) -> String {
    let conditions: Vec<String> = rules
        .iter()
        .map(|rule| rule.source.map_or("0".to_owned(), |sql| compile::condition(sql, limits)))
        .collect();
    compile::mask(None, &conditions)
}
