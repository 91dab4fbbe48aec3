import type { ReactNode } from "react";
import { FilterRow } from "./filter-row";
import { LiveSwitch } from "./live-switch";
import { type Misread, MisreadFilters } from "./misread-filters";

interface Props {
  search?: ReactNode;
  /** Controls that never scroll away. */
  end?: ReactNode;
  /** Filters in the address whose values the list does not know. */
  misread?: readonly Misread[] | undefined;
  /** Filters, which scroll sideways where they do not fit. */
  children?: ReactNode;
}

/** The one row above a list: its search, its filters, and whether it is live. Two on a phone. */
export function Toolbar({ search, end, misread = [], children }: Props) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 sm:flex-nowrap print:hidden">
        {search}
        <FilterRow
          className={`-m-0.5 flex min-w-0 flex-auto items-center gap-2 overflow-x-auto p-0.5 max-sm:empty:hidden [&_.pills]:max-w-none [&_.pills]:shrink-0 [&_.pills]:flex-nowrap ${search ? "max-sm:order-last max-sm:basis-full" : "max-sm:basis-0"}`}
        >
          {children}
        </FilterRow>
        <div className="ml-auto flex shrink-0 items-center gap-2">{end ?? <LiveSwitch />}</div>
      </div>
      <MisreadFilters misread={misread} />
    </>
  );
}
