/**
 * How many rows each quick filter would show, beside whatever else the list is filtered by.
 *
 * They are asked one after the other and only after the list itself, which the person waits for; a change meanwhile
 * cancels the rest. Counts of before stay until the new ones are there, so that nothing flickers.
 */
import { backend, type Filter } from "$lib/backend";
import { progress } from "$lib/state";
import { conjoin, type Quick } from "./quick";

const AFTER_MS = 350;
/** Tickets of counts; the tables count theirs from nought. */
let ticket = 1_000_000_000;

export class Counts {
  of = $state<Record<string, number>>({});
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: number | null = null;
  private round = 0;
  /** What the counts are of; null where some are missing. */
  private counted: string | null = null;

  /** Counts `quicks` of a table, unless that is done. `anew`: what was counted so far belongs to another list. */
  ask(table: string, crawl: number, quicks: Quick[], rest: Filter[], anew: boolean): void {
    const asked = JSON.stringify([table, crawl, quicks, rest, progress()]);
    if (asked === this.counted) return;
    this.stop();
    this.counted = null;
    if (anew) this.of = {};
    this.timer = setTimeout(() => void this.count(table, crawl, quicks, rest, this.round, asked), AFTER_MS);
  }

  /** Gives up what is still to be counted. */
  stop(): void {
    clearTimeout(this.timer);
    this.round += 1;
    if (this.running !== null) backend.cancelTable(this.running).catch(() => undefined);
    this.running = null;
  }

  private async count(table: string, crawl: number, quicks: Quick[], rest: Filter[], round: number, asked: string): Promise<void> {
    for (const quick of quicks) {
      if (round !== this.round) return;
      const own = ticket++;
      this.running = own;
      try {
        const opened = await backend.openTable({ table, crawl, filter: conjoin([...quick.filters, ...rest]), sort: null }, own);
        void backend.closeTable(opened.table).catch(() => undefined);
        if (round === this.round) this.of[quick.id] = opened.rows;
      } catch {
        // A count that cannot be had is left out; the list says what is wrong with its filter.
        if (round === this.round) delete this.of[quick.id];
      }
      if (this.running === own) this.running = null;
    }
    if (round === this.round) this.counted = asked;
  }
}
