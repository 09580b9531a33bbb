/** The engine as the interface sees it: the real one inside the window, a made-up one in a plain browser and in tests. */
import type { Backend } from "./backend";
import { counted } from "./changes.svelte";
import { mockBackend } from "./mock";
import { tauriBackend } from "./tauri";

export const inWindow = "__TAURI_INTERNALS__" in globalThis;

export const backend: Backend = counted(inWindow ? tauriBackend() : mockBackend());

export type { Backend };
export type * from "./bindings";
