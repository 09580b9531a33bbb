import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "$lib/backend";
import { app } from "$lib/state";
import { openPaths, startForm } from "$lib/state/startForm.svelte";
import Start from "./Start.svelte";

beforeEach(() => {
  Object.assign(startForm, { address: "", list: null, project: null, settings: {}, optionsOpen: false, signIn: null, signedOut: false });
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
  expect(start).toHaveBeenCalledWith({ address: "lindenleaf.example", list: null, project: null, profile: "Audit", settings: [["limits.max_urls", "500"]], sign_in: "kept" });
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

it("moves a login out of the address into the sign-in of this run, and out of sight", async () => {
  const start = vi.spyOn(backend, "startAudit");
  await shown();
  const field = screen.getByTestId<HTMLInputElement>("start-address");
  await type("https://ada:s3%63ret@lindenleaf.example/tea?x=a@b");
  await fireEvent.change(field);
  expect(field.value).toBe("https://lindenleaf.example/tea?x=a@b");
  expect((await screen.findByTestId("start-signin-chip")).textContent).toContain("Signed in as ada");
  expect(document.body.innerHTML).not.toContain("s3cret");
  await fireEvent.click(screen.getByTestId("start-button"));
  await waitFor(() => expect(app.screen).toBe("crawl"));
  const sign_in = { given: { origin: "https://lindenleaf.example", credentials: [{ kind: "login", user: "ada", password: "s3cret" }] } };
  expect(start).toHaveBeenLastCalledWith(expect.objectContaining({ address: "https://lindenleaf.example/tea?x=a@b", sign_in }));
  expect(startForm.signIn).toBeNull();
  await backend.stopJob();
});

it("moves the login even where Enter is pressed at once", async () => {
  const start = vi.spyOn(backend, "startAudit");
  await shown();
  await type("ada:s3cret@lindenleaf.example");
  await fireEvent.submit(screen.getByTestId("start-form"));
  await waitFor(() => expect(start).toHaveBeenLastCalledWith(expect.objectContaining({ address: "lindenleaf.example", sign_in: expect.objectContaining({ given: expect.anything() as unknown }) as unknown })));
  await waitFor(() => expect(app.screen).toBe("crawl"));
  await backend.stopJob();
});

it("does without a sign-in that was given, and says whom it was for", async () => {
  const start = vi.spyOn(backend, "startAudit");
  startForm.signIn = { origin: "https://other.example", credentials: [{ kind: "bearer", token: "abc" }] };
  await shown();
  await type("lindenleaf.example");
  await waitFor(() => expect(screen.getByTestId("start-signin-chip").textContent).toContain("https://other.example"));
  await fireEvent.click(screen.getByTestId("start-signin-drop"));
  await fireEvent.click(screen.getByTestId("start-button"));
  await waitFor(() => expect(start).toHaveBeenLastCalledWith(expect.objectContaining({ sign_in: "kept" })));
  await waitFor(() => expect(app.screen).toBe("crawl"));
  await backend.stopJob();
});

it("uses what is kept for the address unless the person does without", async () => {
  const start = vi.spyOn(backend, "startAudit");
  await backend.keepSignIn("https://lindenleaf.example", [{ kind: "header", name: "X-Key", value: "v" }]);
  await shown();
  await type("lindenleaf.example");
  expect((await screen.findByTestId("start-signin-kept")).textContent).toContain("x-key");
  await fireEvent.click(screen.getByTestId("start-signin-out"));
  await fireEvent.click(screen.getByTestId("start-button"));
  await waitFor(() => expect(start).toHaveBeenLastCalledWith(expect.objectContaining({ sign_in: "without" })));
  await waitFor(() => expect(app.screen).toBe("crawl"));
  await backend.stopJob();
  await backend.forgetSignIn("https://lindenleaf.example");
});
