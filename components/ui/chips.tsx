import { Icon } from "./icon";
import { Link } from "./link";

interface Props {
  /** Each with the query parameter that holds it. */
  chips: [name: string, param: string, value: string | undefined][];
  /** The address of the list without this parameter. */
  without(param: string): string;
}

/** The filters that apply to a list; a click takes one away. */
export function Chips({ chips, without }: Props) {
  return chips.map(
    ([name, param, value]) =>
      value && (
        <Link
          key={name}
          href={without(param)}
          scroll={false}
          aria-label={`${name}: ${value}, remove this filter`}
          className="inline-flex min-h-7 max-w-60 shrink-0 items-center gap-1.5 rounded-md border border-line px-2 text-small hover:border-line-strong"
        >
          <span className="text-muted">{name}</span>
          <bdi className="truncate">{value}</bdi>
          <Icon name="close" className="size-3 text-muted" />
        </Link>
      ),
  );
}
