"use client";

import { Icon } from "@/components/ui/icon";

/** Opens the palette without the ⌘K shortcut. */
export function PaletteButton({ className }: { className: string }) {
  return (
    <button
      type="button"
      title="Go to a page or an ID (Ctrl or ⌘ K)"
      onClick={() => document.dispatchEvent(new Event("open-palette"))}
      className={className}
    >
      <Icon name="search" />
      <span className="sm:sr-only lg:not-sr-only">Go to…</span>
      <kbd className="ml-auto font-mono text-small text-muted max-lg:hidden">⌘K</kbd>
    </button>
  );
}
