/** Filters and orders rows as the engine would, and writes the SQL it would show. */
import type { Condition, Filter, RowRange, Sort, TableCard, Value } from "../bindings";
import { holds } from "./audits";
import { site } from "./site";
import type { Source } from "./sources";

type Test = (i: number) => boolean;
/** The keys of rows of an ordering that is open. */
export type KeysOf = (table: number, ranges: RowRange[]) => number[];

export function select(source: Source, card: TableCard, filter: Filter | null, sort: Sort | null, keysOf: KeysOf): Uint32Array {
  const test = filter ? tester(filter, source, card, keysOf) : () => true;
  const found: number[] = [];
  for (let i = 0; i < source.length; i++) if (test(i)) found.push(i);
  const order = Uint32Array.from(found);
  if (!sort) return order;
  const cells = new Map<number, Value>();
  for (const i of order) cells.set(i, source.cell(i, sort.column));
  const turn = sort.descending ? -1 : 1;
  return order.sort((a, b) => turn * compare(cells.get(a) ?? null, cells.get(b) ?? null) || a - b);
}

function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}

function tester(filter: Filter, source: Source, card: TableCard, keysOf: KeysOf): Test {
  if ("all" in filter) {
    const tests = filter.all.map((one) => tester(one, source, card, keysOf));
    return (i) => tests.every((test) => test(i));
  }
  if ("any" in filter) {
    const tests = filter.any.map((one) => tester(one, source, card, keysOf));
    return (i) => tests.some((test) => test(i));
  }
  if ("not" in filter) {
    const test = tester(filter.not, source, card, keysOf);
    return (i) => !test(i);
  }
  if ("is" in filter) return condition(filter.is, source, card);
  if ("search" in filter) {
    const words = filter.search.toLowerCase();
    const columns = card.columns.filter((one) => ["url", "text"].includes(one.kind)).map((one) => one.id);
    return (i) => columns.some((id) => String(source.cell(i, id) ?? "").toLowerCase().includes(words));
  }
  if ("finding" in filter) {
    const affected = holds(filter.finding);
    return (i) => affected.has(source.key(i));
  }
  const keys = new Set("links_to" in filter ? filter.links_to : "links_from" in filter ? filter.links_from : keysOf(filter.links_to_rows.table, filter.links_to_rows.ranges));
  const away = "links_from" in filter;
  if (card.id === "links") return (i) => keys.has(Number(source.cell(i, away ? "source_key" : "target_key")));
  const near = new Set(site().links.filter((link) => keys.has(away ? link.source_key : link.target_key)).map((link) => (away ? link.target_key : link.source_key)));
  return (i) => near.has(source.key(i));
}

function condition({ column, operator, value }: Condition, source: Source, card: TableCard): Test {
  if (!card.columns.some((one) => one.id === column)) throw { code: "filter", message: `There is no column ${column} in ${card.title}.`, detail: [] };
  const words = String(value ?? "").toLowerCase();
  const text = (i: number) => String(source.cell(i, column) ?? "").toLowerCase();
  const number = (i: number) => source.cell(i, column);
  const bound = Number(value);
  const measured = (i: number, holds: (n: number) => boolean) => number(i) !== null && holds(Number(number(i)));
  switch (operator) {
    case "equals": return (i) => text(i) === words;
    case "differs": return (i) => text(i) !== words;
    case "contains": return (i) => text(i).includes(words);
    case "lacks": return (i) => !text(i).includes(words);
    case "starts": return (i) => text(i).startsWith(words);
    case "ends": return (i) => text(i).endsWith(words);
    case "matches": {
      let pattern: RegExp;
      try {
        pattern = new RegExp(String(value), "iu");
      } catch {
        throw { code: "filter", message: `“${String(value)}” is no regular expression.`, detail: [{ field: column, message: "This is no regular expression." }] };
      }
      return (i) => pattern.test(text(i));
    }
    case "above": return (i) => measured(i, (n) => n > bound);
    case "below": return (i) => measured(i, (n) => n < bound);
    case "at_least": return (i) => measured(i, (n) => n >= bound);
    case "at_most": return (i) => measured(i, (n) => n <= bound);
    case "empty": return (i) => text(i) === "";
    case "filled": return (i) => text(i) !== "";
  }
}

/** For the eye: the engine's own statement is the one that counts. */
export function sql(card: TableCard, crawl: number, filter: Filter | null, sort: Sort | null): string {
  const where = [`crawl = ${crawl}`, ...(filter ? [said(filter)] : [])].join(" AND ");
  return `SELECT * FROM v_${card.id} WHERE ${where}${sort ? ` ORDER BY ${sort.column}${sort.descending ? " DESC" : ""}` : ""}`;
}

const SIGNS: Partial<Record<Condition["operator"], string>> = { equals: "=", differs: "<>", above: ">", below: "<", at_least: ">=", at_most: "<=", matches: "REGEXP" };
const quoted = (value: Value) => (typeof value === "number" ? String(value) : `'${String(value ?? "").replaceAll("'", "''")}'`);

function said(filter: Filter): string {
  if ("all" in filter) return filter.all.length ? `(${filter.all.map(said).join(" AND ")})` : "1";
  if ("any" in filter) return filter.any.length ? `(${filter.any.map(said).join(" OR ")})` : "0";
  if ("not" in filter) return `NOT ${said(filter.not)}`;
  if ("search" in filter) return `(url LIKE ${quoted(`%${filter.search}%`)} OR title LIKE ${quoted(`%${filter.search}%`)})`;
  if ("finding" in filter) return `url IN (SELECT url FROM v_findings WHERE audit = ${quoted(filter.finding)})`;
  if ("links_to" in filter) return `target_key IN (${filter.links_to.join(", ")})`;
  if ("links_from" in filter) return `source_key IN (${filter.links_from.join(", ")})`;
  if ("links_to_rows" in filter) return `target_key IN (SELECT key FROM rows_of_${filter.links_to_rows.table})`;
  const { column, operator, value } = filter.is;
  const sign = SIGNS[operator];
  if (sign) return `${column} ${sign} ${quoted(value)}`;
  if (operator === "empty") return `coalesce(${column}, '') = ''`;
  if (operator === "filled") return `coalesce(${column}, '') <> ''`;
  const like = operator === "starts" ? `${value}%` : operator === "ends" ? `%${value}` : `%${value}%`;
  return `${column} ${operator === "lacks" ? "NOT " : ""}LIKE ${quoted(like)}`;
}
