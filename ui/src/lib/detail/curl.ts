/** Puts the command that asks for a URL as a crawl did on the clipboard, in the language of this computer's terminal. */
import { backend } from "$lib/backend";
import { onWindows } from "$lib/parts/platform";
import { fail, toast, warn } from "$lib/state/toasts.svelte";
import { copyText } from "$lib/table/clipboard";
import { t } from "$lib/text";

export async function copyCurl(crawl: number, key: number): Promise<void> {
  try {
    const command = await backend.curlCommand(crawl, key);
    if (command === null) return warn(t("detail.curl_none"));
    if (await copyText(onWindows ? command.windows : command.posix)) toast(t("detail.curl_copied"));
    else warn(t("table.copy_failed"));
  } catch (error) {
    fail(error);
  }
}
