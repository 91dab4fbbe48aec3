import Form from "next/form";
import { Icon } from "./icon";
import { SearchInput } from "./search-input";

interface Props {
  label: string;
  /** Shown in the empty field, if it is not the label: the tokens that it takes. */
  hint?: string;
  value: string;
  /** The list's path. */
  action: string;
  /** Other query parameters to preserve. */
  keep: Record<string, string | undefined>;
}

/** Searches a list with a GET form, so that the words are in the URL. */
export function SearchBox({ label, hint = label, value, action, keep }: Props) {
  return (
    <Form
      action={action}
      prefetch={false}
      className="relative min-w-28 flex-[1_1_7rem] sm:max-w-80 sm:min-w-36 sm:flex-[1_1_9rem]"
    >
      {Object.entries(keep).map(([name, kept]) =>
        kept ? <input key={name} type="hidden" name={name} value={kept} /> : null,
      )}
      <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <SearchInput
        name="q"
        value={value}
        aria-label={label}
        aria-keyshortcuts="/"
        // Otherwise the back button would restore words that do not match the list.
        autoComplete="off"
        placeholder={hint}
        className="field pl-8"
      />
    </Form>
  );
}
