import { fireEvent, render, screen } from "@testing-library/svelte";
import { createRawSnippet, tick } from "svelte";
import { expect, it, vi } from "vitest";
import Field from "./Field.svelte";
import Menu from "./Menu.svelte";
import Meter from "./Meter.svelte";
import Split from "./Split.svelte";
import StatusMark from "./StatusMark.svelte";
import Switch from "./Switch.svelte";
import Tabs from "./Tabs.svelte";

const key = (of: Element, name: string) => fireEvent.keyDown(of, { key: name });
const snippet = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }));

it("moves between tabs by arrows, with one of them in the order of focus", async () => {
  const onchange = vi.fn();
  render(Tabs, { tabs: [{ id: "a", label: "Summary" }, { id: "b", label: "Inlinks", count: 1_204 }, { id: "c", label: "Headers" }], value: "a", onchange });
  await key(screen.getByRole("tab", { name: "Summary" }), "ArrowLeft");
  const last = screen.getByRole("tab", { name: "Headers" });
  expect(last.getAttribute("aria-selected")).toBe("true");
  expect(document.activeElement).toBe(last);
  expect(screen.getAllByRole("tab").map((one) => one.tabIndex)).toEqual([-1, -1, 0]);
  expect(onchange).toHaveBeenLastCalledWith("c");
});

it("runs a menu by keys and passes over what is disabled", async () => {
  const [first, third, onclose] = [vi.fn(), vi.fn(), vi.fn()];
  render(Menu, {
    x: 10, y: 10, onclose,
    items: [{ id: "one", label: "Copy", onselect: first }, { id: "two", label: "Delete", disabled: true, onselect: vi.fn() }, { id: "three", label: "Export", onselect: third }],
  });
  await tick();
  expect(document.activeElement?.textContent).toContain("Copy");
  await key(document.activeElement!, "ArrowDown");
  expect(document.activeElement?.textContent).toContain("Export");
  await key(document.activeElement!, "c");
  expect(document.activeElement?.textContent).toContain("Copy");
  await fireEvent.click(screen.getByText("Delete"));
  expect(onclose).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByText("Export"));
  expect(third).toHaveBeenCalledOnce();
  expect(onclose).toHaveBeenCalledOnce();
});

it("resizes panes by keys, within bounds", async () => {
  const onresized = vi.fn();
  render(Split, { direction: "row", size: 300, min: 280, max: 320, label: "Width", first: snippet("left"), second: snippet("right"), onresized });
  const divider = screen.getByRole("separator", { name: "Width" });
  await key(divider, "ArrowRight");
  expect(divider.getAttribute("aria-valuenow")).toBe("316");
  await key(divider, "ArrowRight");
  expect(divider.getAttribute("aria-valuenow")).toBe("320");
  await key(divider, "Home");
  expect(onresized).toHaveBeenLastCalledWith(280);
});

it("keeps the first pane when the second goes", async () => {
  const { rerender } = render(Split, { direction: "column", label: "Height", first: snippet("list"), second: snippet("detail") });
  const list = screen.getByText("list");
  await rerender({ single: true });
  expect(screen.queryByText("detail")).toBeNull();
  expect(screen.getByText("list")).toBe(list);
});

it("opens the list of each part of a meter, but of no empty one", async () => {
  const open = vi.fn();
  render(Meter, { parts: [{ label: "Fetched", count: 573, tone: "good", onclick: open }, { label: "Queued", count: 0, tone: "neutral", onclick: open }] });
  await fireEvent.click(screen.getByRole("button", { name: /Fetched/ }));
  expect(open).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: /Queued/ }).hasAttribute("disabled")).toBe(true);
});

it.each([
  [200, null, null, "good", "200"], [301, null, null, "redirect", "301"], [404, null, null, "bad", "404"], [503, null, null, "bad", "503"],
  [403, null, null, "warning", "403"], [null, "failed", "timeout", "bad", "timeout"], [null, "blocked", null, "warning", "blocked"], [null, "queued", null, "neutral", "queued"],
])("shows %s %s in shape, colour and words", (status, state, reason, tone, words) => {
  const { container } = render(StatusMark, { status, state, reason });
  expect(container.querySelector(`.${tone}`)?.textContent).toContain(words);
});

it("ties an error to its field", () => {
  render(Field, { label: "Address", error: "This is no address." });
  const field = screen.getByLabelText("Address");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toContain("This is no address.");
});

it("switches by click and says so", async () => {
  const onchange = vi.fn();
  render(Switch, { label: "Obey robots.txt", checked: true, onchange });
  await fireEvent.click(screen.getByRole("switch", { name: "Obey robots.txt" }));
  expect(screen.getByRole("switch").getAttribute("aria-checked")).toBe("false");
  expect(onchange).toHaveBeenCalledWith(false);
});
