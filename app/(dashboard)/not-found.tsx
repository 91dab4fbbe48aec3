import { headers } from "next/headers";
import { PATH_HEADER } from "@/app/_shared/path-header";
import { kinds } from "@/lib/resources/kinds";

/**
 * Leads to the list that the address was in, and to the search for another ID. Small, because Next
 * includes it in every page. `plainPage()` looks the same.
 */
export default async function NotFound() {
  const path = (await headers()).get(PATH_HEADER) ?? "";
  const kind = kinds.find(({ name }) => path.startsWith(`/${name}/`));
  return (
    <div className="mx-auto max-w-[40rem] px-4 py-16 sm:px-6">
      <p className="font-mono text-small text-muted">404</p>
      <h1 className="mt-1 text-title font-semibold tracking-tight">
        There is no {kind ? `such ${kind.noun}` : "page here"}
      </h1>
      <p className="mt-3 text-muted">
        It may have been deleted, or belongs to another organization. IDs are case-sensitive.
      </p>
      <p className="mt-5 flex flex-wrap gap-4">
        {kind && (
          <a href={`/${kind.name}`} className="link">
            All {kind.title.toLowerCase()}
          </a>
        )}
        <button type="button" data-palette className="link">
          Search by name or ID
        </button>
        <a href="/dashboard" className="link">
          Overview
        </a>
      </p>
    </div>
  );
}
