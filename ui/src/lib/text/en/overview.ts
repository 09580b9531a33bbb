/** Texts of the overview. */
export const overview = {
  title: "Overview",
  loading: "Counting…",
  no_crawl_title: "No crawl yet",
  no_crawl_text: "Start an audit, and what is worth knowing about the site stands here.",

  // The figures at the top.
  facts: "The crawl in figures",
  pages: "Pages",
  of_urls: "of {n} URL|of {n} URLs",
  indexable: "Indexable",
  of_pages: "{share} of the pages",
  issues: "Issues",
  warnings: "Warnings",
  findings: "findings",
  crawled: "Crawled",
  took: "Took",
  running: "still running",
  held: "still running in another program",
  complete: "complete",
  stopped: "stopped before its end",
  interrupted: "interrupted",
  failed: "failed",

  // While the crawl runs.
  so_far: "The crawl is still running: these are the numbers so far.",
  finished_since: "The crawl has moved on since these numbers were counted.",
  refresh: "Refresh",
  up_to_date: "Up to date",

  // What to fix first.
  fix_first: "Fix first",
  fix_about: "By pages concerned, how much they count, and how much harm it does",
  all_issues: "All issues",
  pages_unit: "page|pages",
  times: "{n} time|{n} times",
  not_yet_title: "Not judged yet",
  not_yet_text: "What is wrong becomes clear as pages come in; links between them are judged at the end of the crawl.",
  small_title: "Nothing urgent",
  small_text: "What was found is small. The list of issues has it all.",
  nothing_title: "Nothing to fix",
  nothing_text: "Every audit was run and none found anything. That is rare, and good.",

  spread: "How the URLs spread",
  no_numbers: "No numbers yet.",
};
