import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answered, watchAnswers } from "./answering";

const target = new EventTarget();
watchAnswers(target);
let frames: FrameRequestCallback[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The order in which questions are sent. */
function asking(): { sent: string[]; ask: (name: string) => void } {
  const sent: string[] = [];
  return { sent, ask: (name) => void answered().then(() => sent.push(name)) };
}

test("without a click a question is sent at once", async () => {
  const { sent, ask } = asking();
  ask("a");
  await Promise.resolve();
  expect(sent).toEqual(["a"]);
});

test.each(["click", "keydown"])("after a %s questions wait for the frame that answers, in their order", async (type) => {
  const { sent, ask } = asking();
  target.dispatchEvent(new Event(type));
  ask("a");
  ask("b");
  await vi.advanceTimersByTimeAsync(50);
  expect(sent).toEqual([]);
  for (const frame of frames) frame(0);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(["a", "b"]);
  ask("c");
  await Promise.resolve();
  expect(sent).toEqual(["a", "b", "c"]);
});

test("a window that paints nothing asks all the same", async () => {
  const { sent, ask } = asking();
  target.dispatchEvent(new Event("click"));
  ask("a");
  await vi.advanceTimersByTimeAsync(99);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(["a"]);
});
