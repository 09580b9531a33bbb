import { render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { expect, it } from "vitest";
import InSight from "./InSight.svelte";

const row = createRawSnippet<[number]>((index) => ({ render: () => `<p>row ${index()}</p>` }));

it("draws the rows in sight of as many as there are", () => {
  const { container } = render(InSight, { count: 100_000, height: 20, row });
  expect(screen.getByText("row 0")).toBeTruthy();
  expect(container.querySelectorAll("p").length).toBeLessThan(80);
  expect(container.querySelector<HTMLElement>(".room")?.style.height).toBe("2000000px");
});

it("draws nothing of nothing", () => {
  const { container } = render(InSight, { count: 0, height: 20, row });
  expect(container.querySelectorAll("p")).toHaveLength(0);
});
