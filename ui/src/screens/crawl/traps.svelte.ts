/** The patterns that the crawl paused: asked for again while it runs, and once when it is over. */
import { backend, type TrapCard } from "$lib/backend";
import { app, fail, resumeAudit } from "$lib/state";

const REST_MS = 2_000;

export type Watched = { crawl: number | null; running: boolean };

/** What letting a pattern go on does: at once, by resuming the crawl, or nothing, since only the newest crawl of a project can go on. */
export type Way = "running" | "over" | "older";

export function wayOf({ crawl, running }: Watched): Way {
  if (running) return "running";
  return app.project?.crawls.some((one) => crawl !== null && one.crawl > crawl) ? "older" : "over";
}

/** Lets a pattern go on, and resumes the crawl where that is needed. */
export async function letGoOn(traps: Traps, pattern: string): Promise<void> {
  try {
    const path = app.project?.path;
    if ((await traps.allow(pattern)) && path) await resumeAudit(path);
  } catch (error) {
    fail(error);
  }
}

export class Traps {
  list = $state.raw<TrapCard[]>([]);
  /** The crawl that was asked about once. */
  private looked: number | null = null;
  /** What the last round was about. */
  private last = "";
  private now: () => Watched = () => ({ crawl: null, running: false });

  /** Asks until the returned function is called. */
  follow(watched: () => Watched): () => void {
    this.now = watched;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const round = async () => {
      const { crawl, running } = watched();
      const now = `${crawl} ${running}`;
      if (crawl !== null && (running || now !== this.last)) {
        if (this.last.split(" ")[0] !== String(crawl)) this.list = [];
        this.last = now;
        await this.read(crawl);
      }
      if (!over) timer = setTimeout(() => void round(), REST_MS);
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }

  /** Asks once, for a screen that moves only when it is asked to. */
  async look(watched: () => Watched): Promise<void> {
    this.now = watched;
    const { crawl } = watched();
    if (crawl !== this.looked) this.list = [];
    this.looked = crawl;
    if (crawl !== null) await this.read(crawl);
  }

  /** Lets a pattern go on; whether the crawl has to be resumed for that. */
  async allow(pattern: string): Promise<boolean> {
    const { crawl } = this.now();
    if (crawl === null) return false;
    const { resume } = await backend.allowTrap(crawl, pattern);
    // The file follows with the crawl's next commit.
    this.list = this.list.map((one) => (one.pattern === pattern ? { ...one, allowed: true } : one));
    return resume;
  }

  private async read(crawl: number): Promise<void> {
    try {
      const found = await backend.traps(crawl);
      if (this.now().crawl !== crawl) return;
      const allowed = new Set(this.list.filter((one) => one.allowed).map((one) => one.pattern));
      this.list = found.map((one) => (allowed.has(one.pattern) ? { ...one, allowed: true } : one));
    } catch {
      // While the crawl runs, the next round asks again: what is shown stays.
    }
  }
}
