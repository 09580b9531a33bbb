import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "$lib/backend";
import { app, begin } from "$lib/state/app.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { speak } from "$lib/text/language.svelte";
import FieldsForm from "./FieldsForm.svelte";

beforeEach(async () => {
  vi.restoreAllMocks();
  speak("en");
  await begin();
  app.crawl = 1;
});

async function form() {
  vi.spyOn(backend, "fields").mockResolvedValue([{ name: "price", rule: "css text: .price", kind: "text", pages: 42 }]);
  const set = vi.spyOn(backend, "setFields").mockResolvedValue();
  const onclose = vi.fn();
  render(FieldsForm, { props: { onclose } });
  await screen.findByTestId("field");
  return { onclose, set };
}

it("counts the pages of a rule as it is saved, and none of one that is being changed", async () => {
  const { set, onclose } = await form();
  expect(screen.getByTestId("field-count").textContent).toBe("42 pages");
  await fireEvent.input(screen.getByTestId("field-rule"), { target: { value: "css all: .price" } });
  expect(screen.getByTestId("field-count").textContent).toBe("");
  await fireEvent.click(screen.getByTestId("fields-save"));
  await waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(set).toHaveBeenCalledWith([{ name: "price", rule: "css all: .price" }]);
});

it("shows what is wrong with a rule and computes nothing", async () => {
  const { set, onclose } = await form();
  set.mockRejectedValue({ code: "usage", message: "price: the selector, at character 4: a name is expected", detail: [] });
  const compute = vi.spyOn(backend, "computeFields");
  await fireEvent.click(screen.getByTestId("fields-compute"));
  expect(await screen.findByText(/at character 4/)).toBeTruthy();
  expect(compute).not.toHaveBeenCalled();
  expect(onclose).not.toHaveBeenCalled();
});

it("computes for stored pages, says how far it is, and can be stopped", async () => {
  await form();
  let end: (done: { pages: number; without_html: number; given_up: number }) => void = () => undefined;
  vi.spyOn(backend, "computeFields").mockImplementation(() => new Promise((done) => (end = done)));
  vi.spyOn(backend, "customProgress").mockResolvedValue([512, 2_048]);
  const cancel = vi.spyOn(backend, "cancelCustom").mockResolvedValue();
  await fireEvent.click(screen.getByTestId("fields-compute"));
  await waitFor(() => expect(screen.getByTestId("fields-progress").textContent).toContain("512 of 2,048 pages"));
  await fireEvent.click(screen.getByTestId("fields-stop"));
  expect(cancel).toHaveBeenCalledOnce();
  end({ pages: 2_048, without_html: 8, given_up: 0 });
  await waitFor(() => expect(toasts.at(-1)?.text).toBe("Computed for 2,040 pages."));
});
