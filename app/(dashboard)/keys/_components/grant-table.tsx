import type { FormAction } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { GrantSummary } from "@/lib/identity/keys/grants";

const TONES = { live: "ok", expired: "quiet", revoked: "quiet" } as const;

/** The OAuth clients that members have connected to the organization. */
export function GrantTable(props: { grants: GrantSummary[]; revoke: FormAction | undefined }) {
  const { grants, revoke } = props;
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Client</th>
          <th scope="col">Permissions</th>
          <th scope="col">Last used</th>
          <th scope="col" className="max-lg:hidden">
            Connected
          </th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <tr key={grant.id} id={grant.id} className="target:bg-surface">
            <td className="list-main">
              <span className="flex min-w-0 items-baseline gap-2">
                <span className="truncate font-medium">{grant.name}</span>
                <span className="truncate text-small text-muted">
                  {grant.client_host}
                  {grant.person && `, by ${grant.person}`}
                </span>
              </span>
            </td>
            <td className="text-small text-muted">
              {grant.scopes.includes("api.write") ? "read, write" : "read"}{" "}
              {grant.audience === "mcp" ? "(MCP)" : "(API)"}
            </td>
            <td data-label="Last used" className="text-small text-muted tabular-nums">
              <Time unix={grant.last_used_at} />
            </td>
            <td className="text-small text-muted tabular-nums max-lg:hidden">
              <Time unix={grant.created_at} />
            </td>
            <td>
              <State word={grant.state} tone={TONES[grant.state]} />
            </td>
            <td className="text-right">
              {revoke && grant.state === "live" && (
                <Confirm
                  label="Disconnect"
                  title={`Disconnect ${grant.name}?`}
                  consequence="Its tokens end at once. To use it again, connect it again from the client."
                  confirm="Disconnect client"
                  action={revoke}
                  fields={{ id: grant.id }}
                  successMessage={`${grant.name} disconnected`}
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
