//! Hard cases that do not pass yet, each with its reason, and the guard that lets their list only shrink.

use std::collections::BTreeMap;
use std::path::Path;

/// What came of one case.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The program crashed, hung or failed as a whole: no exception covers that.
    pub ruin: Option<String>,
    /// Expectations that are not met.
    pub faults: Vec<String>,
}

/// The committed list.
#[derive(Debug)]
pub struct Exceptions {
    /// How many cases may stand there.
    most: usize,
    /// Id and reason.
    listed: BTreeMap<String, String>,
}

impl Exceptions {
    /// # Panics
    /// When the file cannot be read or is not in order.
    pub fn read(file: &Path) -> Self {
        let text =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self::parse(&text).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let most = text
            .lines()
            .find_map(|line| line.strip_prefix("# At most: "))
            .and_then(|number| number.trim().parse().ok())
            .ok_or("the head does not say how many cases may stand here")?;
        let mut listed = BTreeMap::new();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            let (id, reason) = line.split_once(':').unwrap_or((line, ""));
            if reason.trim().is_empty() {
                return Err(format!("an exception needs a reason: {line}"));
            }
            if listed.insert(id.trim().to_owned(), reason.trim().to_owned()).is_some() {
                return Err(format!("{id} stands there twice"));
            }
        }
        if listed.len() > most {
            return Err(format!("{} cases, {most} may stand there; the list only shrinks", listed.len()));
        }
        Ok(Self { most, listed })
    }

    /// What is to be complained of: a case that fails and is not listed, one that is listed and passes or does not
    /// exist, one that ruins the program, and a head that allows more than stands there.
    pub fn complaints(&self, verdicts: &BTreeMap<String, Verdict>) -> Vec<String> {
        let mut complaints = Vec::new();
        for (id, verdict) in verdicts {
            let listed = self.listed.get(id);
            match (&verdict.ruin, verdict.faults.is_empty(), listed) {
                (Some(ruin), ..) => complaints.push(format!("{id}: {ruin}")),
                (None, true, Some(_)) => complaints.push(format!("{id} passes; take it off the list")),
                (None, false, None) => {
                    complaints.push(format!("{id}\n    {}", verdict.faults.join("\n    ")));
                }
                (None, true, None) | (None, false, Some(_)) => {}
            }
        }
        for id in self.listed.keys().filter(|id| !verdicts.contains_key(*id)) {
            complaints.push(format!("{id} is listed and was not run"));
        }
        if self.listed.len() < self.most {
            complaints
                .push(format!("{} cases are listed: say so in the head of the list", self.listed.len()));
        }
        complaints
    }

    /// The reason of a listed case.
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.listed.get(id).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_order_are_read() {
        let check = |text: &str, expect: Result<usize, &str>| match (Exceptions::parse(text), expect) {
            (Ok(read), Ok(count)) => assert_eq!(read.listed.len(), count, "{text}"),
            (Err(fault), Err(word)) => assert!(fault.contains(word), "{text}: {fault}"),
            (read, expect) => panic!("{text}: {read:?}, {expect:?} expected"),
        };
        check("# At most: 2\nx: why\ny: why: exactly\n", Ok(2));
        check("# At most: 0\n\n# a remark\n", Ok(0));
        check("x: why\n", Err("head"));
        check("# At most: many\n", Err("head"));
        check("# At most: 1\nx: why\ny: why\n", Err("only shrinks"));
        check("# At most: 1\nx:\n", Err("reason"));
        check("# At most: 1\nx\n", Err("reason"));
        check("# At most: 2\nx: why\nx: why\n", Err("twice"));
    }

    #[test]
    fn the_list_may_only_shrink() {
        let check = |list: &str, ruin: Option<&str>, faults: &[&str], word: &str| {
            let list = Exceptions::parse(list).expect("a list in order");
            let verdict = Verdict {
                ruin: ruin.map(str::to_owned),
                faults: faults.iter().map(|fault| (*fault).to_owned()).collect(),
            };
            let complaints = list.complaints(&BTreeMap::from([("x".to_owned(), verdict)])).join("\n");
            assert!(
                if word.is_empty() { complaints.is_empty() } else { complaints.contains(word) },
                "{complaints}"
            );
        };
        let (empty, listed) = ("# At most: 0", "# At most: 1\nx: why");
        check(empty, None, &[], "");
        check(empty, None, &["wrong"], "wrong");
        check(listed, None, &["wrong"], "");
        check(listed, None, &[], "take it off");
        check(listed, Some("it hangs"), &[], "it hangs");
        check("# At most: 1\ny: why", None, &[], "was not run");
        check("# At most: 1", None, &[], "head");
    }
}
