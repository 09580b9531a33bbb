/** Macs name the same keys differently. */
export const onMac = /Mac|iPhone|iPad/.test(navigator.platform ?? "");
export const onWindows = /Win/.test(navigator.platform ?? "");
