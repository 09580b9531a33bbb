/** Texts of the pane that shows one URL. */
export const detail = {
  title: "URL detail",
  tabs: "What is known about the URL",
  loading: "Reading…",
  tab: {
    summary: "Summary", inlinks: "Inlinks", outlinks: "Outlinks", resources: "Resources", redirects: "Redirects", headers: "Headers",
    preview: "Search preview", headings: "Headings", images: "Images", source: "Source", issues: "Issues", history: "History",
  },

  // The head.
  back: "URL shown before",
  forward: "URL shown after",
  copy: "Copy URL",
  copied: "URL copied.",
  open: "Open in browser",
  close: "Close",
  indexable: "Indexable",
  not_indexable: "Not indexable",
  external: "External",

  timings: "Timings",
  not_in_crawl: "That URL is not part of this crawl.",
  table: "{what} of {url}",
  no_html_title: "Not an HTML page",
  no_html_text: "Only HTML pages are read for links, headings and texts.",
  none: {
    inlinks: { title: "No inlinks", text: "No page of this crawl links here. It was found another way: a sitemap, a list, a redirect or a canonical." },
    outlinks: { title: "No outlinks", text: "The page has no links that a visitor could follow." },
    resources: { title: "No resources", text: "The page loads no images, scripts, styles or other files." },
    images: { title: "No images", text: "The page has no images." },
    redirects: { title: "No redirect", text: "The URL answers for itself." },
    headers: { title: "No headers", text: "There was no answer, or its headers were not stored." },
    preview: { title: "No preview", text: "A preview needs a page whose HTML could be read." },
    headings: { title: "No headings", text: "The page has no h1 to h6. Readers and search engines find their way by them." },
    source: { title: "No source stored", text: "The answer was not HTML, or storing HTML was switched off for this crawl." },
    issues: { title: "Nothing found here", text: "No audit has anything to report about this URL." },
    history: { title: "No history", text: "This URL has not been in another crawl of this project." },
  },

  // Redirects, headers.
  hops: "{n} redirect|{n} redirects",
  loop: "The redirects go round in circles.",
  again: "seen before",
  copy_all: "Copy all",
  headers_copied: "{n} header copied.|{n} headers copied.",
  header_name: "Name",
  header_value: "Value",

  // Search preview.
  look: { desktop: "On a desktop", phone: "On a phone" },
  no_title: "No title: search engines make one up",
  no_description: "No description: search engines cut a piece out of the page",
  not_shown: "Search engines will not show this page",
  page_title: "Title",
  description: "Description",
  missing: "missing",
  room: "{px} px of {max} px",
  characters: "{n} character|{n} characters",
  preview_about: "Widths are those of Arial as result lists use it. The limits are the audits' thresholds; search engines cut where their own layout ends, and may choose other texts.",

  // Headings.
  sound: "a sound outline",
  flaws: "{n} place to look at|{n} places to look at",
  flaw: {
    skipped: "{level} after {after}",
    first: "begins with {level}, not H1",
    again: "another H1",
    empty: "empty heading",
  },

  // Source.
  source_loading: "Reading the stored HTML…",
  find: "Find in source",
  found: "{at} of {n}",
  found_none: "not found",
  find_before: "Match before",
  find_next: "Next match",
  line: "Line",
  lines: "{n} line|{n} lines",
  copy_source: "Copy the whole source",
  source_copied: "Source copied ({size}).",
  source_cut: "Lines from {n} on are not drawn. Copy the source to read it all.",

  // Issues, history.
  jump: "Line {line}",
  open_audit: "Show this issue across the site",
  crawled: "Crawled",
  status: "Status",
  change: "Changed",
  changed: { status: "status", title: "title", content: "content" },
  unchanged: "nothing",
  first_seen: "first seen",
  open_crawl: "Show this URL in that crawl",
};
