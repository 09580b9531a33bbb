/** The patterns that the crawl paused: asked for again while it runs, and once when it is over. */
import { backend, type TrapCard } from "$lib/backend";

const REST_MS = 2_000;

export type Watched = { crawl: number | null; running: boolean };

export class Traps {
  list = $state.raw<TrapCard[]>([]);
  private now: () => Watched = () => ({ crawl: null, running: false });

  /** Asks until the returned function is called. */
  follow(watched: () => Watched): () => void {
    this.now = watched;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    let last = "";
    const round = async () => {
      const { crawl, running } = watched();
      const now = `${crawl} ${running}`;
      if (crawl !== null && (running || now !== last)) {
        if (last.split(" ")[0] !== String(crawl)) this.list = [];
        last = now;
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
      // The next round asks again: what is shown stays.
    }
  }
}
