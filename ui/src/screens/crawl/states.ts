/** The states a URL of a crawl can be in, in the order of the bar, with the list each one opens. */
import type { Counts, Filter } from "$lib/backend";
import type { Tone } from "$lib/parts/types";
import type { TextKey } from "$lib/text";

export type CountedState = Exclude<keyof Counts, "encountered">;
export type StateCard = { id: CountedState; tone: Tone; soft?: boolean; label: TextKey; help: TextKey };

export const STATES: StateCard[] = [
  { id: "fetched", tone: "good", label: "crawl.fetched", help: "crawl.fetched_help" },
  { id: "failed", tone: "bad", label: "crawl.failed", help: "crawl.failed_help" },
  { id: "blocked", tone: "warning", label: "crawl.blocked", help: "crawl.blocked_help" },
  { id: "excluded", tone: "redirect", label: "crawl.excluded", help: "crawl.excluded_help" },
  { id: "over_limit", tone: "redirect", soft: true, label: "crawl.over_limit", help: "crawl.over_limit_help" },
  { id: "not_followed", tone: "neutral", label: "crawl.not_followed", help: "crawl.not_followed_help" },
  { id: "queued", tone: "neutral", soft: true, label: "crawl.queued", help: "crawl.queued_help" },
];

export const inState = (state: CountedState): Filter => ({ is: { column: "state", operator: "equals", value: state } });

/** What has no usable answer, or an error as its answer. */
export const PROBLEMS: Filter = { any: [inState("failed"), { is: { column: "status", operator: "at_least", value: 400 } }] };
