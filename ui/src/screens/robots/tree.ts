/** The sitemaps as lines of a tree: an index above what it names, what is wrong with a file below it. */
import type { SitemapError, SitemapNode } from "$lib/backend";

export type TreeLine = {
  id: string;
  node: SitemapNode;
  /** Set for a line that tells what is wrong with `node`. */
  error: SitemapError | null;
  /** From 1. */
  level: number;
  /** Whether what is below is shown; null where there is nothing. */
  open: boolean | null;
};

/** The lines to draw. Each parent stands before its children in `nodes`; one whose parent is not there stands by itself. */
export function treeLines(nodes: SitemapNode[], closed: ReadonlySet<number>): TreeLine[] {
  const children = new Map<number | null, SitemapNode[]>();
  const seen = new Set<number>();
  for (const node of nodes) {
    const parent = node.parent !== null && seen.has(node.parent) ? node.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
    seen.add(node.key);
  }
  const lines: TreeLine[] = [];
  const waiting = (children.get(null) ?? []).map((node) => ({ node, level: 1 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, level } = next;
    const below = children.get(node.key) ?? [];
    const has = below.length > 0 || node.errors.length > 0;
    const open = has ? !closed.has(node.key) : null;
    lines.push({ id: `sitemap-${node.key}`, node, error: null, level, open });
    if (!open) continue;
    node.errors.forEach((error, i) => lines.push({ id: `sitemap-${node.key}-${i}`, node, error, level: level + 1, open: null }));
    for (let i = below.length - 1; i >= 0; i--) {
      const child = below[i];
      if (child) waiting.push({ node: child, level: level + 1 });
    }
  }
  return lines;
}

/** The flags that say more than the errors below the file do. */
export const ownFlags = (node: SitemapNode): string[] => node.flags.filter((flag) => !node.errors.some((error) => error.code === flag));
