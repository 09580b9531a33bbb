/** What a browser preview is asked to show, by its address: `?screen=urls&theme=dark&lang=de&rows=700000&job=running`. */
export type Preview = {
  screen: string | null;
  theme: "light" | "dark" | null;
  lang: "en" | "de" | null;
  /** Rows of a made-up table; null for the small project. */
  rows: number | null;
  job: "running" | "paused" | "done" | "failed" | "stopped" | null;
  /** A crawl that was interrupted. */
  interrupted: boolean;
  /** No recent projects. */
  fresh: boolean;
  /** Key of the URL in the detail pane. */
  detail: number | null;
};

function among<T extends string>(text: string | null, choices: readonly T[]): T | null {
  return choices.find((choice) => choice === text) ?? null;
}

export function preview(address = globalThis.location?.search ?? ""): Preview {
  const asked = new URLSearchParams(address);
  const whole = (name: string) => (/^\d+$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : null);
  return {
    screen: asked.get("screen"),
    theme: among(asked.get("theme"), ["light", "dark"]),
    lang: among(asked.get("lang"), ["en", "de"]),
    rows: whole("rows"),
    job: among(asked.get("job"), ["running", "paused", "done", "failed", "stopped"]),
    interrupted: asked.has("interrupted"),
    fresh: asked.has("fresh"),
    detail: whole("detail"),
  };
}
