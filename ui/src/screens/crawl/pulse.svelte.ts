/** Slowest hosts and newest problems, asked for again and again without being a load on the crawl. */
import { backend, type HostPulse, type ProblemPulse } from "$lib/backend";

const LEAST_REST_MS = 2_000;
/** A question may take a twentieth of the time. */
const REST_FACTOR = 20;

export const restAfter = (tookMs: number): number => Math.max(LEAST_REST_MS, tookMs * REST_FACTOR);

export type Shown = { crawl: number | null; running: boolean; paused: boolean };

export class Pulse {
  hosts = $state.raw<HostPulse[]>([]);
  problems = $state.raw<ProblemPulse[]>([]);
  read = $state(false);
  /** What the last round was about. */
  private last = "";

  /** Asks until the returned function is called. A crawl that stands still is asked about once, until it moves or another one is shown. */
  follow(shown: () => Shown): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;

    const round = async () => {
      const { crawl, running, paused } = shown();
      const now = `${crawl} ${running} ${paused}`;
      let rest = LEAST_REST_MS;
      const other = this.last.split(" ")[0] !== String(crawl);
      if (crawl !== null && ((running && !paused) || now !== this.last)) {
        this.last = now;
        const began = performance.now();
        try {
          const found = await backend.pulse(crawl);
          if (over) {
            // An answer that nobody took in is asked for again.
            this.last = "";
            return;
          }
          if (shown().crawl === crawl) {
            this.hosts = found.hosts;
            this.problems = found.problems;
            this.read = true;
          }
        } catch {
          // The next round asks again: what is shown stays, and a job that fails says so itself.
          if (other) this.read = false;
        }
        rest = restAfter(performance.now() - began);
      } else if (crawl !== null && now === this.last) rest = 500;
      if (!over) timer = setTimeout(() => void round(), rest);
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }
}
