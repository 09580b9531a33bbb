import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend } from "../backend";
import { app } from "../state/app.svelte";
import { speak } from "../text/language.svelte";
import Palette from "./Palette.svelte";

const close = vi.fn();
beforeEach(async () => {
  speak("en");
  close.mockReset();
  await backend.openProject("/home/mia/Audits/lindenleaf.gossamer").then((project) => (app.project = project));
  app.crawl = 3;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const field = () => screen.getByTestId<HTMLInputElement>("palette-field");
const chosen = () => within(screen.getByRole("listbox")).getByRole("option", { selected: true });

async function opened() {
  render(Palette, { onclose: close, onkeys: () => undefined });
  await tick();
}

it("shows an audit once, whatever weights its findings have, and finds on", async () => {
  const [card] = await backend.issues(3);
  if (!card) throw new Error("the preview has issues");
  const audit = { ...card, audit: "slow-first-byte", title: "Slow first byte" };
  vi.spyOn(backend, "issues").mockResolvedValue([{ ...audit, priority: "high" }, { ...audit, priority: "medium" }]);
  await opened();
  await vi.waitFor(async () => {
    await fireEvent.input(field(), { target: { value: "slow first" } });
    expect(screen.getAllByText("Slow first byte")).toHaveLength(1);
  });
  await fireEvent.input(field(), { target: { value: "settings" } });
  expect(chosen().textContent).toContain("Settings");
});

it("keeps the focus, and the choice of the keyboard while the pointer rests", async () => {
  await opened();
  expect(document.activeElement).toBe(field());
  const tab = new KeyboardEvent("keydown", { key: "Unidentified", code: "Tab", shiftKey: true, bubbles: true, cancelable: true });
  field().dispatchEvent(tab);
  expect(tab.defaultPrevented).toBe(true);
  await fireEvent.keyDown(field(), { key: "ArrowDown" });
  const second = chosen().id;
  const other = screen.getAllByRole("option")[4];
  if (!other) throw new Error("more than four commands");
  const at = { clientX: 640, clientY: 400 };
  await fireEvent.pointerMove(other, at);
  await fireEvent.pointerMove(other, at);
  expect(chosen().id).toBe(second);
  await fireEvent.pointerMove(other, { clientX: 641, clientY: 400 });
  expect(chosen().id).toBe(other.id);
  await fireEvent.keyDown(field(), { key: "Escape" });
  expect(close).toHaveBeenCalledOnce();
});

it("begins at the top of the list when the words change, with the last command a key away", async () => {
  await opened();
  await fireEvent.keyDown(field(), { key: "ArrowUp" });
  await tick();
  const options = screen.getAllByRole("option");
  expect(chosen()).toBe(options.at(-1));
  const list = screen.getByRole("listbox");
  list.scrollTop = 500;
  await fireEvent.input(field(), { target: { value: "urls" } });
  expect(list.scrollTop).toBe(0);
  expect(chosen()).toBe(screen.getAllByRole("option")[0]);
});

it("leaves the focus on the screen that a command opened, and where it was after one that opened none", async () => {
  const [before, main] = [document.createElement("button"), document.createElement("main")];
  main.tabIndex = -1;
  document.body.append(before, main);
  const run = async (words: string) => {
    before.focus();
    const { unmount } = render(Palette, { onclose: close, onkeys: () => undefined });
    await fireEvent.input(field(), { target: { value: words } });
    await fireEvent.keyDown(field(), { key: "Enter" });
    unmount();
    await tick();
  };
  await run("dark");
  expect(document.activeElement).toBe(before);
  await run("overview");
  expect(app.screen).toBe("overview");
  await vi.waitFor(() => expect(document.activeElement).toBe(main));
  before.remove();
  main.remove();
});
