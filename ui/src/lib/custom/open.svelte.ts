/** Which dialog of what a person adds to the project is open. */
export type CustomDialog = "segments" | "fields" | "audits";

export const custom = $state({ open: null as CustomDialog | null });

export function openCustom(dialog: CustomDialog): void {
  custom.open = dialog;
}
