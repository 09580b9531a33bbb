/** One answer of the engine as a view shows it: not there yet, there, or failed. Answers to older questions are dropped. */

import type { ApiError } from "$lib/backend";
import { asApiError } from "$lib/state";

export class Answer<T> {
  value = $state.raw<T | null>(null);
  error = $state.raw<ApiError | null>(null);
  loading = $state(false);
  #asked = 0;

  /** Keeps what is shown until the new answer is there, so that nothing flashes; `forget` first where it would mislead. */
  async ask(question: () => Promise<T>): Promise<void> {
    const asked = ++this.#asked;
    this.loading = true;
    try {
      const value = await question();
      if (asked !== this.#asked) return;
      this.value = value;
      this.error = null;
    } catch (error) {
      if (asked !== this.#asked) return;
      const known = asApiError(error);
      if (known.code !== "cancelled") {
        this.error = known;
        this.value = null;
      }
    }
    this.loading = false;
  }

  forget(): void {
    this.#asked += 1;
    this.value = null;
    this.error = null;
    this.loading = false;
  }
}
