//! Element paths without indices (`body>footer>ul>li>a`), interned: equal places share one text.
//!
//! Where a link stands in an attribute that does not speak for the element itself, its path names the attribute behind
//! the element: `body>main>img[srcset]`.

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
    attributes: HashMap<(u32, LocalName), u32>,
    texts: Vec<Box<str>>,
    /// Texts by content, once paths have become too many to be told apart.
    overflow: HashMap<Box<str>, u32>,
}

#[derive(Debug)]
struct Step {
    parent: u32,
    name: LocalName,
    /// The step is an attribute of its parent.
    is_attribute: bool,
    /// Index into `texts`.
    text: Option<u32>,
}

impl Paths {
    /// The path of an element under that of its parent.
    pub(crate) fn child(&mut self, parent: u32, name: &LocalName) -> u32 {
        let new = self.nodes.len() as u32;
        let id = *self.children.entry((parent, name.clone())).or_insert(new);
        if id == new {
            self.nodes.push(Step { parent, name: name.clone(), is_attribute: false, text: None });
        }
        id
    }

    /// The path of an attribute of an element.
    pub(crate) fn attribute(&mut self, element: u32, name: &LocalName) -> u32 {
        let new = self.nodes.len() as u32;
        let id = *self.attributes.entry((element, name.clone())).or_insert(new);
        if id == new {
            self.nodes.push(Step { parent: element, name: name.clone(), is_attribute: true, text: None });
        }
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
            self.fixed(&self.last(path))
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
        let last = self.last(path);
        let mut names = vec![&*last];
        let mut at = self.above(path);
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

    /// The last element of a path, with its attribute if the path ends with one.
    fn last(&self, path: u32) -> String {
        let step = &self.nodes[path as usize];
        let name = cut(&step.name, MAX_NAME);
        if !step.is_attribute {
            return name.to_owned();
        }
        let element = cut(&self.nodes[step.parent as usize].name, MAX_NAME);
        format!("{element}[{name}]")
    }

    /// What stands above the last element of a path.
    fn above(&self, path: u32) -> u32 {
        let step = &self.nodes[path as usize];
        if step.is_attribute { self.nodes[step.parent as usize].parent } else { step.parent }
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
        let attribute = paths.attribute(item, &LocalName::from("style"));
        let child = paths.child(item, &LocalName::from("style"));
        assert_eq!(paths.attribute(item, &LocalName::from("style")), attribute);
        let (attribute, child) = (paths.text(attribute), paths.text(child));
        assert_eq!((text, attribute, child), (0, 1, 2));
        assert_eq!(
            paths.into_texts(),
            ["body>ul>li", "body>ul>li[style]", "body>ul>li>style"].map(Box::from)
        );
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
        let attribute = paths.attribute(at, &LocalName::from("style"));
        paths.text(attribute);
        let texts = paths.into_texts();
        assert_eq!(texts.len(), MAX_PATHS + 2);
        assert_eq!(&*texts[MAX_PATHS + 1], "div[style]");
        assert!(texts.iter().all(|text| text.len() < 300));
        assert!(texts[100].starts_with("…>div>div"));
    }
}
