import type { ReactNode } from "react";

interface Props {
  onClick(): void;
  isBusy?: boolean;
  /** For example "2 new". */
  children: ReactNode;
}

/** A button that shows the rows added since the list was read. Above the bar on narrow screens. */
export function ShowNew({ onClick, isBusy = false, children }: Props) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-disabled={isBusy}
      className="pointer-events-auto rounded-full bg-accent px-3 text-small leading-7 font-medium text-accent-ink tabular-nums max-sm:fixed max-sm:inset-x-0 max-sm:bottom-20 max-sm:z-10 max-sm:mx-auto max-sm:w-fit"
    >
      {children}
    </button>
  );
}
