//! Sites made from a seed: the same seed and shape give the same pages, links and faults for ever.

use crate::answer::Answer;
use crate::rng::Rng;
use crate::server::{Server, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How large and how faulty a site is.
#[derive(Debug, Clone)]
pub struct Shape {
    /// HTML pages that can be reached by links.
    pub pages: usize,
    /// Pages that only the sitemap names.
    pub orphans: usize,
    /// Anchors of a page beside those that hold the site together, at most.
    pub links: usize,
    /// Every answer of the server waits this long.
    pub pace: Duration,
    /// Percent of images whose HEAD is refused while GET works.
    pub head_refused: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self { pages: 120, orphans: 4, links: 8, pace: Duration::ZERO, head_refused: 0 }
    }
}

/// A site that was made. Its origins are `main` (127.0.0.1) and `other` (127.0.0.2).
#[derive(Debug)]
pub struct RandomSite {
    site: Site,
    pub truth: Truth,
}

/// What is true of a site that was made.
#[derive(Debug, Default)]
pub struct Truth {
    /// Paths of the main origin that a crawl from `/` asks for: pages, redirects, files, resources, broken ones.
    pub reachable: BTreeSet<String>,
    /// Paths of the main origin that robots.txt disallows and pages link to.
    pub disallowed: BTreeSet<String>,
    /// Paths of the other origin that pages link to or redirect to.
    pub external: BTreeSet<String>,
    /// Paths that the other origin's pages link to: never to be asked.
    pub beyond: BTreeSet<String>,
    /// Paths that answer HEAD with 405 and GET with 200.
    pub head_refused: BTreeSet<String>,
    /// Paths whose answer is HTML with status 200.
    pub html: BTreeSet<String>,
}

const WORDS: &[&str] = &[
    "harbour", "lantern", "orchard", "copper", "meadow", "winter", "ferry", "bakery", "violin", "granite",
    "market", "signal", "willow", "anchor", "paper", "garden", "bridge", "summer", "library", "engine",
    "island", "letter",
];

impl RandomSite {
    /// Makes the site; nothing is served yet.
    pub fn new(seed: u64, shape: &Shape) -> Self {
        let site = Site::bind(&[("main", 1), ("other", 2)]);
        let mut maker = Maker {
            rng: Rng::seeded(seed),
            main: site.url("main", ""),
            other: site.url("other", ""),
            shape: shape.clone(),
            answers: BTreeMap::new(),
            external_answers: BTreeMap::new(),
            queue: Vec::new(),
            truth: Truth::default(),
        };
        maker.pages();
        maker.targets();
        maker.root_files();
        maker.truth.external =
            maker.external_answers.keys().filter(|path| *path != "/robots.txt").cloned().collect();
        let mut site = site;
        for (path, answer) in maker.answers {
            site = site.route("main", &path, answer.after(shape.pace));
        }
        for (path, answer) in maker.external_answers {
            site = site.route("other", &path, answer.after(shape.pace));
        }
        Self { site, truth: maker.truth }
    }

    /// Starts serving; what is true of the site stays readable.
    pub fn serve(self) -> (Server, Truth) {
        (self.site.serve(), self.truth)
    }
}

/// A target that pages link to and that still needs an answer.
#[derive(Debug, Clone, Copy)]
enum Target {
    Broken(usize),
    Redirect(usize),
    Image(usize),
    Script(usize),
    Style,
    File(usize),
    Disallowed(usize),
    External(usize),
}

struct Maker {
    rng: Rng,
    main: String,
    other: String,
    shape: Shape,
    answers: BTreeMap<String, Answer>,
    external_answers: BTreeMap<String, Answer>,
    queue: Vec<Target>,
    truth: Truth,
}

fn page_path(number: usize) -> String {
    match number {
        0 => "/".to_owned(),
        _ => format!("/part{}/page{number}.html", number % 7),
    }
}

impl Target {
    fn path(self) -> String {
        match self {
            Self::Broken(n) => format!("/gone/{n}"),
            Self::Redirect(n) => format!("/go/{n}"),
            Self::Image(n) => format!("/img/{n}.gif"),
            Self::Script(n) => format!("/js/{n}.js"),
            Self::Style => "/style.css".to_owned(),
            Self::File(n) => format!("/files/{n}.pdf"),
            Self::Disallowed(n) => format!("/private/{n}.html"),
            Self::External(n) => format!("/ext/{n}"),
        }
    }
}

impl Maker {
    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| *self.rng.pick(WORDS)).collect();
        words.join(" ")
    }

    /// Every linked page, held together by a tree that grows deep: the parent of a page is one of the 12 before it.
    fn pages(&mut self) {
        let count = self.shape.pages.max(1);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        for page in 1..count {
            let back = 1 + self.rng.below(page.min(12));
            children[page - back].push(page);
        }
        for (page, children) in children.iter().enumerate() {
            let links: Vec<String> = children.iter().map(|child| page_path(*child)).collect();
            self.page(page, &links, count);
        }
        for orphan in count..count + self.shape.orphans {
            self.page(orphan, &[], count);
        }
    }

    fn page(&mut self, number: usize, children: &[String], count: usize) {
        let path = page_path(number);
        let title = match self.rng.below(20) {
            0 => String::new(),
            1 => "<title>The same title as on other pages of this site</title>".to_owned(),
            _ => format!("<title>Page {number}: {}</title>", self.words(4)),
        };
        let description = if self.rng.chance(70) {
            format!("<meta name=\"description\" content=\"{}\">", self.words(14))
        } else {
            String::new()
        };
        let canonical = match self.rng.below(10) {
            0 => String::new(),
            1 => {
                format!("<link rel=\"canonical\" href=\"{}{}\">", self.main, page_path(self.rng.below(count)))
            }
            _ => format!("<link rel=\"canonical\" href=\"{}{path}\">", self.main),
        };
        let robots = match self.rng.below(25) {
            0 => "<meta name=\"robots\" content=\"noindex\">",
            1 => "<meta name=\"robots\" content=\"noindex, nofollow\">",
            _ => "",
        };
        let mut body = String::new();
        for child in children {
            let anchor = self.words(2);
            body.push_str(&format!("<p><a href=\"{child}\">{anchor}</a></p>\n"));
        }
        for _ in 0..self.rng.below(self.shape.links + 1) {
            let line = self.link(count);
            body.push_str(&line);
        }
        let (heading, text) = (self.words(3), self.words(60));
        self.queue.push(Target::Style);
        let document = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n{title}\n{description}\n{canonical}\n{robots}\n\
             <link rel=\"stylesheet\" href=\"/style.css\"></head>\n<body><nav><a href=\"/\">home</a></nav>\n\
             <main><h1>{heading}</h1>\n<p>{text}</p>\n{body}</main>\n<footer><a href=\"/go/0\">old home</a></footer></body></html>\n"
        );
        self.queue.push(Target::Redirect(0));
        self.truth.reachable.insert(path.clone());
        self.truth.html.insert(path.clone());
        self.answers.insert(path, Answer::html(document));
    }

    /// One more thing on a page: a link of some kind.
    fn link(&mut self, count: usize) -> String {
        let anchor = self.words(2);
        let few = 1 + count / 10;
        let number = self.rng.below(few);
        let (target, markup) = match self.rng.below(16) {
            0 => (Target::Broken(number), "<a href=\"HREF\">ANCHOR</a>"),
            1 | 2 => (Target::Redirect(number), "<a href=\"HREF\">ANCHOR</a>"),
            3 | 4 => (Target::Image(number), "<img src=\"HREF\" alt=\"ANCHOR\" width=\"1\" height=\"1\">"),
            5 => (Target::Script(number), "<script src=\"HREF\"></script>"),
            6 => (Target::File(number), "<a href=\"HREF\">ANCHOR</a>"),
            7 => (Target::Disallowed(number), "<a href=\"HREF\">ANCHOR</a>"),
            8 | 9 => (Target::External(number), "<a href=\"HREF\" rel=\"nofollow\">ANCHOR</a>"),
            10 => return "<a href=\"mailto:someone@example.com\">write</a> <a href=\"http://[broken\">bad</a>\n".to_owned(),
            11 => {
                let path = page_path(self.rng.below(count));
                return format!("<a href=\"{path}#part\" rel=\"nofollow\">{anchor}</a>\n");
            }
            // The same target twice, once as an absolute address.
            _ => {
                let path = page_path(self.rng.below(count));
                return format!("<a href=\"{path}\">{anchor}</a> <a href=\"{}{path}\">again</a>\n", self.main);
            }
        };
        self.queue.push(target);
        let origin = if matches!(target, Target::External(_)) { self.other.as_str() } else { "" };
        format!(
            "{}\n",
            markup.replace("HREF", &format!("{origin}{}", target.path())).replace("ANCHOR", &anchor)
        )
    }

    /// Gives an answer to every target that something links to; redirects may name new ones.
    fn targets(&mut self) {
        while let Some(target) = self.queue.pop() {
            let path = target.path();
            let known =
                if matches!(target, Target::External(_)) { &self.external_answers } else { &self.answers };
            if known.contains_key(&path) {
                continue;
            }
            let answer = self.answer(target);
            match target {
                Target::External(_) => {
                    self.external_answers.insert(path, answer);
                }
                Target::Disallowed(_) => {
                    self.truth.disallowed.insert(path.clone());
                    self.answers.insert(path, answer);
                }
                _ => {
                    self.truth.reachable.insert(path.clone());
                    self.answers.insert(path, answer);
                }
            }
        }
    }

    fn answer(&mut self, target: Target) -> Answer {
        match target {
            // Statuses follow from the number, so that they do not depend on the order of the queue.
            Target::Broken(n) => Answer::html("<!doctype html><title>Gone</title><h1>Gone</h1>")
                .as_status([404, 410, 500][n % 3]),
            Target::Redirect(n) => self.redirect(n),
            Target::Image(n) if n % 9 == 8 => Answer::status(404),
            Target::Image(n) => {
                let image = Answer::body("image/gif", *b"GIF89a\x01\x00\x01\x00\x00\x00\x00;");
                if (n * 37) % 100 < self.shape.head_refused {
                    self.truth.head_refused.insert(target.path());
                    return image.but_for_head(Answer::status(405));
                }
                image
            }
            Target::Script(_) => Answer::body("text/javascript", "'use strict';"),
            Target::Style => Answer::body("text/css", "body { margin: 2em }"),
            Target::File(_) => Answer::body("application/pdf", "%PDF-1.4\n%%EOF\n"),
            Target::Disallowed(_) => Answer::page("Private", &["/private/deeper.html"]),
            Target::External(n) => match n % 5 {
                0 => Answer::status(404),
                1 => Answer::status(403),
                2 => {
                    self.queue.push(Target::External(n + 1));
                    Answer::redirect(301, &Target::External(n + 1).path())
                }
                _ => {
                    let beyond = format!("/beyond/{n}");
                    self.truth.beyond.insert(beyond.clone());
                    Answer::page("Elsewhere", &[beyond])
                }
            },
        }
    }

    /// Redirect 0 goes home; the others to a page, onwards in a chain, in a circle, to a broken page, or off the site.
    fn redirect(&mut self, number: usize) -> Answer {
        let status = [301, 302, 307, 308][number % 4];
        let target = match number % 6 {
            _ if number == 0 => "/".to_owned(),
            1 => page_path(number % self.shape.pages.max(1)),
            2 => {
                self.queue.push(Target::Redirect(number + 1));
                Target::Redirect(number + 1).path()
            }
            3 => page_path((number * 5) % self.shape.pages.max(1)),
            4 => {
                self.queue.push(Target::Broken(number));
                Target::Broken(number).path()
            }
            5 => {
                self.queue.push(Target::External(number));
                format!("{}{}", self.other, Target::External(number).path())
            }
            // 6, 12, …: a circle with its partner, which is numbered a thousand higher.
            _ if number < 1_000 => {
                self.queue.push(Target::Redirect(number + 1_002));
                Target::Redirect(number + 1_002).path()
            }
            _ => Target::Redirect(number - 1_002).path(),
        };
        Answer::redirect(status, &target)
    }

    fn root_files(&mut self) {
        let robots = format!("User-agent: *\nDisallow: /private/\n\nSitemap: {}/sitemap.xml\n", self.main);
        self.answers.insert("/robots.txt".to_owned(), Answer::text(&robots));
        self.external_answers.insert("/robots.txt".to_owned(), Answer::text("User-agent: *\nAllow: /\n"));
        let mut sitemap = String::from(
            "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        let count = self.shape.pages.max(1);
        let listed = (0..count).step_by(3).chain(count..count + self.shape.orphans);
        for number in listed {
            sitemap.push_str(&format!("<url><loc>{}{}</loc></url>\n", self.main, page_path(number)));
        }
        sitemap.push_str("</urlset>\n");
        self.answers.insert("/sitemap.xml".to_owned(), Answer::body("application/xml", sitemap));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_site_and_every_kind_of_thing() {
        let shape = Shape { pages: 200, head_refused: 30, ..Shape::default() };
        let (one, same, another) =
            (RandomSite::new(7, &shape), RandomSite::new(7, &shape), RandomSite::new(8, &shape));
        assert_eq!(one.truth.reachable, same.truth.reachable);
        assert_ne!(one.truth.reachable, another.truth.reachable);
        assert_eq!(one.truth.html.len(), 204);
        for start in ["/gone/", "/go/", "/img/", "/js/", "/files/", "/style.css"] {
            assert!(one.truth.reachable.iter().any(|path| path.starts_with(start)), "{start}");
        }
        assert!(
            !one.truth.disallowed.is_empty()
                && !one.truth.beyond.is_empty()
                && !one.truth.head_refused.is_empty()
        );
        assert!(one.truth.external.len() > one.truth.beyond.len());
        assert!(one.truth.disallowed.is_disjoint(&one.truth.reachable));
    }
}
