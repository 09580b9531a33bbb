import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "$lib/backend";
import { app } from "$lib/state";
import { openPaths, startForm } from "$lib/state/startForm.svelte";
import Start from "./Start.svelte";

beforeEach(() => {
  Object.assign(startForm, { address: "", list: null, project: null, settings: {}, optionsOpen: false });
  Object.assign(app, { screen: "start", project: null, crawl: null, job: null });
});

async function shown() {
  render(Start);
  return screen.findByText("Linden & Leaf");
}
const type = (text: string) => fireEvent.input(screen.getByTestId("start-address"), { target: { value: text } });

it("begins with the address in focus", async () => {
  await shown();
  expect(document.activeElement).toBe(screen.getByTestId("start-address"));
});

it("says at the field what is wrong, and keeps what was typed", async () => {
  await shown();
  await fireEvent.click(screen.getByTestId("start-button"));
  expect(screen.getByTestId("start-error").textContent).toContain("address");
  await type("ftp://example.com");
  expect(screen.queryByTestId("start-error")).toBeNull();
  await fireEvent.click(screen.getByTestId("start-button"));
  await waitFor(() => expect(screen.getByTestId("start-error").textContent).toContain("http and https"));
  expect(screen.getByTestId<HTMLInputElement>("start-address").value).toBe("ftp://example.com");
  expect(app.screen).toBe("start");
});

it("opens the options where one of them is wrong, and says it there", async () => {
  await shown();
  startForm.settings = { "pace.concurrency": "900" };
  await type("lindenleaf.example");
  await fireEvent.click(screen.getByTestId("start-button"));
  const field = await screen.findByTestId("option-pace.concurrency");
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

it("sends only what differs from the profile, and shows the crawl", async () => {
  const start = vi.spyOn(backend, "startAudit");
  await shown();
  await type("lindenleaf.example");
  startForm.settings = { "limits.max_urls": "500", "pace.concurrency": "5" };
  await fireEvent.click(screen.getByTestId("start-button"));
  await waitFor(() => expect(app.screen).toBe("crawl"));
  expect(start).toHaveBeenCalledWith({ address: "lindenleaf.example", list: null, project: null, profile: "Audit", settings: [["limits.max_urls", "500"]] });
  expect(app.project?.name).toBe("Linden & Leaf");
  expect(app.crawl).toBe(app.job?.crawl);
  await backend.stopJob();
});

it("takes a dropped list in the place of the address", async () => {
  await shown();
  openPaths(["/home/mia/Documents/top pages.csv"]);
  expect((await screen.findByTestId("start-list")).textContent).toContain("top pages.csv");
  await fireEvent.click(screen.getByTestId("start-list-remove"));
  expect(screen.getByTestId("start-address")).toBeTruthy();
});

it("says that a file is gone, and takes it off the list", async () => {
  await shown();
  expect(screen.getByText("File not found")).toBeTruthy();
  await fireEvent.click(screen.getByTestId("recent-forget"));
  await waitFor(() => expect(screen.queryByText("City Museum")).toBeNull());
});

it("resumes where a crawl was interrupted", async () => {
  const resume = vi.spyOn(backend, "resumeAudit");
  await shown();
  await fireEvent.click(screen.getByTestId("recent-resume"));
  expect(resume).toHaveBeenCalledWith("/home/mia/Audits/harbour-books.gossamer");
  await waitFor(() => expect(app.screen).toBe("crawl"));
  await backend.stopJob();
});
