import { headers } from "next/headers";
import { PATH_HEADER } from "@/app/_shared/path-header";
import { Missing } from "@/components/site/missing";
import { kinds } from "@/lib/resources/kinds";

/**
 * Leads to the list that the address was in, and to the search for another ID. Small and without
 * scripts of its own, because Next includes it in every page.
 */
export default async function NotFound() {
  const path = (await headers()).get(PATH_HEADER) ?? "";
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
            <button type="button" data-palette className="link">
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
