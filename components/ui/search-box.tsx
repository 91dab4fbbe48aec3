import { Icon } from "./icon";

interface Props {
  label: string;
  value: string;
  /** The list's address, where it is not the page's. */
  action?: string;
  /** Other filters of the address, which a search keeps. */
  keep: Record<string, string | undefined>;
}

/** A search within a list: a plain GET form, so that the words are in the address. */
export function SearchBox({ label, value, action, keep }: Props) {
  return (
    <form action={action} className="relative w-full sm:w-56">
      {Object.entries(keep).map(([name, kept]) =>
        kept ? <input key={name} type="hidden" name={name} value={kept} /> : null,
      )}
      <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <input
        type="search"
        name="q"
        defaultValue={value}
        aria-label={label}
        // Else the browser, going back, shows words that this list was not searched for.
        autoComplete="off"
        placeholder={label}
        className="field pl-8"
      />
    </form>
  );
}
