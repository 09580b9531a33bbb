import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "$lib/backend";
import { app, begin } from "$lib/state/app.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { speak } from "$lib/text/language.svelte";
import { moved } from "./segments";
import SegmentsForm from "./SegmentsForm.svelte";

beforeEach(async () => {
  vi.restoreAllMocks();
  speak("en");
  await begin();
  app.crawl = 1;
});

async function form() {
  vi.spyOn(backend, "segments").mockResolvedValue([{ name: "Blog", patterns: ["/blog/**"], urls: 12 }]);
  vi.spyOn(backend, "trySegment").mockImplementation(async (_crawl, patterns) => {
    if (patterns.includes("re:(")) throw { code: "usage", message: "unclosed group", detail: [] };
    return { urls: patterns.length * 12, of: 100, examples: ["https://a.example/blog/"] };
  });
  const onclose = vi.fn();
  render(SegmentsForm, { props: { onclose } });
  await screen.findByTestId("segment");
  return { onclose };
}

it("counts what patterns have while they are typed, and says what is wrong with one", async () => {
  await form();
  await waitFor(() => expect(screen.getByTestId("segment-count").textContent).toContain("12 of 100 URLs"));
  await fireEvent.input(screen.getByTestId("segment-patterns"), { target: { value: "/blog/**\n/news/**" } });
  await waitFor(() => expect(screen.getByTestId("segment-count").textContent).toContain("24 of 100 URLs"));
  await fireEvent.input(screen.getByTestId("segment-patterns"), { target: { value: "re:(" } });
  await waitFor(() => expect(screen.getByTestId("segment-count").textContent).toContain("unclosed group"));
});

it("saves all of them, without rows that say nothing", async () => {
  const { onclose } = await form();
  const set = vi.spyOn(backend, "setSegments").mockResolvedValue();
  const tables = vi.spyOn(backend, "tables");
  await fireEvent.click(screen.getByTestId("segment-add"));
  await fireEvent.click(screen.getByTestId("segment-add"));
  const names = screen.getAllByTestId("segment-name");
  const patterns = screen.getAllByTestId("segment-patterns");
  await fireEvent.input(names[1] as HTMLElement, { target: { value: " Shop " } });
  await fireEvent.input(patterns[1] as HTMLElement, { target: { value: "/shop/**\n\n  /cart " } });
  await fireEvent.click(screen.getByTestId("segments-save"));
  await waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(set.mock.calls[0]?.[0]).toEqual([{ name: "Blog", patterns: ["/blog/**"] }, { name: "Shop", patterns: ["/shop/**", "/cart"] }]);
  expect(tables).toHaveBeenCalled();
  expect(toasts.at(-1)?.text).toBe("The segments are saved.");
});

it("stays open with the reason where saving fails", async () => {
  const { onclose } = await form();
  vi.spyOn(backend, "setSegments").mockRejectedValue({ code: "usage", message: "the name Blog stands twice", detail: [] });
  await fireEvent.click(screen.getByTestId("segments-save"));
  expect(await screen.findByText("the name Blog stands twice")).toBeTruthy();
  expect(onclose).not.toHaveBeenCalled();
});

it("moves a row by one place, and none beyond the ends", () => {
  const rows = [1, 2, 3].map((key) => ({ key }));
  expect(moved(rows, 2, -1).map(({ key }) => key)).toEqual([2, 1, 3]);
  expect(moved(rows, 2, 1).map(({ key }) => key)).toEqual([1, 3, 2]);
  expect(moved(rows, 1, -1)).toEqual(rows);
  expect(moved(rows, 3, 1)).toEqual(rows);
});
