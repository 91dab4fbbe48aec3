import { Confirm } from "@/components/ui/confirm";
import { CountLine } from "@/components/ui/count-line";
import { EmptyState } from "@/components/ui/empty-state";
import { ACTIONS, type Column, TargetTable, timeColumn } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { NewButton } from "@/components/ui/new-button";
import { NoMatches } from "@/components/ui/no-matches";
import { PageSection } from "@/components/ui/page-section";
import { State } from "@/components/ui/state";
import type { GrantList, GrantSummary } from "@/lib/identity/keys/grants";
import type { KeySummary } from "@/lib/identity/keys/organization-keys";
import { revokeKeyOf } from "../actions";
import { Others } from "./others";

interface Props {
  keys: KeySummary[];
  grants: GrantList;
  isSearch: boolean;
  isCreating: boolean;
  /** Only people create and revoke keys. */
  isPerson: boolean;
  moreHref: string | undefined;
  /** The command with which an agent asks for a key. */
  registration: string;
}

/** The keys of the organization and the clients that members connected, or how to get one. */
export function Keys(props: Props) {
  const { keys, grants, isSearch, isCreating, isPerson, moreHref, registration } = props;
  return (
    <>
      {keys.length > 0 && <KeyTable keys={keys} canRevoke={isPerson} />}
      {isSearch && keys.length + grants.data.length === 0 && (
        <NoMatches noun="keys" allHref="/keys" />
      )}
      <LoadMore href={moreHref} />
      {keys.length === 0 && !isCreating && !isSearch && (
        <EmptyState
          title="No keys yet"
          text="What an agent creates with a key belongs to your organization and appears in its lists. An agent requests a key with this command, and you confirm with the code that we email you; the button creates one for you to hand over."
          command={registration}
          action={isPerson && <NewButton href="/keys?new=1">New key</NewButton>}
        />
      )}
      {grants.data.length > 0 && (
        <PageSection
          id="clients"
          title="Connected clients"
          intro="Programs that members have allowed to act for this organization."
        >
          <GrantTable grants={grants.data} canRevoke={isPerson} />
          <Others count={grants.others} />
        </PageSection>
      )}
    </>
  );
}

/** The organization's keys, by their first and last characters. */
function KeyTable({ keys, canRevoke }: { keys: KeySummary[]; canRevoke: boolean }) {
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

/** The OAuth clients that members have connected to the organization. */
function GrantTable(props: { grants: GrantSummary[]; canRevoke: boolean }) {
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
                consequence="Its tokens stop working at once. To use it again, connect it again from the client."
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

const TONES = { live: "ok", expired: "quiet", revoked: "quiet" } as const;

/** Whether a key, or a client's token, works. */
const stateColumn: Column<{ state: keyof typeof TONES }> = {
  name: "State",
  look: "",
  cell: ({ state }) => <State word={state} tone={TONES[state]} />,
};

/** What a key, or a client's token, may do. */
function permissions({ scopes }: { scopes: readonly string[] }): string {
  return scopes.includes("api.write") ? "read, write" : "read";
}

/** How often a key, or a client, was used on each of the last days. */
const usesColumn: Column<{ uses: number[] }> = {
  name: "Calls in 7 days",
  hidden: "max-lg:hidden",
  look: "",
  cell: ({ uses }) => {
    const total = uses.reduce((sum, count) => sum + count, 0);
    return (
      <span className="flex items-center gap-2">
        <CountLine counts={uses} span="7 days" each="a day" />
        {total > 0 && (
          <span className="text-small text-muted tabular-nums">{total.toLocaleString("en")}</span>
        )}
      </span>
    );
  },
};
