import Form from "next/form";
import type { Caller } from "@/lib/platform/caller";
import { differenceOf } from "@/lib/resources/artifacts/difference";
import { getVersion, type VersionRow } from "@/lib/resources/artifacts/versions";
import { LineDifference } from "./line-difference";

interface Props {
  caller: Caller;
  id: string;
  version: VersionRow;
  /** The versions to compare it with, newest first. */
  others: VersionRow[];
  /** The number of the selected version; by default the previous one. */
  chosen: string | undefined;
}

/** The changes between two versions, from the older to the newer. */
export async function VersionChanges({ caller, id, version, others, chosen }: Props) {
  const other =
    others.find(({ number }) => String(number) === chosen) ??
    others.find(({ number }) => number < version.number) ??
    others[0];
  if (!other) {
    return (
      <p className="px-4 py-6 text-muted sm:px-6">There is no other version to compare with.</p>
    );
  }
  const [from, to] = other.number < version.number ? [other, version] : [version, other];
  const [before, after] = await Promise.all(
    [from, to].map(({ number }) => getVersion(caller, id, String(number))),
  );
  return (
    <div data-print className="px-4 py-4 sm:px-6">
      <Form
        action={`/artifacts/${id}/versions/${version.number}`}
        prefetch={false}
        className="mb-4 flex flex-wrap items-center gap-2 print:hidden"
      >
        <input type="hidden" name="view" value="changes" />
        <label className="flex items-center gap-2">
          <span className="text-small text-muted">Compare with</span>
          <select name="with" defaultValue={other.number} className="field w-auto">
            {others.map(({ number }) => (
              <option key={number} value={number}>
                Version {number}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button">
          Compare
        </button>
      </Form>
      <h2 className="mb-2 font-semibold">
        Changes from version {from.number} to version {to.number}
      </h2>
      <ul className="mb-2 text-small text-muted wrap-anywhere empty:hidden">
        {from.name !== to.name && (
          <li>
            Renamed from {from.name} to {to.name}
          </li>
        )}
        {from.format !== to.format && <li>Format changed</li>}
      </ul>
      <LineDifference difference={differenceOf(before?.content ?? "", after?.content ?? "")} />
    </div>
  );
}
