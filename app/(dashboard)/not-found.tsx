"use client";

import { usePathname } from "next/navigation";
import { Missing } from "@/components/site/missing";
import { kinds } from "@/lib/resources/kinds";

/** Leads to the list that the address was in, and to the search for another ID. */
export default function NotFound() {
  const path = usePathname();
  const kind = kinds.find(({ name }) => path.startsWith(`/${name}/`));
  return (
    <Missing
      title={kind ? `There is no such ${kind.noun}` : undefined}
      links={
        <>
          {kind && (
            <li>
              <a href={`/${kind.name}`} className="link">
                All {kind.title.toLowerCase()}
              </a>
            </li>
          )}
          <li>
            <button
              type="button"
              data-early
              onClick={() => document.dispatchEvent(new Event("open-palette"))}
              className="link"
            >
              Search by name or ID
            </button>
          </li>
          <li>
            <a href="/dashboard" className="link">
              Overview
            </a>
          </li>
        </>
      }
    >
      It may have been deleted, or belongs to another organization. IDs are case-sensitive.
    </Missing>
  );
}
