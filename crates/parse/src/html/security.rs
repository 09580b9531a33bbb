//! What of a document bears on its visitors' security: policies in meta elements, scripts of other sites, forms without TLS.

use super::arena::{Element, NodeId};
use super::walk::Walk;
use html5ever::local_name;
use html5ever::tendril::StrTendril;
use model::address::{is_loopback, site_of};
use model::{FlawKind, LinkTarget};

/// Where the document came from, as far as flaws depend on it.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// Empty where it came from no web server.
    site: Box<str>,
    /// Over http, from another computer.
    in_the_clear: bool,
    over_https: bool,
}

impl Place {
    pub(crate) fn of(url: &str) -> Self {
        let over_http = url.starts_with("http://");
        if !over_http && !url.starts_with("https://") {
            return Self::default();
        }
        Self {
            site: site_of(url).into(),
            in_the_clear: over_http && !is_loopback(url),
            over_https: !over_http,
        }
    }
}

/// Every policy that a `meta name=referrer` can name, its older words included (HTML, "meta referrer").
const REFERRERS: &[(&str, &str)] = &[
    ("no-referrer", "no-referrer"),
    ("no-referrer-when-downgrade", "no-referrer-when-downgrade"),
    ("same-origin", "same-origin"),
    ("origin", "origin"),
    ("strict-origin", "strict-origin"),
    ("origin-when-cross-origin", "origin-when-cross-origin"),
    ("strict-origin-when-cross-origin", "strict-origin-when-cross-origin"),
    ("unsafe-url", "unsafe-url"),
    ("never", "no-referrer"),
    ("default", "strict-origin-when-cross-origin"),
    ("always", "unsafe-url"),
    ("origin-when-crossorigin", "origin-when-cross-origin"),
];

impl Walk<'_> {
    /// A script of another site that a browser would run whatever it has become.
    pub(crate) fn check_script(&mut self, id: NodeId, element: &Element) {
        let Some(src) = element.attr(&local_name!("src")) else { return };
        let is_program = is_classic_script(element)
            || element
                .attr(&local_name!("type"))
                .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("module"));
        let has_integrity = element.attr(&local_name!("integrity")).is_some_and(|value| has_checksum(value));
        // Where scripts run, nothing in noscript is read; where they do not, no script is.
        let is_idle = self.outer.is_some() || self.context().in_noscript;
        if !is_program || has_integrity || self.place.site.is_empty() || is_idle {
            return;
        }
        if let LinkTarget::Http(target) = self.resolver.target(src)
            && site_of(&target) != &*self.place.site
        {
            self.flaw(id, FlawKind::SriMissing, src);
        }
    }

    pub(crate) fn check_form(&mut self, id: NodeId, element: &Element) {
        // It closes a dialog and sends nothing (HTML, "form submission algorithm").
        if is_dialog(element.attr(&local_name!("method"))) {
            return;
        }
        let action = element.attr(&local_name!("action"));
        if self.place.in_the_clear {
            self.flaw(id, FlawKind::FormOnHttp, action.map_or("", |action| &**action));
        }
        self.check_action(id, action);
    }

    /// Where a form of a safe page is sent, by itself or by one of its buttons.
    pub(crate) fn check_action(&mut self, id: NodeId, action: Option<&StrTendril>) {
        let Some(action) = action.filter(|_| self.place.over_https && !self.facts.upgrades_requests) else {
            return;
        };
        if let LinkTarget::Http(target) = self.resolver.target(action)
            && target.starts_with("http://")
            && !is_loopback(&target)
        {
            self.flaw(id, FlawKind::FormToHttp, action);
        }
    }

    /// A Content-Security-Policy counts in head only (CSP 3 §3.3).
    pub(crate) fn meta_policy(&mut self, content: &str) {
        if self.outer.is_none() && self.context().in_head && !content.trim().is_empty() {
            self.facts.meta_csp = true;
            let upgrades = content
                .split([';', ','])
                .any(|directive| directive.trim().eq_ignore_ascii_case("upgrade-insecure-requests"));
            self.facts.upgrades_requests |= upgrades;
        }
    }

    /// The last policy that is one stays.
    pub(crate) fn meta_referrer(&mut self, content: &str) {
        let said = content.trim();
        if let Some((_, policy)) = REFERRERS.iter().find(|(word, _)| word.eq_ignore_ascii_case(said)) {
            self.facts.referrer = Some(policy);
        }
    }
}

/// Whether a form's or a button's method only closes a dialog.
pub(crate) fn is_dialog(method: Option<&StrTendril>) -> bool {
    method.is_some_and(|method| method.eq_ignore_ascii_case("dialog"))
}

/// Whether a browser would take this for a script of JavaScript that is no module (HTML, "prepare the script element"): the
/// language counts where no type is named.
pub(crate) fn is_classic_script(element: &Element) -> bool {
    let said = element.attr(&local_name!("type")).or_else(|| element.attr(&local_name!("language")));
    said.is_none_or(|kind| {
        let kind = kind.trim().to_ascii_lowercase();
        let scripts = ["javascript", "ecmascript", "jscript", "livescript"];
        kind.is_empty() || scripts.iter().any(|script| kind.contains(script))
    })
}

/// Whether a script's type says that it is data or a template, which browsers never fetch.
pub(crate) fn is_data_block(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind.ends_with("/json")
        || kind.ends_with("+json")
        || kind.ends_with("template")
        || matches!(
            kind.as_str(),
            "importmap" | "speculationrules" | "text/html" | "text/x-handlebars" | "text/x-mustache"
        )
}

/// Whether an `integrity` holds a checksum that browsers compare; they pass over all else (Subresource Integrity, "parse
/// metadata").
fn has_checksum(integrity: &str) -> bool {
    integrity.split_ascii_whitespace().any(|token| {
        token.split_once('-').is_some_and(|(method, sum)| {
            !sum.is_empty()
                && ["sha256", "sha384", "sha512"].iter().any(|known| method.eq_ignore_ascii_case(known))
        })
    })
}

/// Whether an `http-equiv` names a Content-Security-Policy.
pub(crate) fn is_policy(pragma: &str) -> bool {
    pragma.trim().eq_ignore_ascii_case("content-security-policy")
}

#[cfg(test)]
mod tests {
    use crate::html::{Document, html};
    use model::FlawKind;

    fn read(url: &str, body: &str) -> Vec<(FlawKind, String)> {
        let facts = html(&Document { url, body: body.as_bytes(), content_type: None, headers: &[] });
        let kinds = [FlawKind::SriMissing, FlawKind::FormOnHttp, FlawKind::FormToHttp];
        let own = facts.flaws.iter().filter(|flaw| kinds.contains(&flaw.kind));
        own.map(|flaw| (flaw.kind, flaw.detail.to_string())).collect()
    }

    #[test]
    fn scripts_of_other_sites_want_a_checksum() {
        let check = |body: &str, expect: &[&str]| {
            let found = read("https://www.shop.example/a", body);
            let expect: Vec<_> = expect.iter().map(|src| (FlawKind::SriMissing, (*src).to_owned())).collect();
            assert_eq!(found, expect, "{body}");
        };
        check("<script src=https://cdn.example/x.js></script>", &["https://cdn.example/x.js"]);
        check("<script type=module src=//cdn.example/x.js></script>", &["//cdn.example/x.js"]);
        check("<script src=//cdn.example/x.js integrity=' '></script>", &["//cdn.example/x.js"]);
        check("<script src=//cdn.example/x.js integrity=sha384-x></script>", &[]);
        check("<script src=//cdn.example/x.js integrity='md5-x SHA512-x'></script>", &[]);
        check("<script src=//cdn.example/x.js integrity=md5-x></script>", &["//cdn.example/x.js"]);
        check("<script src=//cdn.example/x.js integrity=sha256-></script>", &["//cdn.example/x.js"]);
        check("<body><noscript><script src=//cdn.example/x.js></script></noscript>", &[]);
        check("<script language=vbscript src=//cdn.example/x.vbs></script>", &[]);
        check("<script language=JavaScript1.2 src=//cdn.example/x.js></script>", &["//cdn.example/x.js"]);
        check("<script src=https://static.shop.example/x.js></script><script src=/x.js></script>", &[]);
        check("<script type=application/json src=//cdn.example/x></script><script>1</script>", &[]);
        check("<link rel=stylesheet href=//cdn.example/x.css>", &[]);
    }

    #[test]
    fn forms_want_tls() {
        let to_http = "<form action=http://a.example/><button formaction=//a.example/></form><form action=http://localhost/></form>";
        assert_eq!(
            read("https://shop.example/", to_http),
            [(FlawKind::FormToHttp, "http://a.example/".to_owned())]
        );
        let base = format!("<base href=http://a.example/>{to_http}");
        assert_eq!(read("https://shop.example/", &base).len(), 2);
        let policy =
            format!("<meta http-equiv=content-security-policy content=upgrade-insecure-requests>{to_http}");
        assert_eq!(read("https://shop.example/", &policy), []);
        let check = |url: &str, expect: &[&str]| {
            let found = read(url, "<form action=https://pay.example/x></form><form><input></form>");
            let expect: Vec<_> = expect.iter().map(|to| (FlawKind::FormOnHttp, (*to).to_owned())).collect();
            assert_eq!(found, expect, "{url}");
        };
        check("http://shop.example/", &["https://pay.example/x", ""]);
        check("https://shop.example/", &[]);
        check("http://127.0.0.1:8080/", &[]);
        let dialog = "<form method=Dialog action=http://a.example/><button formaction=http://a.example/ formmethod=dialog></button></form>";
        assert_eq!(read("https://shop.example/", dialog), []);
        assert_eq!(read("http://shop.example/", dialog), []);
    }

    #[test]
    fn data_in_script_elements_is_not_fetched() {
        let check = |kind: &str, expect: usize| {
            let body = format!("<script type='{kind}' src=http://a.example/x></script>");
            let url = "https://shop.example/";
            let facts = html(&Document { url, body: body.as_bytes(), content_type: None, headers: &[] });
            let scripts = facts.links.iter().filter(|link| link.kind == model::LinkKind::Script).count();
            assert_eq!(scripts, expect, "{kind}");
        };
        for kind in [
            "application/json",
            "application/LD+json; charset=utf-8",
            "text/template",
            "text/x-template",
            "importmap",
        ] {
            check(kind, 0);
        }
        for kind in ["", "module", "text/javascript", "text/babel", "text/plain"] {
            check(kind, 1);
        }
    }

    #[test]
    fn policies_of_meta_elements_are_read() {
        let check = |body: &str, expect: (bool, bool, Option<&str>)| {
            let facts = html(&Document {
                url: "https://shop.example/",
                body: body.as_bytes(),
                content_type: None,
                headers: &[],
            });
            assert_eq!((facts.meta_csp, facts.upgrades_requests, facts.referrer), expect, "{body}");
        };
        let csp = |policy: &str| format!("<meta http-equiv=Content-Security-Policy content=\"{policy}\">");
        check(&csp("default-src 'self'; Upgrade-Insecure-Requests"), (true, true, None));
        check(&csp("default-src 'self'"), (true, false, None));
        check(&csp(" "), (false, false, None));
        check(&format!("<body>{}", csp("default-src 'self'")), (false, false, None));
        check("<meta name=referrer content=always>", (false, false, Some("unsafe-url")));
        check(
            "<meta name=referrer content=Origin><meta name=Referrer content=odd>",
            (false, false, Some("origin")),
        );
    }
}
