import type { FormAction } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { KeySummary } from "@/lib/identity/keys/organization-keys";

const TONES = { live: "ok", expired: "quiet", revoked: "quiet" } as const;

/** The organization's keys, by their first and last characters. */
export function KeyTable({ keys, revoke }: { keys: KeySummary[]; revoke: FormAction | undefined }) {
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Permissions</th>
          <th scope="col">Last used</th>
          <th scope="col" className="max-lg:hidden">
            Created
          </th>
          <th scope="col" className="max-md:hidden">
            Expires
          </th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} id={key.id} className="target:bg-surface">
            <td className="list-main">
              <span className="flex min-w-0 items-baseline gap-2">
                <span className="truncate font-medium">{key.name}</span>
                <code className="shrink-0 font-mono text-small text-muted">
                  {key.prefix}…{key.last_four}
                </code>
                {key.registration_id && (
                  <span className="shrink-0 text-small text-muted">agent</span>
                )}
                {key.is_rotated && <span className="shrink-0 text-small text-muted">rotated</span>}
              </span>
            </td>
            <td className="text-small text-muted">
              {key.scopes.includes("api.write") ? "read, write" : "read"}
            </td>
            <td data-label="Last used" className="text-small text-muted tabular-nums">
              <Time unix={key.last_used_at} />
            </td>
            <td className="text-small text-muted tabular-nums max-lg:hidden">
              <Time unix={key.created_at} />
            </td>
            <td className="text-small text-muted tabular-nums max-md:hidden">
              <Time unix={key.expires_at} />
            </td>
            <td>
              <State word={key.state} tone={TONES[key.state]} />
            </td>
            <td className="text-right">
              {revoke && key.state === "live" && (
                <Confirm
                  label="Revoke"
                  title={`Revoke ${key.name}?`}
                  consequence={`Calls with ${key.ends_with ? `this key and ${key.ends_with}` : "this key"} will get 401, and browsers signed in with ${key.ends_with ? "them" : "it"} will be signed out. This cannot be undone.`}
                  confirm={key.ends_with ? "Revoke 2 keys" : "Revoke key"}
                  action={revoke}
                  fields={{ id: key.id }}
                  successMessage={`${key.name} revoked`}
                  className="button-text text-failed"
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
