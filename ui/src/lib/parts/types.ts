/** What parts are given. */
import type { IconName } from "./icons";

export type { IconName } from "./icons";

/** One entry of a menu. `separator` draws a line above it. */
export type MenuItem = {
  id: string;
  label: string;
  icon?: IconName;
  /** As `Kbd` writes it: "Ctrl+C". */
  shortcut?: string;
  disabled?: boolean;
  separator?: boolean;
  /** Where set, the entry is one of a choice and shows whether it holds. */
  checked?: boolean;
  danger?: boolean;
  /** A second, fainter line. */
  note?: string;
  onselect: () => void;
};

export type Choice = { value: string; label: string; disabled?: boolean };
export type Tone = "good" | "redirect" | "warning" | "bad" | "neutral";
export type MeterPart = { label: string; count: number; tone: Tone; onclick?: () => void; help?: string; /** Drawn paler: what is still to come, or the second of one hue. */ soft?: boolean };
export type BarRow = { label: string; count: number; tone: Tone; onclick: () => void };
export type TabCard = { id: string; label: string; count?: number | null };
