/** Short messages at the window's edge: something was done, or failed. */
import type { ApiError } from "../backend";

export type ToastAction = { label: string; onclick: () => void };
export type Toast = { id: number; text: string; tone: "plain" | "bad"; action: ToastAction | null };

export const toasts = $state<Toast[]>([]);

const AT_MOST = 4;
let last = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

export function toast(text: string, action?: ToastAction): void {
  show({ id: ++last, text, tone: "plain", action: action ?? null }, action ? 10_000 : 5_000);
}

/** Says that something went wrong, in words of the window. */
export function warn(text: string, action?: ToastAction): void {
  show({ id: ++last, text, tone: "bad", action: action ?? null }, 12_000);
}

/** Says what went wrong. A cancelled call is no failure: the person asked for something else meanwhile. */
export function fail(error: unknown): void {
  const known = asApiError(error);
  if (known.code === "cancelled") return;
  if (toasts.some((other) => other.tone === "bad" && other.text === known.message)) return;
  show({ id: ++last, text: known.message, tone: "bad", action: null }, 12_000);
}

export function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  const at = toasts.findIndex((one) => one.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

/** Holds a message while the pointer or the focus is on it, and starts its time anew afterwards. */
export function hold(id: number, held: boolean): void {
  clearTimeout(timers.get(id));
  if (!held) timers.set(id, setTimeout(() => dismiss(id), 4_000));
}

function show(one: Toast, time: number): void {
  toasts.push(one);
  const oldest = toasts[0];
  if (toasts.length > AT_MOST && oldest) dismiss(oldest.id);
  timers.set(one.id, setTimeout(() => dismiss(one.id), time));
}

/** Whatever was thrown, as an `ApiError`. */
export function asApiError(error: unknown): ApiError {
  if (error !== null && typeof error === "object" && "code" in error && "message" in error) {
    return { detail: [], ...(error as { code: string; message: string }) };
  }
  return { code: "unknown", message: error instanceof Error ? error.message : String(error), detail: [] };
}
