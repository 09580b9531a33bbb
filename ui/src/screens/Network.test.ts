import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type JobNews, type Network as NetworkNow } from "$lib/backend";
import { network as made } from "$lib/backend/mock/network";
import { app, hear, openProject } from "$lib/state";
import { speak } from "$lib/text/language.svelte";
import Network from "./Network.svelte";

const PATH = "/home/mia/Audits/lindenleaf.gossamer";
const COUNTS = { encountered: 540, fetched: 400, failed: 1, blocked: 9, excluded: 5, over_limit: 4, not_followed: 3, queued: 118 };
const news = (more: Partial<JobNews> = {}): JobNews => ({
  job: 7, project: PATH, crawl: 3, start_url: "https://lindenleaf.example/", state: "running", phase: "crawling", counts: COUNTS, elapsed_ms: 41_000, rate: 14.2, rates: [],
  current: null, issues: 0, warnings: 0, revision: 1, error: null, pages: 246, notices: [], ...more,
});
const answer = (network: NetworkNow) => vi.spyOn(backend, "network").mockResolvedValue(network);

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  speak("en");
  app.job = null;
  await openProject(PATH);
  Object.assign(app, { screen: "network", crawl: 3, params: {}, detail: null });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const rows = () => screen.getAllByTestId("network-host");
const row = (name: string) => screen.getByText(name).closest<HTMLElement>("[role=row]")!;
const grid = () => screen.getByTestId("network-hosts");

it("lists every host with its numbers, totals, and the promise that there are no others", async () => {
  render(Network);
  await screen.findByTestId("network-hosts");
  expect(screen.getByTestId("network-promise").textContent).toContain("It contacts no other");
  expect(screen.getByTestId("network-totals").textContent).toMatch(/Hosts\s*9/u);
  expect(rows()[0]?.textContent).toMatch(/lindenleaf\.example.*this site.*546.*17\.5 MB.*300 ms/su);
  expect(row("pay.example").textContent).toMatch(/until .*2026/u);
  expect(row("grandmas-teapot.example").textContent).toContain("no answer");
  expect(screen.queryByTestId("network-live")).toBeNull();
});

it("sorts by a column, the greatest first, and back", async () => {
  render(Network);
  await screen.findByTestId("network-hosts");
  await fireEvent.click(screen.getByTestId("network-sort-mean"));
  expect(rows()[0]?.textContent).toContain("pay.example");
  expect(screen.getByTestId("network-sort-mean").closest("[role=columnheader]")?.getAttribute("aria-sort")).toBe("descending");
  await fireEvent.click(screen.getByTestId("network-sort-mean"));
  expect(rows()[0]?.textContent).toContain("grandmas-teapot.example");
});

it("tells more about a host by keyboard, and opens its lists", async () => {
  render(Network);
  await screen.findByTestId("network-hosts");
  await fireEvent.keyDown(grid(), { key: "ArrowDown" });
  await fireEvent.keyDown(grid(), { key: "Enter" });
  const facts = screen.getByTestId("network-facts");
  expect(facts.textContent).toMatch(/journal-of-tea\.example.*Let's Encrypt, R11/su);
  await fireEvent.keyDown(grid(), { key: "ArrowDown" });
  expect(screen.getByTestId("network-facts").textContent).toContain("maps.example");
  await fireEvent.keyDown(grid(), { key: "Escape" });
  expect(screen.queryByTestId("network-facts")).toBeNull();
  await fireEvent.click(row("lindenleaf.example"));
  await fireEvent.click(screen.getByTestId("network-urls"));
  expect([app.screen, app.params.filter]).toEqual(["urls", { is: { column: "url", operator: "starts", value: "https://lindenleaf.example/" } }]);
});

it("counts failed tries, and says that the URLs that failed are others than these", async () => {
  render(Network);
  await screen.findByTestId("network-hosts");
  expect(screen.getByTestId("network-totals").textContent).toContain("Failed tries");
  await fireEvent.click(row("grandmas-teapot.example"));
  const button = screen.getByTestId("network-failed");
  expect(button.title).toContain("whose last try failed too");
  await fireEvent.click(button);
  expect([app.screen, app.params.title]).toEqual(["urls", "URLs of grandmas-teapot.example that failed"]);
  expect(JSON.stringify(app.params.filter)).toMatch(/starts.*grandmas-teapot.*state.*failed/u);
});

it("is live while the crawl runs, and says so when it is paused", async () => {
  answer(made(300));
  hear(news());
  render(Network);
  expect((await screen.findByTestId("network-live")).textContent).toBe("live");
  expect(row("pay.example").textContent).toMatch(/days left|ends|expired/u);
  hear(news({ phase: "paused", revision: 2 }));
  await waitFor(() => expect(screen.getByTestId("network-live").textContent).toBe("paused"));
});

it("opens the robots.txt of a host", async () => {
  render(Network);
  await screen.findByTestId("network-hosts");
  await fireEvent.click(within(row("maps.example")).getByRole("button"));
  expect([app.screen, app.params.origin]).toEqual(["robots", "https://maps.example"]);
});

it("is live while the crawl runs: pauses count down, rows keep their places", async () => {
  const first = made(300);
  answer(first);
  hear(news());
  render(Network);
  await screen.findByTestId("network-live");
  expect(screen.getByTestId("network-pause").textContent).toBe("18 s left");
  await vi.advanceTimersByTimeAsync(1_100);
  await waitFor(() => expect(screen.getByTestId("network-pause").textContent).toMatch(/^1[67] s left$/u));
  expect(row("lindenleaf.example").textContent).toContain("4 of 5");

  const before = rows().map((one) => one.textContent?.match(/[\w.-]+\.example/u)?.[0]);
  const hosts = first.hosts.map((host) => (host.host === "photos.example" ? { ...host, requests: 9_000 } : host)).reverse();
  answer({ ...first, requests: 9_999, hosts });
  await vi.advanceTimersByTimeAsync(2_500);
  await waitFor(() => expect(screen.getByTestId("network-totals").textContent).toContain("9,999"));
  expect(row("photos.example").textContent).toContain("9,000");
  expect(rows().map((one) => one.textContent?.match(/[\w.-]+\.example/u)?.[0])).toEqual(before);
});

it("finds hosts, and has a next step where there are none", async () => {
  render(Network);
  await fireEvent.input(await screen.findByTestId("network-search"), { target: { value: "tea" } });
  await waitFor(() => expect(rows()).toHaveLength(3));
  cleanup();
  answer({ live: false, total: 0, requests: 0, bytes: 0, errors: 0, slow_downs: 0, hosts: [] });
  render(Network);
  await fireEvent.click(await screen.findByRole("button", { name: "Watch the crawl" }));
  expect(app.screen).toBe("crawl");
  cleanup();
  app.crawl = null;
  render(Network);
  expect(screen.getByText("No crawl yet")).toBeTruthy();
});

it("says what went wrong, and tries again", async () => {
  const ask = vi.spyOn(backend, "network").mockRejectedValue({ code: "project", message: "The disk is gone.", detail: [] });
  render(Network);
  expect((await screen.findByRole("alert")).textContent).toContain("The disk is gone.");
  ask.mockRestore();
  await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await screen.findByTestId("network-hosts")).toBeTruthy();
});
