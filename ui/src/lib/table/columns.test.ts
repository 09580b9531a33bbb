import { expect, it } from "vitest";
import type { ColumnCard } from "../backend/bindings";
import { arranged, frozen, idsOf, NARROWEST, placed, resized, saved, shownOf, spread, stepped, totalWidth, withPinned, withShown, type Columns } from "./columns";

const card = (id: string, shown = true): ColumnCard => ({ id, label: id.toUpperCase(), kind: "text", width: 100, shown, quick: true, help: "", choices: [] });
const CARDS = [card("url"), card("status"), card("depth", false), card("title"), card("size")];
const fresh = (): Columns => arranged(CARDS, null, null);
const ids = (columns: Columns): string => idsOf(columns).join(" ");
const shown = (columns: Columns): string => ids(shownOf(columns));

it("begins as the catalogue says", () => {
  expect(ids(fresh())).toBe("url status depth title size");
  expect(shown(fresh())).toBe("url status title size");
  expect(saved(fresh(), CARDS, null)).toBeNull();
});

it("begins with the columns that a place prefers", () => {
  expect(shown(arranged(CARDS, null, ["title", "url"]))).toBe("title url");
});

it("comes back as it was saved", () => {
  let columns = resized(fresh(), "url", 333.4);
  columns = withShown(columns, "depth", true);
  columns = withShown(columns, "size", false);
  columns = withPinned(columns, "title", true);
  columns = stepped(columns, "depth", -1);
  const kept = JSON.parse(JSON.stringify(saved(columns, CARDS, null)));
  expect(arranged(CARDS, kept, null)).toEqual(columns);
  expect(shown(columns)).toBe("title url depth status");
});

it("puts a column that the engine added after its neighbour, and forgets one that is gone", () => {
  const kept = saved(placed(fresh(), "size", "url"), CARDS, null);
  const later = [card("url"), card("status"), card("hash"), card("title"), card("size")];
  expect(ids(arranged(later, kept, null))).toBe("size url status hash title");
});

it("survives what is not an arrangement", () => {
  const odd = JSON.parse('{"widths":{"url":"wide"},"order":["nothing","url","url"]}');
  expect(ids(arranged(CARDS, odd, null))).toBe("url status depth title size");
  const hidden = { order: [], widths: {}, pinned: [], shown: Object.fromEntries(CARDS.map(({ id }) => [id, false])) };
  expect(shown(arranged(CARDS, hidden, null))).toBe("url status title size");
});

it("keeps the last column in sight and widths in bounds", () => {
  let columns = fresh();
  for (const { id } of CARDS) columns = withShown(columns, id, false);
  expect(shown(columns)).toBe("size");
  expect(resized(columns, "size", 1)[4]?.width).toBe(NARROWEST);
});

it("moves over hidden columns and not over the pin", () => {
  expect(shown(stepped(fresh(), "status", 1))).toBe("url title status size");
  const pinned = withPinned(fresh(), "url", true);
  expect(stepped(pinned, "status", -1)).toBe(pinned);
  expect(stepped(pinned, "url", 1)).toBe(pinned);
});

it("pins what is dropped among the pinned", () => {
  const pinned = withPinned(fresh(), "url", true);
  const dropped = placed(pinned, "size", "url");
  expect(dropped.filter((column) => column.pinned).map((column) => column.card.id)).toEqual(["size", "url"]);
  expect(placed(dropped, "url", null).find((column) => column.card.id === "url")?.pinned).toBe(false);
});

it("fills a wide view with the texts whose width nobody chose", () => {
  const chosen = shownOf(resized(fresh(), "url", 150));
  expect(spread(chosen, 450)).toEqual(chosen);
  const drawn = spread(chosen, 600);
  expect(drawn[0]?.width).toBe(150);
  expect(totalWidth(drawn)).toBeGreaterThan(590);
  expect(totalWidth(drawn)).toBeLessThanOrEqual(600);
  expect(spread(chosen, 9_000)[1]?.width).toBe(200);
});

it("lets addresses and texts give way, as far as they can be read, where the view is narrow", () => {
  const cards: ColumnCard[] = [{ ...card("url"), kind: "url", width: 400 }, { ...card("status"), kind: "status" }, { ...card("title"), width: 300 }];
  const widths = (columns: Columns, room: number) => spread(shownOf(columns), room).map((column) => column.width);
  const columns = arranged(cards, null, null);
  expect(widths(columns, 630)).toEqual([307, 100, 222]);
  expect(totalWidth(spread(shownOf(columns), 630))).toBeLessThanOrEqual(630);
  expect(widths(columns, 200)).toEqual([220, 100, 150]);
  expect(widths(resized(columns, "url", 380), 400)).toEqual([380, 100, 150]);
});

it("keeps what is left of a column as it is drawn while that is resized", () => {
  const drawn = spread(shownOf(fresh()), 600);
  const held = frozen(fresh(), drawn, "title");
  expect(shownOf(held).map((column) => column.width)).toEqual([150, 150, 150, 100]);
  expect(spread(shownOf(resized(held, "title", 170)), 600).slice(0, 3).map((column) => column.width)).toEqual([150, 150, 170]);
});
