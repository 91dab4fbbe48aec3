import { Confirm } from "@/components/ui/confirm";
import { ACTIONS, TargetTable, timeColumn } from "@/components/ui/list-table";
import type { GrantSummary } from "@/lib/identity/keys/grants";
import { revokeKeyOf } from "../actions";
import { permissions, stateColumn, usesColumn } from "./columns";

/** The OAuth clients that members have connected to the organization. */
export function GrantTable(props: { grants: GrantSummary[]; canRevoke: boolean }) {
  const { grants, canRevoke } = props;
  return (
    <TargetTable
      columns={[
        {
          name: "Client",
          look: "list-main",
          cell: ({ name, client_host, person }) => (
            <span className="flex min-w-0 items-baseline gap-2">
              <span className="truncate font-medium">{name}</span>
              <span className="truncate text-small text-muted">
                {client_host}
                {person && `, by ${person}`}
              </span>
            </span>
          ),
        },
        {
          name: "Permissions",
          cell: (grant) => `${permissions(grant)} ${grant.audience === "mcp" ? "(MCP)" : "(API)"}`,
        },
        usesColumn,
        timeColumn("Last used", "last_used_at"),
        timeColumn("Connected", "created_at", "max-xl:hidden"),
        stateColumn,
        {
          ...ACTIONS,
          cell: ({ id, name, state }) =>
            canRevoke &&
            state === "live" && (
              <Confirm
                label="Disconnect"
                title={`Disconnect ${name}?`}
                consequence="Its tokens end at once. To use it again, connect it again from the client."
                confirm="Disconnect client"
                action={revokeKeyOf}
                fields={{ id }}
                successMessage={`${name} disconnected`}
                className="button-text text-failed"
              />
            ),
        },
      ]}
      rows={grants}
    />
  );
}
