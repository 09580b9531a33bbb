import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "$lib/backend";
import { app, begin } from "$lib/state/app.svelte";
import { speak } from "$lib/text/language.svelte";
import InlinksExport from "./InlinksExport.svelte";
import { exportInlinks, inlinksExport } from "./inlinks.svelte";

beforeEach(async () => {
  vi.restoreAllMocks();
  speak("en");
  await begin();
  app.crawl = 1;
  inlinksExport.filter = null;
});

it("writes the links to the chosen pages, and closes their list afterwards", async () => {
  vi.spyOn(backend, "openTable").mockResolvedValue({ table: 77, rows: 1_204, sql: "", took_ms: 1 });
  vi.spyOn(backend, "fileExists").mockResolvedValue(false);
  const written = vi.spyOn(backend, "exportTable").mockResolvedValue({ path: "/x/links.csv", rows: 1_204, left_out: 0 });
  const closed = vi.spyOn(backend, "closeTable").mockResolvedValue();
  render(InlinksExport);
  expect(screen.queryByTestId("inlinks-export")).toBeNull();
  exportInlinks({ links_to: [7, 8] }, "Links to these 2 pages");
  await screen.findByTestId("export-form");
  expect(vi.mocked(backend.openTable).mock.calls[0]?.[0]).toEqual({ table: "links", crawl: 1, filter: { links_to: [7, 8] }, sort: null });
  expect(screen.getByText("All (1,204)")).toBeTruthy();
  const field = screen.getByTestId<HTMLInputElement>("export-path");
  await waitFor(() => expect(field.value).not.toBe(""));
  await fireEvent.submit(screen.getByTestId("export-form"));
  await waitFor(() => expect(written).toHaveBeenCalledWith(77, null, expect.arrayContaining(["source", "target"]), field.value));
  await waitFor(() => expect(screen.queryByTestId("inlinks-export")).toBeNull());
  expect(closed).toHaveBeenCalledWith(77);
});

it("lets the search for links be given up, and says what failed", async () => {
  let refuse: (reason: unknown) => void = () => undefined;
  vi.spyOn(backend, "openTable").mockImplementation(() => new Promise((_, no) => (refuse = no)));
  const cancelled = vi.spyOn(backend, "cancelTable").mockResolvedValue();
  render(InlinksExport);
  exportInlinks({ links_to: [7] }, "Links to this page");
  await fireEvent.click(await screen.findByText("Cancel"));
  await waitFor(() => expect(screen.queryByTestId("inlinks-export")).toBeNull());
  expect(cancelled).toHaveBeenCalledOnce();
  exportInlinks({ links_to: [7] }, "Links to this page");
  await waitFor(() => expect(vi.mocked(backend.openTable)).toHaveBeenCalledTimes(2));
  refuse({ code: "project", message: "The file is gone.", detail: [] });
  expect(await screen.findByText("The file is gone.")).toBeTruthy();
});
