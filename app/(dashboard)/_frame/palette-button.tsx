import { Icon } from "@/components/ui/icon";

interface Props {
  className: string;
  /** True on macOS and iOS. */
  isApple: boolean;
}

/** Opens the palette, which also has a keyboard shortcut. */
export function PaletteButton({ className, isApple }: Props) {
  const keys = isApple ? "⌘K" : "Ctrl K";
  return (
    <button
      type="button"
      data-palette
      title={`Go to a page or an ID (${keys})`}
      aria-keyshortcuts={isApple ? "Meta+k" : "Control+k"}
      className={className}
    >
      <Icon name="search" />
      <span className="sm:sr-only lg:not-sr-only">Go to…</span>
      <kbd className="ml-auto font-mono text-small text-muted max-lg:hidden">{keys}</kbd>
    </button>
  );
}
