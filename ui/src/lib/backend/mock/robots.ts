/** robots.txt of the tea shop and of the sites it links to, with a small reader of such files. */
import type { ApiError, RobotsFile, RobotsGroup, RobotsHost, RobotsHosts, RobotsLine, RobotsProblem, RobotsSandbox, RobotsVerdict, SandboxRow } from "../bindings";
import { ORIGIN, site } from "./site";

const OWN = "GossamerBot";
const BOT = "Googlebot";

export const ROBOTS_TXT = `# Linden & Leaf
User-agent: *
Disallow: /cart
Disallow: /account
Disallow: /checkout
Disallow: /wishlist
Disallow: /compare
Disallow: /admin
Disallow: /internal/
Disallow: /search/
Disallow: /preview
Allow: /search/advanced/help
Crawl-delay: 0.5

User-agent: Googlebot
User-agent: Bingbot
Disallow: /cart
Disallow: /checkout
Disallow: /*?sort=

User-agent: GreedyBot
Disallow: /
Crawl-delay: soon

Noindex: /old/
Sitemap: ${ORIGIN}/sitemap.xml
Sitemap: /feeds/news.xml
`;

type Known = { state: string; status: number | null; text: string; error: string | null; redirects: number };
const FILES: Record<string, Known> = {
  [ORIGIN]: { state: "ok", status: 200, text: ROBOTS_TXT, error: null, redirects: 0 },
  "https://www.tea-board.example": { state: "ok", status: 200, text: "User-agent: *\nDisallow: /wp-admin/\nSitemap: https://www.tea-board.example/wp-sitemap.xml\n", error: null, redirects: 0 },
  "https://maps.example": { state: "ok", status: 200, text: "User-agent: *\nCrawl-delay: 2\nDisallow: /api/\n", error: null, redirects: 1 },
  "https://photos.example": { state: "unreachable", status: 503, text: "", error: null, redirects: 0 },
  "https://pay.example": { state: "missing", status: 404, text: "", error: null, redirects: 0 },
  "https://parcel.example": { state: "throttled", status: 429, text: "", error: null, redirects: 0 },
  "https://journal-of-tea.example": { state: "ok", status: 200, text: "<!doctype html>\n<title>Journal of Tea</title>\n", error: null, redirects: 2 },
  "https://organic.example": { state: "ok", status: 200, text: "User-agent: GossamerBot\nDisallow: /label/drafts/\n", error: null, redirects: 0 },
  "https://grandmas-teapot.example": { state: "unreachable", status: null, text: "", error: "dns: The name could not be resolved.", redirects: 0 },
};

const OUTCOMES: Record<string, string> = { ok: "rules read", missing: "no rules", unreachable: "the rules are unknown; the site is crawled all the same", throttled: "the rules are unknown; the site is crawled all the same" };
const PROBLEMS: Record<string, string> = {
  "bad-crawl-delay": "This Crawl-delay is not a number of seconds; it is skipped.",
  "noindex-line": "Search engines do not read noindex in robots.txt.",
  "relative-sitemap": "A Sitemap line has to hold an absolute address.",
  "no-colon": "There is no “key: value” in this line; it is skipped.",
  "unknown-key": "No crawler reads this key; the line is skipped.",
  "is-html": "This is a web page, not a robots.txt.",
  "rule-before-group": "No User-agent line stands before this rule; it is skipped.",
  "pattern-without-slash": "A pattern that begins with neither / nor * matches no address.",
};
const KEYS: Record<string, string> = { "user-agent": "user-agent", allow: "allow", disallow: "disallow", sitemap: "sitemap", "crawl-delay": "crawl-delay", noindex: "noindex", host: "extension" };

type Rule = { line: number; allow: boolean; pattern: string };
type Parsed = { lines: RobotsLine[]; groups: (RobotsGroup & { rules: Rule[]; delay: number | null })[]; problems: RobotsProblem[] };

function parse(text: string): Parsed {
  const parsed: Parsed = { lines: [], groups: [], problems: [] };
  const html = text.trimStart().startsWith("<");
  let open = false;
  text.replace(/\n$/, "").split("\n").forEach((raw, i) => {
    const number = i + 1;
    const body = raw.replace(/#.*/, "").trim();
    const at = body.indexOf(":");
    const key = body.slice(0, at).trim().toLowerCase();
    const value = body.slice(at + 1).trim();
    const kind = body === "" ? (raw.trim() === "" ? "blank" : "comment") : at < 0 ? "unreadable" : (KEYS[key] ?? "unknown-key");
    const line: RobotsLine = { number, text: raw, kind, group: null, followed: false, followed_by_bot: false, problem: null };
    const flag = (code: string) => {
      line.problem = PROBLEMS[code] ?? code;
      parsed.problems.push({ line: number, code, message: line.problem, text: raw });
    };
    let group = parsed.groups[parsed.groups.length - 1];
    if (kind === "user-agent") {
      if (!group || !open) {
        group = { agents: [], first_line: number, last_line: number, allows: 0, disallows: 0, followed: false, followed_by_bot: false, rules: [], delay: null };
        parsed.groups.push(group);
        open = true;
      }
      group.agents.push(value);
    } else if (["allow", "disallow", "crawl-delay"].includes(kind)) {
      if (!group) flag("rule-before-group");
      else if (kind === "crawl-delay") {
        if (/^\d*\.?\d+$/.test(value)) group.delay = Math.max(group.delay ?? 0, Number(value));
        else flag("bad-crawl-delay");
      } else {
        open = false;
        group[kind === "allow" ? "allows" : "disallows"] += 1;
        if (value !== "" && !/^[/*]/.test(value)) flag("pattern-without-slash");
        if (value !== "") group.rules.push({ line: number, allow: kind === "allow", pattern: value });
      }
    } else if (kind === "sitemap" && !value.includes("://")) flag("relative-sitemap");
    else if (kind === "noindex") flag("noindex-line");
    else if (kind === "unreadable" && !html) flag("no-colon");
    else if (kind === "unknown-key" && !html) flag("unknown-key");
    if (html && i === 0) flag("is-html");
    if (group && ["user-agent", "allow", "disallow", "crawl-delay"].includes(kind)) {
      line.group = parsed.groups.length - 1;
      group.last_line = number;
    }
    parsed.lines.push(line);
  });
  return parsed;
}

/** The groups that speak to a token: its own, else those for everybody. */
function followed(parsed: Parsed, token: string) {
  const names = (name: string) => parsed.groups.filter((group) => group.agents.some((agent) => agent.toLowerCase() === name.toLowerCase()));
  const own = names(token);
  const groups = own.length > 0 ? own : names("*");
  const delays = groups.flatMap((group) => (group.delay === null ? [] : [group.delay]));
  return { groups, name: own.length > 0 ? token : groups.length > 0 ? "*" : null, rules: groups.flatMap((group) => group.rules), delay: delays.length > 0 ? Math.max(...delays) : null };
}

function matches(pattern: string, path: string): boolean {
  const whole = pattern.endsWith("$");
  const glob = (whole ? pattern.slice(0, -1) : pattern).split("*").map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${glob.join(".*")}${whole ? "$" : ""}`).test(path);
}

function decide(rules: Rule[], url: string): { allowed: boolean; rule: Rule | null } {
  const { pathname, search } = new URL(url);
  const found = pathname === "/robots.txt" ? [] : rules.filter((rule) => matches(rule.pattern, pathname + search));
  found.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow) || a.line - b.line);
  const rule = found[0] ?? null;
  return { allowed: rule?.allow ?? true, rule };
}

const words = (rule: Rule) => `${rule.allow ? "Allow" : "Disallow"}: ${rule.pattern}`;

function known(origin: string): Known {
  const file = FILES[origin];
  const refusal: ApiError = { code: "usage", message: `The crawl did not ask ${origin} for its robots.txt.`, detail: [] };
  if (!file) throw refusal;
  return file;
}

function host(origin: string): RobotsHost {
  const file = known(origin);
  const parsed = parse(file.text);
  const own = followed(parsed, OWN);
  const answer = file.error?.replace(/\.$/, "") ?? `status ${file.status}`;
  return {
    origin, host: new URL(origin).host, internal: origin === ORIGIN, state: file.state, status: file.status, outcome: `${answer}: ${OUTCOMES[file.state] ?? ""}`,
    robots_url: `${origin}/robots.txt`, final_url: file.redirects > 0 ? `${origin.replace("//", "//www.")}/robots.txt` : null, fetched: "2026-03-11T08:30:00.412Z",
    bytes: file.text.length, truncated: false, redirects: file.redirects, problems: parsed.problems.length, groups: parsed.groups.length, group_followed: own.name,
    crawl_delay: own.delay, sitemaps: parsed.lines.filter((line) => line.kind === "sitemap").length,
    blocked: site().pages.filter((page) => page.state === "blocked" && page.url.startsWith(`${origin}/`)).length,
  };
}

export function robotsHosts(): RobotsHosts {
  const hosts = Object.keys(FILES).map(host);
  return { total: hosts.length, hosts };
}

export function robotsFile(origin: string): RobotsFile {
  const file = known(origin);
  const parsed = parse(file.text);
  const [own, bot] = [followed(parsed, OWN), followed(parsed, BOT)];
  for (const line of parsed.lines) {
    const group = line.group === null ? undefined : parsed.groups[line.group];
    line.followed = group !== undefined && own.groups.includes(group);
    line.followed_by_bot = group !== undefined && bot.groups.includes(group);
  }
  return {
    host: host(origin), error: file.error, text: file.text, line_count: parsed.lines.length, lines: file.text === "" ? [] : parsed.lines,
    hops: Array.from({ length: file.redirects }, (_, i) => ({ status: 301, url: i === 0 ? `${origin.replace("https", "http")}/robots.txt` : `${origin}/robots.txt` })),
    groups: parsed.groups.map(({ rules: _rules, delay: _delay, ...group }, i) => ({ ...group, followed: own.groups.includes(parsed.groups[i]!), followed_by_bot: bot.groups.includes(parsed.groups[i]!) })),
    agents: [[OWN, "own", own] as const, [BOT, "bot", bot] as const].map(([token, role, of]) => ({ token, role, group: of.name, rules: of.rules.length, crawl_delay: of.delay })),
    sitemaps: parsed.lines.filter((line) => line.kind === "sitemap").map((line) => {
      const url = line.text.slice(line.text.indexOf(":") + 1).trim();
      return { line: line.number, url, absolute: url.includes("://") };
    }),
  };
}

export function robotsTest(origin: string, text: string | null, agent: string, urls: string[]): RobotsVerdict[] {
  const { rules, name } = followed(parse(text ?? known(origin).text), agent);
  return urls.map((typed) => {
    let url: URL;
    try {
      url = new URL(typed, `${origin}/`);
    } catch {
      return { url: typed, allowed: null, line: null, rule: null, group: null, reason: "This is not an address." };
    }
    if (url.origin !== origin) return { url: url.href, allowed: null, line: null, rule: null, group: null, reason: `${url.origin} has a robots.txt of its own.` };
    const { allowed, rule } = decide(rules, url.href);
    const reason = rule ? `Line ${rule.line} decides: ${words(rule)}` : name === null ? `No group speaks to ${agent}: everything is allowed.` : "No rule matches: what no rule forbids is allowed.";
    return { url: url.href, allowed, line: rule?.line ?? null, rule: rule ? words(rule) : null, group: name, reason };
  });
}

export function robotsSandbox(origin: string, text: string, agent: string): RobotsSandbox {
  const edited = parse(text);
  const [now, before] = [followed(edited, agent).rules, followed(parse(known(origin).text), agent).rules];
  const pages = site().pages.filter((page) => page.url.startsWith(`${origin}/`));
  const rows = pages.map((page): SandboxRow => {
    const { allowed, rule } = decide(now, page.url);
    return { key: page.key, url: page.url, allowed, before: decide(before, page.url).allowed, line: rule?.line ?? null, rule: rule ? words(rule) : null, inlinks: Number(page["inlinks"]) };
  });
  const of = (keep: (row: SandboxRow) => boolean) => rows.filter(keep).sort((a, b) => b.inlinks - a.inlinks || a.key - b.key);
  const [blocked, allowed, still] = [of((row) => row.before && !row.allowed), of((row) => !row.before && row.allowed), of((row) => !row.before && !row.allowed)];
  return {
    checked: rows.length, blocked: blocked.length + still.length, newly_blocked: blocked.length, newly_allowed: allowed.length,
    rows: [blocked, allowed, still].flatMap((part) => part.slice(0, 500)), problems: edited.problems, took_ms: 4,
  };
}
