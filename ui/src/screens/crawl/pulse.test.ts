import { expect, it } from "vitest";
import { restAfter } from "./pulse.svelte";

it("rests two seconds at least", () => expect(restAfter(3)).toBe(2_000));
it("rests twenty times as long as the answer took", () => expect(restAfter(400)).toBe(8_000));
