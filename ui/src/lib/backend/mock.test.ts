import { expect, it } from "vitest";
import type { Filter } from "./bindings";
import { mockBackend } from "./mock";

const backend = mockBackend("?screen=urls");
const open = (filter: Filter | null, table = "urls", sort: { column: string; descending: boolean } | null = null) => backend.openTable({ table, crawl: 3, filter, sort }, 1);

it("makes up the same site every time", async () => {
  const [one, other] = [await open(null), await mockBackend("?screen=urls").openTable({ table: "urls", crawl: 3, filter: null, sort: null }, 1)];
  expect(one.rows).toBe(other.rows);
  expect(one.rows).toBeGreaterThan(550);
});

it("gives the rows that a count of the overview promises", async () => {
  const overview = await backend.overview(3);
  for (const distribution of overview.distributions) {
    for (const bar of distribution.bars) expect([distribution.id, bar.label, (await open(bar.filter)).rows]).toEqual([distribution.id, bar.label, bar.count]);
  }
  for (const issue of await backend.issues(3)) expect((await open({ finding: issue.audit })).rows).toBe(issue.urls);
});

it("sorts and reads ranges", async () => {
  const { table } = await open({ is: { column: "status", operator: "filled", value: null } }, "urls", { column: "bytes", descending: true });
  const sizes = (await backend.tableRows(table, 0, 20, ["bytes"])).map((row) => Number(row.cells[0]));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
});

it("finds the links of a URL and the URLs behind rows", async () => {
  const key = (await backend.urlKey(3, "https://lindenleaf.example/about")) ?? 0;
  const detail = await backend.urlDetail(3, key);
  expect((await open({ links_to: [key] }, "links")).rows).toBe(detail.inlinks);
  const { table } = await open({ is: { column: "url", operator: "equals", value: detail.url } });
  expect((await open({ links_to_rows: { table, ranges: [{ start: 0, end: 1 }] } }, "links")).rows).toBe(detail.inlinks);
});

it("refuses as the engine would", async () => {
  await expect(open({ is: { column: "made_up", operator: "equals", value: 1 } })).rejects.toMatchObject({ code: "filter" });
  await backend.cancelTable(5);
  await expect(backend.openTable({ table: "urls", crawl: 3, filter: null, sort: null }, 5)).rejects.toMatchObject({ code: "cancelled" });
  await expect(backend.setSetting("Audit", "pace.concurrency", "many")).rejects.toMatchObject({ code: "settings" });
});

it("counts up to numbers that add up", async () => {
  const job = await mockBackend("?screen=crawl&job=paused").job();
  const { encountered, ...states } = job!.counts;
  expect(Object.values(states).reduce((sum, one) => sum + one, 0)).toBe(encountered);
});
