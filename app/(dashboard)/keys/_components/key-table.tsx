import { Confirm } from "@/components/ui/confirm";
import { ACTIONS, TargetTable, timeColumn } from "@/components/ui/list-table";
import type { KeySummary } from "@/lib/identity/keys/organization-keys";
import { revokeKeyOf } from "../actions";
import { permissions, stateColumn, usesColumn } from "./columns";

/** The organization's keys, by their first and last characters. */
export function KeyTable({ keys, canRevoke }: { keys: KeySummary[]; canRevoke: boolean }) {
  return (
    <TargetTable
      columns={[
        {
          name: "Key",
          look: "list-main",
          cell: (key) => (
            <span className="flex min-w-0 items-baseline gap-2">
              <span className="truncate font-medium">{key.name}</span>
              <code className="shrink-0 font-mono text-small text-muted">
                {key.prefix}…{key.last_four}
              </code>
              {key.is_rotated && <span className="shrink-0 text-small text-muted">rotated</span>}
              <MadeBy {...key} />
            </span>
          ),
        },
        { name: "Permissions", cell: permissions },
        usesColumn,
        timeColumn("Last used", "last_used_at"),
        timeColumn("Created", "created_at", "max-xl:hidden"),
        timeColumn("Expires", "expires_at", "max-md:hidden"),
        stateColumn,
        {
          ...ACTIONS,
          cell: ({ id, name, state, ends_with }) =>
            canRevoke &&
            state === "live" && (
              <Confirm
                label="Revoke"
                title={`Revoke ${name}?`}
                consequence={`Calls with ${ends_with ? `this key and ${ends_with}` : "this key"} will get 401, and browsers signed in with ${ends_with ? "them" : "it"} will be signed out. This cannot be undone.`}
                confirm={ends_with ? "Revoke 2 keys" : "Revoke key"}
                action={revokeKeyOf}
                fields={{ id }}
                successMessage={`${name} revoked`}
                className="button-text text-failed"
              />
            ),
        },
      ]}
      rows={keys}
    />
  );
}

function MadeBy({ registration_id, creator }: KeySummary) {
  const by = registration_id ? "an agent’s" : creator && `by ${creator}`;
  return by && <span className="flex-1 basis-0 truncate text-small text-muted">{by}</span>;
}
