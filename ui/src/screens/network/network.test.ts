import { describe, expect, it } from "vitest";
import type { NetworkHost } from "$lib/backend";
import { nameOf, standing } from "./certificate";
import { inPlace, sorted } from "./columns";
import { secondsLeft } from "./traffic.svelte";
import { standingWord } from "./words";

const host = (name: string, more: Partial<NetworkHost> = {}): NetworkHost => ({
  origin: `https://${name}`, host: name, internal: false, requests: 1, bytes: 0, errors: 0, slow_downs: 0, paused_ms: 0, paused_for_ms: null, concurrency: null, in_flight: null,
  crawl_delay: null, total_ms: 0, mean_ms: 0, robots_state: null, robots_status: null, certificate: null, remote: null, version: null, ...more,
});
const names = (hosts: NetworkHost[]) => hosts.map((one) => one.host).join(" ");

describe("the order of hosts", () => {
  const hosts = [host("a", { crawl_delay: 2 }), host("b"), host("c", { crawl_delay: 0.5 })];
  it("stands what is not known last, either way", () => {
    expect(names(sorted(hosts, { column: "delay", descending: true }))).toBe("a c b");
    expect(names(sorted(hosts, { column: "delay", descending: false }))).toBe("c a b");
  });
  it("stands who is waited for before who was", () => {
    const waiting = [host("was", { paused_ms: 90_000 }), host("is", { paused_for_ms: 500, paused_ms: 1_000 }), host("never")];
    expect(names(sorted(waiting, { column: "pause", descending: true }))).toBe("is was never");
  });
  it("keeps the places while numbers change, and puts new ones last", () => {
    expect(names(inPlace(["https://b", "https://a"], [host("new", { requests: 9 }), host("a", { requests: 8 }), host("b")]))).toBe("b a new");
  });
});

describe("certificates", () => {
  const certificate = (until: string, fault: string | null = null) => ({ issuer: "", subject: "", names: [], from: "2026-01-01T00:00:00Z", until, fault });
  const check = (until: string, kind: string, days: number, fault: string | null = null) =>
    expect(standing(certificate(until, fault), Date.parse("2026-03-11T08:30:00Z"))).toEqual({ kind, days });
  it("is good for months", () => check("2026-06-01T08:30:00Z", "good", 82));
  it("ends soon within three weeks", () => check("2026-04-01T08:30:00Z", "soon", 21));
  it("ends today", () => check("2026-03-11T20:00:00Z", "soon", 0));
  it("has ended", () => check("2026-03-10T08:00:00Z", "expired", -2, "certificate expired"));
  it("was refused for another reason", () => check("2026-06-01T08:30:00Z", "refused", 82, "wrong host"));
  const said = (until: string, live = true) => {
    const at = Date.parse("2026-03-11T12:00:00");
    const of = certificate(until);
    return standingWord(standing(of, at), until, { at, live });
  };
  it("has its days counted while the crawl runs, and never fewer than none", () => {
    expect(["2026-03-13T20:00:00", "2026-03-12T12:30:00", "2026-03-12T09:00:00", "2026-03-11T20:00:00", "2026-03-11T11:59:59"].map((until) => said(until)))
      .toEqual(["2 days left", "1 day left", "ends tomorrow", "ends today", "expired"]);
    expect(said("someday")).toBe("end unknown");
  });
  it("is told by its day once the crawl is over, whenever that is read", () => {
    expect(said("2026-03-18T12:00:00", false)).toMatch(/^until .*18.*2026$/u);
    expect(said("2026-03-10T12:00:00", false)).toBe("expired");
  });
  it("is named by organisation and common name", () => {
    expect(nameOf("CN=R11, O=Let's Encrypt, C=US")).toBe("Let's Encrypt, R11");
    expect(nameOf('CN=x, O="Tea, Leaf & Co"')).toBe("Tea, Leaf & Co, x");
    expect(nameOf("self")).toBe("self");
  });
});

it("counts a pause down to nought and not below", () => expect([secondsLeft(17_500, 0), secondsLeft(17_500, 2_000), secondsLeft(900, 5_000)]).toEqual([18, 16, 0]));
