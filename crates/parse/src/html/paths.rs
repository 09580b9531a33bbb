//! Element paths without indices (`body>footer>ul>li>a`), interned: equal places share one text.

use super::text::cut;
use hashbrown::HashMap;
use html5ever::LocalName;

/// Distinct paths that are told apart; further ones share the bare name of their element.
const MAX_PATHS: usize = 16_384;
/// Levels named in a path; the outer ones beyond are an ellipsis.
const MAX_LEVELS: usize = 64;
/// Bytes of one element's name in a path.
const MAX_NAME: usize = 32;

/// The parent of the outermost elements named.
pub(crate) const ROOT: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct Paths {
    nodes: Vec<Step>,
    children: HashMap<(u32, LocalName), u32>,
    texts: Vec<Box<str>>,
    /// Texts by content, once paths have become too many to be told apart.
    overflow: HashMap<Box<str>, u32>,
}

#[derive(Debug)]
struct Step {
    parent: u32,
    name: LocalName,
    /// Index into `texts`.
    text: Option<u32>,
}

impl Paths {
    /// The path of an element under that of its parent.
    pub(crate) fn child(&mut self, parent: u32, name: &LocalName) -> u32 {
        if let Some(known) = self.children.get(&(parent, name.clone())) {
            return *known;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Step { parent, name: name.clone(), text: None });
        self.children.insert((parent, name.clone()), id);
        id
    }

    /// The index of the path's text.
    pub(crate) fn text(&mut self, path: u32) -> u32 {
        if let Some(known) = self.nodes[path as usize].text {
            return known;
        }
        let index = if self.texts.len() < MAX_PATHS {
            self.texts.push(self.spell(path));
            self.texts.len() as u32 - 1
        } else {
            self.fixed(cut(&self.nodes[path as usize].name.clone(), MAX_NAME))
        };
        self.nodes[path as usize].text = Some(index);
        index
    }

    /// The index of a path that is no element's.
    pub(crate) fn fixed(&mut self, text: &str) -> u32 {
        if let Some(known) = self.overflow.get(text) {
            return *known;
        }
        if self.overflow.len() >= MAX_PATHS {
            return self.overflow.values().next().copied().unwrap_or(0);
        }
        self.texts.push(text.into());
        let index = self.texts.len() as u32 - 1;
        self.overflow.insert(text.into(), index);
        index
    }

    pub(crate) fn into_texts(self) -> Vec<Box<str>> {
        self.texts
    }

    fn spell(&self, path: u32) -> Box<str> {
        let (mut names, mut at) = (Vec::new(), path);
        while at != ROOT && names.len() < MAX_LEVELS {
            let step = &self.nodes[at as usize];
            names.push(cut(&step.name, MAX_NAME));
            at = step.parent;
        }
        if at != ROOT {
            names.push("…");
        }
        names.reverse();
        names.join(">").into_boxed_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_share_a_path() {
        let mut paths = Paths::default();
        let body = paths.child(ROOT, &LocalName::from("body"));
        let list = paths.child(body, &LocalName::from("ul"));
        let item = paths.child(list, &LocalName::from("li"));
        assert_eq!(paths.child(body, &LocalName::from("ul")), list);
        let text = paths.text(item);
        assert_eq!(paths.text(item), text);
        assert_eq!(paths.into_texts(), [Box::from("body>ul>li")]);
    }

    #[test]
    fn deep_and_many_paths_stay_bounded() {
        let mut paths = Paths::default();
        let div = LocalName::from("div");
        let mut at = ROOT;
        for _ in 0..20_000 {
            at = paths.child(at, &div);
            paths.text(at);
        }
        let texts = paths.into_texts();
        assert_eq!(texts.len(), MAX_PATHS + 1);
        assert!(texts.iter().all(|text| text.len() < 300));
        assert!(texts[100].starts_with("…>div>div"));
    }
}
