import { expect, it } from "vitest";
import type { TableRow } from "../backend/bindings";
import { PAGE, Pages } from "./pages";

const ROWS = 700_000;
const around = (row: number): { first: number; end: number } => ({ first: row, end: row + 40 });
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

/** An engine whose answers are given by hand. */
function engine() {
  const asked: number[] = [];
  const waiting: { start: number; answer(): void; refuse(): void }[] = [];
  let arrived = 0;
  let failed = 0;
  const pages = new Pages({
    fetch: (start, count) => {
      asked.push(start / PAGE);
      return new Promise<TableRow[]>((resolve, reject) => {
        const rows = Array.from({ length: count }, (_, i) => ({ key: start + i, link: 0, cells: [] }));
        waiting.push({ start, answer: () => resolve(rows), refuse: () => reject(new Error("no")) });
      });
    },
    arrived: () => arrived++,
    failed: () => failed++,
  });
  const answerAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      waiting.shift()?.answer();
      await settle();
    }
  };
  return { pages, asked, waiting, answerAll, counts: () => ({ arrived, failed }) };
}

it("gives the rows in sight once they are here", async () => {
  const { pages, answerAll } = engine();
  pages.want(around(350_010), ROWS);
  expect(pages.row(350_010)).toBeNull();
  await answerAll();
  expect(pages.row(350_010)?.key).toBe(350_010);
  expect(pages.row(350_049)?.key).toBe(350_049);
});

it("asks for no more than two pages at once and drops what is out of sight", async () => {
  const { pages, asked, answerAll } = engine();
  for (let row = 0; row < ROWS; row += 5_000) pages.want(around(row), ROWS);
  expect(asked).toHaveLength(2);
  await answerAll();
  expect(asked.length).toBeLessThanOrEqual(4);
  expect(pages.row(695_000)?.key).toBe(695_000);
});

it("fetches the neighbour that comes next", async () => {
  const { pages, asked, answerAll } = engine();
  pages.want(around(PAGE * 3 - 60), ROWS);
  await answerAll();
  expect(asked.slice(0, 2)).toEqual([2, 3]);
});

it("holds a bounded number of pages and keeps those in sight", async () => {
  const { pages, answerAll } = engine();
  for (let page = 0; page < 100; page++) {
    pages.want(around(page * PAGE + 100), ROWS);
    await answerAll();
  }
  expect(pages.size).toBeLessThanOrEqual(40);
  expect(pages.row(99 * PAGE + 100)).not.toBeNull();
  expect(pages.row(0)).toBeNull();
});

it("never shows rows of an ordering that is gone", async () => {
  const { pages, answerAll, counts } = engine();
  pages.want(around(0), ROWS);
  pages.clear();
  await answerAll();
  expect(pages.row(0)).toBeNull();
  expect(counts().arrived).toBe(0);
});

it("asks again for a page that failed only when told to", async () => {
  const { pages, asked, waiting, answerAll, counts } = engine();
  pages.want({ first: 20, end: 60 }, 150);
  waiting.shift()?.refuse();
  await settle();
  expect(counts().failed).toBe(1);
  pages.want({ first: 20, end: 60 }, 150);
  expect(asked).toEqual([0]);
  pages.retry({ first: 20, end: 60 }, 150);
  await answerAll();
  expect(pages.row(30)?.key).toBe(30);
});

it("shows what it has while it fetches the same rows anew", async () => {
  const { pages, asked, answerAll } = engine();
  pages.want({ first: 20, end: 60 }, 150);
  await answerAll();
  pages.renew();
  expect(pages.row(30)?.key).toBe(30);
  pages.want({ first: 20, end: 60 }, 150);
  expect(asked).toEqual([0, 0]);
  await answerAll();
  pages.want({ first: 20, end: 60 }, 150);
  expect(asked).toEqual([0, 0]);
});
