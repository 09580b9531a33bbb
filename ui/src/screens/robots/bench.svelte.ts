/**
 * What a person tries out on one host's robots.txt: a crawler, URLs, another text. Kept while the window lives, so that
 * nobody loses what they wrote by looking at something else. Only the engine is asked; nothing goes to the host.
 */
import { backend, type RobotsFile, type RobotsSandbox, type RobotsVerdict } from "$lib/backend";
import { Answer } from "$lib/detail/answer.svelte";
import { linesOf, same, typedUrls } from "./lines";

/** Lines of the tester that are asked about. */
export const URLS_AT_MOST = 500;
/** The pace of somebody who types. */
const SETTLE_MS = 250;

let lastTicket = 0;

/** The crawler that was chosen last; the crawl's own until then. It holds for all hosts. */
const chosen = $state({ agent: "" });

export class Bench {
  readonly crawl: number;
  readonly origin: string;
  /** What the tester is given, as typed. */
  typed = $state("");
  /** The text of the sandbox; null until it is opened. */
  draft = $state<string | null>(null);
  /** Which text is shown. */
  shows = $state<"fetched" | "draft">("fetched");
  tab = $state<"test" | "effect">("test");
  readonly verdicts = new Answer<RobotsVerdict[]>();
  readonly effect = new Answer<RobotsSandbox>();
  /** The group that a crawler beside the known ones follows in the text as fetched. */
  group = $state<string | null>(null);
  private testing: ReturnType<typeof setTimeout> | undefined;
  private trying: ReturnType<typeof setTimeout> | undefined;
  private ticket: number | null = null;

  constructor(crawl: number, origin: string) {
    this.crawl = crawl;
    this.origin = origin;
  }

  agentOf(file: RobotsFile): string {
    return chosen.agent || (file.agents.find((one) => one.role === "own")?.token ?? "*");
  }

  choose(agent: string): void {
    chosen.agent = agent;
  }

  get urls(): string[] {
    return typedUrls(this.typed);
  }

  /** Addresses of the host are shown by their path, which is what rules speak of. */
  pathOf(url: string): string {
    return url.startsWith(`${this.origin}/`) ? url.slice(this.origin.length) : url;
  }

  openSandbox(file: RobotsFile): void {
    this.draft ??= broken(file.text);
    this.shows = "draft";
    this.tab = "effect";
  }

  showFetched(): void {
    this.shows = "fetched";
  }

  /** Back to the text as fetched; what the sandbox held until then. */
  reset(file: RobotsFile): string | null {
    const before = this.draft;
    this.draft = broken(file.text);
    return before;
  }

  isEdited(file: RobotsFile): boolean {
    return this.draft !== null && linesOf(this.draft).join("\n") !== linesOf(file.text).join("\n");
  }

  /** The text that the tester asks: what is in sight. */
  get tested(): string | null {
    return this.shows === "draft" ? this.draft : null;
  }

  /** Asks about the typed URLs once the typing rests. */
  test(agent: string, text: string | null, urls: string[]): void {
    clearTimeout(this.testing);
    if (urls.length === 0 || agent.trim() === "") return this.verdicts.forget();
    this.testing = setTimeout(() => {
      void this.verdicts.ask(() => backend.robotsTest(this.crawl, this.origin, text, agent.trim(), urls.slice(0, URLS_AT_MOST)));
    }, SETTLE_MS);
  }

  /** Asks what a text would do to the crawl. An answer that is no longer wanted is called off. */
  tryOut(agent: string, text: string): void {
    clearTimeout(this.trying);
    if (agent.trim() === "") return;
    this.trying = setTimeout(() => {
      if (this.ticket !== null) void backend.cancelSandbox(this.ticket).catch(() => undefined);
      const ticket = (this.ticket = ++lastTicket);
      void this.effect.ask(async () => {
        try {
          return await backend.robotsSandbox(this.crawl, this.origin, text, agent.trim(), ticket);
        } finally {
          if (this.ticket === ticket) this.ticket = null;
        }
      });
    }, SETTLE_MS);
  }

  /** Asks which group a crawler follows of which the file's lines do not tell. */
  async askGroup(file: RobotsFile, agent: string): Promise<void> {
    this.group = null;
    if (agent.trim() === "" || file.agents.some((one) => same(one.token, agent))) return;
    try {
      const [verdict] = await backend.robotsTest(this.crawl, this.origin, null, agent.trim(), ["/"]);
      if (this.agentOf(file) === agent) this.group = verdict?.group ?? null;
    } catch {
      // Without an answer no group is marked; the tester says what is wrong.
    }
  }

  /** The screen is left: what is being worked out is not wanted any more. */
  rest(): void {
    clearTimeout(this.testing);
    clearTimeout(this.trying);
    if (this.ticket !== null) void backend.cancelSandbox(this.ticket).catch(() => undefined);
    this.ticket = null;
  }
}

/** With the line breaks that a text field has. */
const broken = (text: string): string => text.replace(/\r\n?/g, "\n");

const BENCHES_AT_MOST = 50;
const benches = new Map<string, Bench>();

/** The bench of a host, with what was tried there before. */
export function benchOf(project: string, crawl: number, origin: string): Bench {
  const key = `${project} ${crawl} ${origin}`;
  const bench = benches.get(key) ?? new Bench(crawl, origin);
  benches.delete(key);
  benches.set(key, bench);
  for (const old of benches.keys()) {
    if (benches.size <= BENCHES_AT_MOST) break;
    benches.delete(old);
  }
  return bench;
}

/** Crawlers that a site's rules are most often written for. */
export const KNOWN_AGENTS = ["Googlebot", "Googlebot-Image", "Bingbot", "Applebot", "DuckDuckBot", "YandexBot", "Baiduspider", "GPTBot", "ClaudeBot", "CCBot"];
