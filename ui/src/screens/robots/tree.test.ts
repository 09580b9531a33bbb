import { expect, it } from "vitest";
import type { SitemapNode } from "$lib/backend";
import { ownFlags, treeLines } from "./tree";

const node = (key: number, parent: number | null, more: Partial<SitemapNode> = {}): SitemapNode => ({
  key, url: `https://tea.example/${key}.xml`, parent, level: 0, kind: "urlset", status: 200, outcome: "read", bytes: 1, entries: 1, in_crawl: 1, indexable: 1, other_hosts: 0,
  malformed: 0, errors: [], flags: [], ...more,
});
const error = (code: string) => ({ code, line: 2, column: 5, text: "" });
const check = (nodes: SitemapNode[], closed: number[], expected: string[]) =>
  expect(treeLines(nodes, new Set(closed)).map((line) => `${line.level} ${line.node.key}${line.error ? ` ${line.error.code}` : ""}`)).toEqual(expected);

const FILES = [node(1, null), node(2, 1, { errors: [error("xml-error")] }), node(5, 2), node(3, 1), node(4, null)];

it("stands files below the index that names them, errors first", () => check(FILES, [], ["1 1", "2 2", "3 2 xml-error", "3 5", "2 3", "1 4"]));
it("hides what is below a closed one", () => check(FILES, [2], ["1 1", "2 2", "2 3", "1 4"]));
it("lets a file stand by itself whose index is not there", () => check([node(7, 99), node(8, 7)], [], ["1 7", "2 8"]));
it("goes as deep as it has to", () => {
  const deep = Array.from({ length: 5_000 }, (_, i) => node(i + 1, i === 0 ? null : i));
  expect(treeLines(deep, new Set()).at(-1)?.level).toBe(5_000);
});
it("says once what an error says already", () => expect(ownFlags(node(1, null, { flags: ["gzip", "xml-error"], errors: [error("xml-error")] }))).toEqual(["gzip"]));
