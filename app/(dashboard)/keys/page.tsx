import type { Metadata } from "next";
import Link from "next/link";
import { one, type SearchParams } from "@/app/address";
import { countOf, moreHref, readShown } from "@/app/listing";
import { signedIn } from "@/app/session";
import { AgentTable } from "@/components/keys/agent-table";
import { AuditList } from "@/components/keys/audit-list";
import { CreateKeyForm } from "@/components/keys/create-key-form";
import { KeyTable } from "@/components/keys/key-table";
import { Command } from "@/components/ui/command";
import { Icon } from "@/components/ui/icon";
import { LoadMore } from "@/components/ui/load-more";
import { PageHeader } from "@/components/ui/page-header";
import { Part } from "@/components/ui/part";
import { listAgents, listAudit } from "@/lib/accounts/activity";
import { listKeys } from "@/lib/accounts/organization-keys";
import { config } from "@/lib/config";
import { createKey, revokeKeyOf } from "./actions";

export const metadata: Metadata = { title: "Keys & agents" };

export default async function KeysPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const creating = one(params, "new") === "1";
  const { caller } = await signedIn("/keys");
  const [keys, agents, events] = await Promise.all([
    listKeys(caller),
    listAgents(caller),
    readShown(params, (page) => listAudit(caller, page)),
  ]);
  const { baseUrl } = config();
  const live = keys.filter(({ state }) => state === "live").length;
  const isPerson = caller.kind === "user";
  return (
    <>
      <PageHeader
        title="Keys & agents"
        count={`${live} live of ${keys.length}`}
        action={
          isPerson && (
            <Link href="/keys?new=1" prefetch={false} className="button button-primary">
              <Icon name="plus" />
              New key
            </Link>
          )
        }
      />
      {creating && isPerson && (
        <section aria-label="New key" className="border-b border-line bg-surface px-4 py-4 sm:px-6">
          <div className="max-w-[46rem]">
            <CreateKeyForm action={createKey} formId={crypto.randomUUID()} baseUrl={baseUrl} />
          </div>
        </section>
      )}
      {keys.length > 0 ? (
        <KeyTable keys={keys} revoke={isPerson ? revokeKeyOf : undefined} />
      ) : (
        <p className="px-4 py-6 text-muted sm:px-6">
          No keys yet. A key makes what an agent creates your organization’s, and lists it here.
        </p>
      )}
      <Part
        id="agents"
        title="Agents"
        intro="They registered themselves, and hold keys of this organization."
      >
        {agents.length > 0 ? (
          <AgentTable agents={agents} />
        ) : (
          <div className="max-w-[46rem] px-4 py-4 sm:px-6">
            <p className="mb-3 text-muted">
              No agent has registered here. One that has nothing but your address gets a key of this
              organization so; you confirm it with the code that you are mailed:
            </p>
            <Command>{`curl ${baseUrl}/api/agent/auth -d '{"type": "service_auth", "login_hint": "you@example.com"}'`}</Command>
          </div>
        )}
      </Part>
      <Part title="Log" intro={countOf(events)}>
        {events.data.length > 0 ? (
          <>
            <AuditList events={events.data} />
            <LoadMore href={moreHref("/keys", {}, params, events)} />
          </>
        ) : (
          <p className="px-4 py-4 text-muted sm:px-6">Nothing has happened yet.</p>
        )}
      </Part>
    </>
  );
}
