import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "$lib/backend";
import { toasts } from "$lib/state/toasts.svelte";
import { speak } from "$lib/text/language.svelte";
import ExportForm from "./ExportForm.svelte";

let there: string[] = [];
beforeEach(() => {
  speak("en");
  there = [];
  vi.restoreAllMocks();
  vi.spyOn(backend, "fileExists").mockImplementation(async (path) => there.includes(path));
});

async function form() {
  const save = vi.fn(async (path: string) => ({ path, rows: 29, left_out: 0 }));
  render(ExportForm, { props: { name: "tea 404", columns: ["url"], ranges: null, rows: 29, save, onclose: () => undefined } });
  const field = screen.getByTestId<HTMLInputElement>("export-path");
  await waitFor(() => expect(field.value).not.toBe(""));
  const type = async (path: string) => {
    await fireEvent.input(field, { target: { value: path } });
  };
  const enter = () => fireEvent.submit(screen.getByTestId("export-form"));
  return { save, field, type, enter };
}

it("proposes a dated name that is free", async () => {
  const { field } = await form();
  expect(field.value).toMatch(/tea-404-\d{4}-\d\d-\d\d\.csv$/);
});

it("writes the format that the typed ending says, and says where", async () => {
  const { save, type, enter } = await form();
  await type("/x/tea.json");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "JSON" }).checked).toBe(true);
  await enter();
  await waitFor(() => expect(save).toHaveBeenCalledWith("/x/tea.json", expect.anything()));
  await waitFor(() => expect(toasts.at(-1)?.text).toBe("Exported 29 rows to /x/tea.json"));
});

it("shows the ending it adds before it writes", async () => {
  const { save, field, type, enter } = await form();
  // The format that was used last is remembered; this says which one it is.
  await type("/x/tea.csv");
  await type("/x/tea.2026");
  await enter();
  expect(field.value).toBe("/x/tea.2026.csv");
  expect(save).not.toHaveBeenCalled();
  await enter();
  await waitFor(() => expect(save).toHaveBeenCalledWith("/x/tea.2026.csv", expect.anything()));
});

it("asks before it replaces a file", async () => {
  there = ["/x/tea.csv"];
  const { save, field, type, enter } = await form();
  await type("/x/tea.csv");
  await enter();
  await waitFor(() => expect(screen.getByTestId("export-exists").textContent).toContain("tea.csv exists. Replace it?"));
  expect(save).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByTestId("export-rename"));
  await waitFor(() => expect(field.value).toBe("/x/tea-2.csv"));
  await type("/x/tea.csv");
  await enter();
  await fireEvent.click(await screen.findByTestId("export-replace"));
  await waitFor(() => expect(save).toHaveBeenCalledWith("/x/tea.csv", expect.anything()));
});
