/** The hosts of a crawl, asked for again and again while it runs without being a load on it, and once when it is over. */
import { backend, type ApiError, type Network, type NetworkHost } from "$lib/backend";
import { asApiError } from "$lib/state";
import { restAfter } from "../crawl/pulse.svelte";
import { type HostSort, inPlace, sorted } from "./columns";

/** How often it is looked whether the crawl goes on. */
const LOOK_MS = 500;

export type Shown = { crawl: number | null; running: boolean };

export class Traffic {
  network = $state.raw<Network | null>(null);
  error = $state.raw<ApiError | null>(null);
  /** In the order in which they are shown. */
  hosts = $state.raw<NetworkHost[]>([]);
  sort = $state.raw<HostSort>({ column: "requests", descending: true });
  /** When the newest answer came, in milliseconds of `performance.now`: pauses count down from there. */
  heard = $state(0);
  private again = false;
  private last: Shown | null = null;

  order(sort: HostSort): void {
    this.sort = sort;
    this.hosts = sorted(this.network?.hosts ?? [], sort);
  }

  /** Asks again with the next round, whatever the crawl does. */
  retry(): void {
    this.error = null;
    this.again = true;
  }

  private take(network: Network): void {
    this.heard = performance.now();
    this.hosts = network.live && this.network !== null ? inPlace(this.hosts.map((host) => host.origin), network.hosts) : sorted(network.hosts, this.sort);
    this.network = network;
    this.error = null;
  }

  /** Asks until the returned function is called. */
  follow(shown: () => Shown): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;

    const round = async () => {
      const now = shown();
      const other = this.last?.crawl !== now.crawl;
      let rest = LOOK_MS;
      if (other) {
        this.network = null;
        this.hosts = [];
        this.error = null;
      }
      if (now.crawl !== null && (now.running || other || this.last?.running !== now.running || this.again)) {
        this.again = false;
        const began = performance.now();
        try {
          const network = await backend.network(now.crawl);
          if (over) return;
          if (shown().crawl === now.crawl) this.take(network);
        } catch (error) {
          if (over) return;
          // What is shown stays; only where there is nothing yet, the failure has the place.
          if (this.network === null) this.error = asApiError(error);
        }
        rest = now.running ? restAfter(performance.now() - began) : LOOK_MS;
      }
      this.last = now;
      if (!over) timer = setTimeout(() => void round(), rest);
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }
}

/** Seconds of a pause that are left, `passed` milliseconds after it was told. */
export const secondsLeft = (pausedForMs: number, passed: number): number => Math.max(0, Math.ceil((pausedForMs - passed) / 1_000));
