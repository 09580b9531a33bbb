import { expect, it } from "vitest";
import { Answer } from "./answer.svelte";

it("shows the newest answer, whichever comes last", async () => {
  const answer = new Answer<string>();
  let first: (value: string) => void = () => undefined;
  const slow = answer.ask(() => new Promise<string>((resolve) => (first = resolve)));
  await answer.ask(() => Promise.resolve("new"));
  first("old");
  await slow;
  expect([answer.value, answer.loading]).toEqual(["new", false]);
});

it("keeps the old answer while the new one is awaited, and drops it where that fails", async () => {
  const answer = new Answer<string>();
  await answer.ask(() => Promise.resolve("one"));
  const failing = answer.ask(() => Promise.reject({ code: "store", message: "gone", detail: [] }));
  expect([answer.value, answer.loading]).toEqual(["one", true]);
  await failing;
  expect([answer.value, answer.error?.message]).toEqual([null, "gone"]);
});

it("is empty once forgotten, even by an answer under way", async () => {
  const answer = new Answer<string>();
  const asked = answer.ask(() => Promise.resolve("late"));
  answer.forget();
  await asked;
  expect([answer.value, answer.loading]).toEqual([null, false]);
});
