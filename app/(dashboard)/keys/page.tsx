import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, moreHref } from "@/app/(dashboard)/_shared/listing";
import { BufferedView } from "@/components/ui/buffered-view";
import { Command } from "@/components/ui/command";
import { curl } from "@/components/ui/curl";
import { EmptyState } from "@/components/ui/empty-state";
import { LiveList } from "@/components/ui/live-list";
import { LiveSwitch } from "@/components/ui/live-switch";
import { LoadMore } from "@/components/ui/load-more";
import { NewButton } from "@/components/ui/new-button";
import { NoMatches } from "@/components/ui/no-matches";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { SearchBox } from "@/components/ui/search-box";
import { config } from "@/lib/platform/config/config";
import { AgentTable } from "./_components/agent-table";
import { AuditList } from "./_components/audit-list";
import { CreateKeyForm } from "./_components/create-key-form";
import { GrantTable } from "./_components/grant-table";
import { KeyTable } from "./_components/key-table";
import { moreKeys, readLists, searchesOf, shownParams } from "./_components/lists";
import { claimAgentOf, createKey, revokeAgentOf, revokeKeyOf } from "./actions";

export const metadata: Metadata = { title: "Keys & agents" };

export default async function KeysPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const creating = queryParam(params, "new") === "1";
  const { caller, account } = await requireSignIn(withQuery("/keys", params));
  const { q, log } = searchesOf(params);
  const lists = await readLists(caller, params);
  const { grants, agents, events } = lists;
  const keys = lists.keys.data;
  const { baseUrl } = config();
  const live = keys.filter(({ state }) => state === "live").length;
  const mayHaveMoreLive = lists.keys.has_more && live === keys.length;
  const isPerson = caller.kind === "user";
  const owns = account.memberships.some(
    ({ organizationId, role }) => organizationId === account.organization.id && role === "owner",
  );
  const registration = curl(`${baseUrl}/api/agent/auth`, {
    key: false,
    body: { type: "service_auth", login_hint: isPerson ? account.name : "you@example.com" },
  });
  const isSearch = q !== undefined || log !== undefined;
  const showsNothing = [keys, grants, agents].every(({ length }) => length === 0);
  const more = moreKeys(params, lists.keys);
  const content = (
    <>
      {keys.length > 0 && <KeyTable keys={keys} revoke={isPerson ? revokeKeyOf : undefined} />}
      {q && showsNothing && <NoMatches noun="keys" allHref={withQuery("/keys", { log })} />}
      <LoadMore href={more && withQuery("/keys", more)} />
      {keys.length === 0 && !creating && !q && (
        <EmptyState
          title="No keys yet"
          text="What an agent creates with a key belongs to your organization and appears in its lists. An agent requests a key with this command, and you confirm with the code that we email you; the button creates one for you to hand over."
          command={registration}
          action={isPerson && <NewButton href="/keys?new=1">New key</NewButton>}
        />
      )}
      {grants.length > 0 && (
        <PageSection
          id="clients"
          title="Connected clients"
          intro="Members let them act for this organization."
        >
          <GrantTable grants={grants} revoke={isPerson ? revokeKeyOf : undefined} />
        </PageSection>
      )}
      {(agents.length > 0 || !q) && (
        <PageSection
          id="agents"
          title="Agents"
          intro="They registered themselves, and have a key of this organization or ask for one."
        >
          {agents.length > 0 ? (
            <AgentTable
              agents={agents}
              claim={owns ? claimAgentOf : undefined}
              revoke={isPerson ? revokeAgentOf : undefined}
            />
          ) : (
            <div className="max-w-[46rem] px-4 py-4 sm:px-6">
              <p className="mb-3 text-muted">
                No agent has registered here. An agent that knows your email address can ask for a
                key of this organization with this command. You confirm with the code that we email
                you.
              </p>
              <Command>{registration}</Command>
            </div>
          )}
        </PageSection>
      )}
      {events && (
        <PageSection title="Log" intro={countOf(events)}>
          {(events.data.length > 0 || log) && (
            <div className="border-b border-line px-4 py-3 sm:px-6">
              <SearchBox label="Search the log" name="log" value={log ?? ""} keep={{ q }} />
            </div>
          )}
          {events.data.length > 0 && <AuditList events={events.data} />}
          {events.data.length === 0 &&
            (log ? (
              <NoMatches noun="entries" allHref={withQuery("/keys", { q })} />
            ) : (
              <p className="px-4 py-4 text-muted sm:px-6">Nothing has happened yet.</p>
            ))}
          <LoadMore href={moreHref("/keys", { q, log }, params, events)} />
        </PageSection>
      )}
    </>
  );
  const ids = [keys, grants, agents, events?.data ?? []].flatMap((list) =>
    list.map(({ id }) => id),
  );
  return (
    <LiveList
      href={creating || isSearch ? undefined : withQuery("/keys/live", shownParams(params))}
      shown={lists.version}
    >
      <PageHeader
        title="Keys & agents"
        count={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <span>
              {q
                ? countOf(lists.keys)
                : `${live}${mayHaveMoreLive ? "+" : ""} live of ${lists.keys.total_count}`}
            </span>
            <LiveSwitch />
          </span>
        }
        action={
          isPerson && (
            <NewButton href="/keys?new=1" primary>
              New key
            </NewButton>
          )
        }
      >
        <SearchBox label="Search keys and agents" value={q ?? ""} keep={{ log }} />
      </PageHeader>
      {creating && isPerson && (
        <section aria-label="New key" className="border-b border-line bg-surface px-4 py-4 sm:px-6">
          <div className="max-w-[46rem]">
            <CreateKeyForm action={createKey} formId={crypto.randomUUID()} baseUrl={baseUrl} />
          </div>
        </section>
      )}
      <BufferedView view={{ ids, content }} />
    </LiveList>
  );
}
