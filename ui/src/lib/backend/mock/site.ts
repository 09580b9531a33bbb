/** A tea shop: its pages, files, faults and links, made up once and always the same. */
import type { Value } from "../bindings";
import { chance } from "./chance";

export type Row = Record<string, Value>;
export type Page = Row & { url: string; key: number; internal: number; state: string; status: number | null };
export type Link = Row & { source: string; target: string; source_key: number; target_key: number; kind: string; verdict: string };
export type Site = { pages: Page[]; links: Link[]; byUrl: Map<string, Page> };

export const ORIGIN = "https://lindenleaf.example";

const KINDS: [string, string][] = [
  ["green-tea", "Green tea"], ["black-tea", "Black tea"], ["oolong", "Oolong"], ["white-tea", "White tea"],
  ["herbal", "Herbal infusions"], ["rooibos", "Rooibos"], ["teaware", "Teaware"], ["gifts", "Gift sets"],
];
const NAMES = [
  "Sencha Kyoto", "Gyokuro Asahi", "Dragon Well", "Jasmine Pearls", "Genmaicha", "Hojicha", "Assam Second Flush", "Darjeeling First Flush",
  "Earl Grey Blue", "Ceylon Dimbula", "Lapsang Souchong", "Yunnan Gold", "Tie Guan Yin", "Milk Oolong", "Da Hong Pao", "Silver Needle",
  "White Peony", "Lemon Verbena", "Peppermint Leaf", "Chamomile Blossom", "Linden Flower", "Rooibos Vanilla", "Honeybush", "Rooibos Orange",
  "Cast Iron Pot", "Glass Infuser", "Bamboo Whisk", "Matcha Bowl", "Tasting Set", "Winter Box",
];
const JOURNAL = [
  "How to brew sencha", "Water, temperature and time", "A week in Darjeeling", "What first flush means", "Storing tea well", "Cold brew for hot days",
  "The history of the samovar", "Choosing a gaiwan", "Why tea turns bitter", "Tasting notes for beginners", "Oolong in seven steeps", "Tea and food",
];
const INFO = ["about", "shipping", "returns", "contact", "imprint", "privacy", "terms", "wholesale", "workshops", "gift-cards", "faq", "stores"];
const OUTSIDE = [
  "https://www.tea-board.example/certificates", "https://maps.example/place/lindenleaf", "https://photos.example/lindenleaf", "https://pay.example/methods",
  "https://parcel.example/track", "https://journal-of-tea.example/2024/sencha", "https://organic.example/label/DE-006", "https://news.example/tea-harvest",
];

const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

let made: Site | null = null;
/** Built when it is first looked at. */
export function site(): Site {
  made ??= build();
  return made;
}

function build(): Site {
  const random = chance(20_260_311);
  const pages: Page[] = [];
  const byUrl = new Map<string, Page>();
  const links: Link[] = [];
  const began = Date.UTC(2026, 2, 11, 8, 30);

  function add(path: string, more: Row = {}): Page {
    const url = path.includes("://") ? path : ORIGIN + path;
    const known = byUrl.get(url);
    if (known) return known;
    const internal = url.startsWith(ORIGIN) ? 1 : 0;
    const type = String(more["content_type"] ?? "text/html; charset=utf-8");
    const status = more["status"] === undefined ? 200 : (more["status"] as number | null);
    const html = type.startsWith("text/html") && status === 200 && internal === 1;
    const ttfb = Math.round(40 + random() ** 3 * 1400);
    const page: Page = {
      key: pages.length + 1, url, host: new URL(url).host, internal, state: "fetched", reason: null, method: "GET", status,
      content_type: status === null ? null : type, depth: 1, first_seen: "link", bytes: Math.round(9_000 + random() ** 2 * 90_000),
      transferred: null, ttfb_ms: ttfb, total_ms: ttfb + Math.round(random() * 300), redirect_target: null, indexable: html ? 1 : 0, in_sitemap: html && pages.length % 16 > 0 ? 1 : 0,
      indexability: html ? "indexable" : status === 200 ? "not-html" : null, requested: new Date(began + pages.length * 380).toISOString(),
      first_source: null, error: null, title: null, title_px: null, description: null, description_px: null, h1: null, canonical: html ? url : null, robots: null,
      lang: html ? "en" : null, word_count: html ? Math.round(120 + random() * 900) : null, content_hash: null,
      inlinks: 0, outlinks: 0, link_score: null, ...more,
    };
    if (page.status === null) Object.assign(page, { bytes: null, ttfb_ms: null, total_ms: null });
    if (page.bytes !== null) page["transferred"] = Math.round(Number(page.bytes) * (html ? 0.28 : 0.97));
    pages.push(page);
    byUrl.set(url, page);
    return page;
  }

  function titled(page: Page, title: string, description: string | null, h1: string | null = title): Page {
    const full = `${title} | Linden & Leaf`;
    return Object.assign(page, {
      title: full, title_px: Math.round(full.length * 8.9), description, description_px: description ? Math.round(description.length * 6.3) : null, h1,
      content_hash: (0x9e3779b9 * page.key).toString(16).slice(-12).padStart(16, "0"),
    });
  }

  function link(from: Page, to: Page, anchor: string, more: Row = {}): void {
    to["inlinks"] = Number(to["inlinks"]) + 1;
    from["outlinks"] = Number(from["outlinks"]) + 1;
    if (to["first_source"] === null && to !== from) to["first_source"] = from.url;
    links.push({
      link: links.length + 1, source: from.url, target: to.url, source_key: from.key, target_key: to.key, kind: "anchor",
      raw_href: to.internal ? to.url.slice(ORIGIN.length) : to.url, anchor, rel: to.internal ? null : "noopener", position: "content",
      element: "main > p > a", line: 40 + Math.round(random() * 320), followed: 1, target_state: to.state, target_status: to.status,
      verdict: "ok", target_internal: to.internal, target_reason: to["reason"] ?? null, ...more,
    });
  }

  const home = titled(add("/", { depth: 0, first_seen: "seed" }), "Loose leaf tea, packed by hand", "Single estate teas, herbal infusions and teaware from a small shop by the canal. Packed by hand, sent the same day.");
  const css = add("/assets/site.css", { content_type: "text/css", bytes: 48_210, first_seen: "resource" });
  const js = add("/assets/shop.js", { content_type: "text/javascript", bytes: 182_400, first_seen: "resource" });
  const logo = add("/assets/logo.svg", { content_type: "image/svg+xml", bytes: 4_120, first_seen: "resource" });
  const category = KINDS.map(([id, name]) =>
    titled(add(`/tea/${id}`), name, `Our ${name.toLowerCase()}: hand picked, freshly packed and sent the same day from our shop by the canal.`));
  const products: Page[] = [];
  KINDS.forEach(([id], k) => {
    for (let i = 0; i < 30; i++) {
      const name = NAMES[(k * 4 + i) % NAMES.length] ?? "Tea";
      const size = ["100 g", "250 g", "500 g"][i % 3];
      const page = add(`/tea/${id}/${slug(name)}-${slug(size ?? "")}`, { depth: 2 + (i > 11 ? 1 : 0) });
      const long = `${name} ${size}, a careful selection of whole leaves from family gardens with a lasting and mellow finish`;
      titled(page, i % 17 === 0 ? long : `${name} ${size}`, i % 9 === 4 ? null : `${name}, ${size}. Tasting notes, brewing advice and origin. Free delivery from 40 €.`, i % 23 === 7 ? null : name);
      if (i % 11 === 5) Object.assign(page, { canonical: category[k]?.url ?? page.url, indexable: 0, indexability: "canonicalised" });
      if (i % 29 === 28) Object.assign(page, { robots: "noindex, follow", indexable: 0, indexability: "noindex" });
      if (i % 13 === 12) Object.assign(page, { ttfb_ms: 2_100 + i * 37, total_ms: 2_600 + i * 41 });
      products.push(page);
    }
  });
  const journal = Array.from({ length: 72 }, (_, i) => {
    const title = JOURNAL[i % JOURNAL.length] ?? "Tea";
    const page = add(`/journal/${2019 + Math.floor(i / 12)}/${slug(title)}`, { depth: 2 + Math.floor(i / 24) });
    return titled(page, title, i % 5 === 0 ? null : `${title}: what we learnt in twelve years behind the counter.`);
  });
  const info = INFO.map((name) => titled(add(`/${name}`), name[0]?.toUpperCase() + name.slice(1).replace("-", " "), null));
  const images = Array.from({ length: 132 }, (_, i) =>
    add(`/media/${slug(NAMES[i % NAMES.length] ?? "tea")}-${i + 1}.jpg`, { content_type: "image/jpeg", bytes: 30_000 + Math.round(random() * (i % 12 === 0 ? 900_000 : 70_000)), depth: 2, first_seen: "resource" }));
  const gone = Array.from({ length: 19 }, (_, i) => add(`/tea/${i % 2 ? "black-tea" : "green-tea"}/harvest-${2015 + (i % 8)}-${slug(NAMES[i] ?? "")}`, { status: 404, depth: 3, indexability: "client-error" }));
  const moved = products.slice(0, 26).map((to, i) =>
    add(`/shop/item/${1400 + i * 7}`, { status: i % 7 === 0 ? 302 : 301, depth: 2, redirect_target: to.url, bytes: 0, indexability: "redirect" }));
  const broken = Array.from({ length: 4 }, (_, i) => add(`/search?q=${["matcha", "pu-erh", "kettle", "sample"][i]}`, { status: 500, depth: 2, error: null, indexability: "server-error" }));
  const dead = [add("/workshops/booking", { status: null, state: "failed", reason: "timeout", error: "no answer within 20 s", depth: 2, indexability: "no-response" }), add("/legacy/catalogue.pdf", { status: null, state: "failed", reason: "reset", error: "connection reset", depth: 3, indexability: "no-response" })];
  const blocked = ["cart", "account", "account/login", "account/orders", "checkout", "wishlist", "compare", "cart/gift", "admin", "internal/labels", "search/advanced", "preview"].map((name) =>
    add(`/${name}`, { status: null, state: "blocked", reason: "Disallow: /" + name.split("/")[0], depth: 1, indexability: "blocked-by-robots" }));
  const excluded = Array.from({ length: 8 }, (_, i) => add(`/tea/green-tea?sort=${["price", "name", "new", "rating"][i % 4]}&page=${1 + Math.floor(i / 4)}`, { status: null, state: "excluded", reason: "exclude \\?sort=", depth: 2 }));
  const over = Array.from({ length: 6 }, (_, i) => add(`/events/calendar/${2031 + i}/01`, { status: null, state: "over_limit", reason: "trap", depth: 9 }));
  const outside = Array.from({ length: 56 }, (_, i) => {
    const base = OUTSIDE[i % OUTSIDE.length] ?? "";
    const status = i % 19 === 3 ? 404 : i % 11 === 5 ? 403 : i % 13 === 6 ? 301 : 200;
    return add(i < OUTSIDE.length ? base : `${base}/${100 + i}`, { status, method: "HEAD", depth: 3, indexable: 0, indexability: null, title: null });
  });
  const lost = add("https://grandmas-teapot.example/", { status: null, state: "failed", reason: "dns", error: "no such host", depth: 3 });
  const kept = Array.from({ length: 5 }, (_, i) => add(`https://share.example/post?u=${i}`, { status: null, state: "not_followed", reason: "store", depth: 2 }));

  const everywhere = [home, ...category, ...products, ...journal, ...info];
  for (const [i, page] of everywhere.entries()) {
    link(page, css, "", { kind: "style", element: "head > link", position: "head", line: 12, rel: "stylesheet" });
    link(page, js, "", { kind: "script", element: "head > script", position: "head", line: 18 });
    link(page, logo, "Linden & Leaf", { kind: "image", element: "header > a > img", position: "header", line: 44 });
    category.slice(i % 3, (i % 3) + 4).forEach((to, k) => link(page, to, KINDS[k + (i % 3)]?.[1] ?? "", { position: "navigation", element: "nav > ul > li > a", line: 52 + k }));
    info.slice(i % 5, (i % 5) + 3).forEach((to, k) => link(page, to, String(to["h1"] ?? ""), { position: "footer", element: "footer > ul > li > a", line: 410 + k }));
    const cart = blocked[i % 5];
    if (cart && i % 4 === 0) link(page, cart, "Basket", { position: "header", element: "header > a.basket", line: 47, verdict: "blocked" });
    const image = images[i % images.length];
    if (image) link(page, image, i % 6 === 0 ? "" : String(page["h1"] ?? ""), { kind: "image", element: "main > figure > img", line: 96 });
  }
  products.forEach((page, i) => {
    const parent = category[Math.floor(i / 30)];
    if (parent) link(parent, page, String(page["h1"] ?? page["title"]), { element: "main > ul.products > li > a", line: 120 + (i % 30) });
    const next = products[(i * 7 + 13) % products.length];
    if (next) link(page, next, `Goes well with ${String(next["h1"] ?? "this")}`, { element: "aside > ul > li > a", position: "aside", line: 260 });
    const old = moved[i % moved.length];
    if (old && i % 3 === 0) link(page, old, "Previous harvest", { line: 210, verdict: "redirect" });
  });
  journal.forEach((page, i) => {
    const missing = gone[i % gone.length];
    if (missing) link(page, missing, `the ${2015 + (i % 8)} harvest`, { element: "main > article > p > a", line: 88, verdict: "broken" });
    const far = outside[i % outside.length];
    if (far) {
      const status = far.status ?? 0;
      link(page, far, "read more", { element: "main > article > p > a", line: 131, verdict: status === 404 ? "broken" : status === 403 ? "unverified" : status === 301 ? "redirect" : "ok", target_reason: status === 403 ? "403: the site refuses automatic requests" : null });
    }
  });
  outside.forEach((far, i) => link(info[i % info.length] ?? home, far, "partner", { line: 140, verdict: far.status === 404 ? "broken" : far.status === 403 ? "unverified" : far.status === 301 ? "redirect" : "ok" }));
  gone.forEach((page, i) => link(home, page, "Archive", { position: "footer", element: "footer > a", line: 430 + i, verdict: "broken" }));
  [...broken, ...dead].forEach((page) => link(info[10] ?? home, page, "Search", { line: 77, verdict: "broken", target_reason: page.reason ?? null }));
  link(journal[6] ?? home, lost, "Grandma’s teapot", { element: "main > article > p > a", line: 164, verdict: "broken", target_reason: "dns" });
  kept.forEach((page, i) => link(journal[i] ?? home, page, "Share", { line: 300, rel: "nofollow", followed: 0, verdict: "not_checked" }));
  [...excluded, ...over].forEach((page) => link(category[0] ?? home, page, "Sort", { line: 101, verdict: "not_checked" }));
  const most = Math.max(...pages.map((page) => Number(page["inlinks"])));
  for (const page of pages) if (page["content_type"]?.toString().startsWith("text/html")) page["link_score"] = Math.round((Math.log1p(Number(page["inlinks"])) / Math.log1p(most)) * 1000) / 10;
  return { pages, links, byUrl };
}
