/** What the window remembers between starts: small JSON values under a key, kept by the engine. */
import { backend } from "../backend";

const kept = $state<{ values: Record<string, string>; read: boolean }>({ values: {}, read: false });

/** Reads them all once; before that every preference is its fallback. */
export async function readPreferences(): Promise<void> {
  kept.values = await backend.preferences();
  kept.read = true;
}

/** A remembered value, or the fallback where there is none or it cannot be read. */
export function preference<T>(key: string, fallback: T): T {
  const text = kept.values[key];
  if (text === undefined) return fallback;
  try {
    return JSON.parse(text) as T;
  } catch {
    return fallback;
  }
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Keeps a value. Written a moment later, so that dragging a divider does not write a hundred times. */
export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  if (kept.values[key] === text) return;
  kept.values[key] = text;
  clearTimeout(waiting.get(key));
  waiting.set(
    key,
    setTimeout(() => {
      waiting.delete(key);
      // A preference that cannot be written is not worth a message: the window goes on with it until it closes.
      backend.setPreference(key, text).catch(() => undefined);
    }, 250),
  );
}
