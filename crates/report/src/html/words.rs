//! What the stored words for kinds of links and places on a page mean to a client.

/// `anchor` → `link`.
pub(super) fn kind(kind: &str) -> &str {
    match kind {
        "anchor" => "link",
        "area" => "image map",
        "iframe" => "frame",
        "style" => "style sheet",
        "media" => "video or audio",
        "manifest" => "app manifest",
        "hreflang" => "language version",
        "next" => "next page",
        "prev" => "previous page",
        "amp" => "AMP version",
        "meta-refresh" => "meta refresh",
        "preconnect" => "connection hint",
        "social" => "social image",
        "data" => "structured data",
        "object" => "embedded object",
        "other" => "other relation",
        plain => plain,
    }
}

/// `nav` → `navigation`.
pub(super) fn position(position: &str) -> &str {
    match position {
        "head" => "the document’s head",
        "nav" => "the navigation",
        "header" => "the header",
        "main" => "the main part",
        "aside" => "the sidebar",
        "footer" => "the footer",
        "body" => "the body",
        "http" => "the HTTP headers",
        other => other,
    }
}

/// Whether a person would miss a text on this kind of link.
pub(super) fn wants_text(kind: &str) -> bool {
    matches!(kind, "anchor" | "area" | "image")
}
