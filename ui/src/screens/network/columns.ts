/** The columns of the hosts: what they hold, how they sort, and which of them a narrow window leaves to the facts below. */
import type { NetworkHost } from "$lib/backend";
import type { TextKey } from "$lib/text";
import { nameOf } from "./certificate";

export type ColumnId = "host" | "requests" | "bytes" | "mean" | "errors" | "slow_downs" | "pause" | "at_once" | "delay" | "robots" | "certificate" | "issuer" | "remote" | "version";
export type NetworkColumn = {
  id: ColumnId;
  label: TextKey;
  help?: TextKey;
  /** Numbers stand at the right and sort from the greatest. */
  number: boolean;
  /** As a grid has it. */
  width: string;
  /** Shown where there is this much room, in pixels; 0 for always. */
  from: number;
  value: (host: NetworkHost) => number | string | null;
};

export const COLUMNS: NetworkColumn[] = [
  { id: "host", label: "network.host", number: false, width: "minmax(150px, 380px)", from: 0, value: (host) => host.host },
  { id: "requests", label: "network.requests", help: "network.requests_help", number: true, width: "72px", from: 0, value: (host) => host.requests },
  { id: "bytes", label: "network.bytes", help: "network.bytes_help", number: true, width: "82px", from: 0, value: (host) => host.bytes },
  { id: "mean", label: "network.mean", help: "network.mean_help", number: true, width: "76px", from: 0, value: (host) => host.mean_ms },
  { id: "errors", label: "network.errors", help: "network.errors_help", number: true, width: "92px", from: 0, value: (host) => host.errors },
  { id: "slow_downs", label: "network.slow_downs", help: "network.slow_downs_help", number: true, width: "86px", from: 0, value: (host) => host.slow_downs },
  { id: "pause", label: "network.pause", help: "network.pause_help", number: true, width: "76px", from: 0, value: (host) => (host.paused_for_ms ? Number.MAX_SAFE_INTEGER : host.paused_ms) },
  { id: "at_once", label: "network.at_once", help: "network.at_once_help", number: true, width: "66px", from: 0, value: (host) => host.in_flight },
  { id: "delay", label: "network.delay", help: "network.delay_help", number: true, width: "92px", from: 1240, value: (host) => host.crawl_delay },
  { id: "robots", label: "network.robots", number: false, width: "125px", from: 0, value: (host) => host.robots_state },
  { id: "certificate", label: "network.certificate", help: "network.certificate_help", number: false, width: "125px", from: 0, value: (host) => host.certificate?.until ?? null },
  { id: "issuer", label: "network.issuer", number: false, width: "200px", from: 1640, value: (host) => (host.certificate ? nameOf(host.certificate.issuer) : null) },
  { id: "remote", label: "network.remote", number: false, width: "172px", from: 1420, value: (host) => host.remote },
  { id: "version", label: "network.version", number: false, width: "72px", from: 1420, value: (host) => host.version },
];

export type HostSort = { column: ColumnId; descending: boolean };

/** Hosts in order; what is not known stands last either way. */
export function sorted(hosts: NetworkHost[], { column, descending }: HostSort): NetworkHost[] {
  const value = COLUMNS.find((one) => one.id === column)?.value ?? (() => null);
  const turn = descending ? -1 : 1;
  return [...hosts].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === y) return a.origin < b.origin ? -1 : 1;
    if (x === null) return 1;
    if (y === null) return -1;
    return turn * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
  });
}

/**
 * Puts news of hosts in the places that their rows have: what a person looks at does not move while the crawl runs. New
 * hosts come last.
 */
export function inPlace(before: readonly string[], hosts: NetworkHost[]): NetworkHost[] {
  const known = new Map(hosts.map((host) => [host.origin, host]));
  const kept = before.flatMap((origin) => known.get(origin) ?? []);
  const placed = new Set(before);
  return [...kept, ...hosts.filter((host) => !placed.has(host.origin))];
}
