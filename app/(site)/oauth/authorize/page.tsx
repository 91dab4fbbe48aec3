import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { SearchParams } from "@/app/_shared/query";
import { visitor } from "@/app/_shared/session";
import {
  type Authorization,
  checkAuthorization,
  isTooLong,
} from "@/lib/identity/oauth/authorization";
import { clientHost } from "@/lib/identity/oauth/clients";
import { Consent, ConsentCard, Fact, PersonNeeded } from "../_components/card";
import { decide } from "./actions";

export const metadata: Metadata = { title: "Connect a client", robots: { index: false } };

interface Props {
  searchParams: Promise<SearchParams>;
}

/** The authorization endpoint (RFC 6749 §3.1): asks a person whether a client may act for them. */
export default async function AuthorizePage({ searchParams }: Props) {
  const query = queryOf(await searchParams);
  if (isTooLong(String(query))) return <Refusal problem="The request is too long." />;
  const { caller, account } = await visitor();
  const here = `/oauth/authorize?${query}`;
  // Only a signed-in person's request may make the server fetch a client's document.
  if (!account) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  if (caller.kind !== "user") return <PersonNeeded account={account} here={here} />;
  const checked = await checkAuthorization(query, caller.userId);
  if (!checked.valid) {
    const { problem, back } = checked;
    return (
      <Refusal problem={problem}>
        {back && (
          <a href={back.url} className="button mt-4 inline-flex" rel="noreferrer">
            Return to {back.client.name}
          </a>
        )}
      </Refusal>
    );
  }
  const { client, redirectUri, audience, scopes } = checked.valid;
  const target = clientHost("", redirectUri);
  return (
    <Consent
      action={decide}
      request={String(query)}
      clientName={client.name}
      account={account}
      audience={audience}
      scopes={scopes}
      here={here}
    >
      <Fact name="Client">
        <strong className="font-semibold text-ink">{clientHost(client.id, redirectUri)}</strong>{" "}
        {IDENTITY[client.kind]}
      </Fact>
      <Fact name="Returns to">
        <strong className="font-semibold text-ink">{target}</strong>
        {target === "this computer" && ": continue only if you started this here, just now"}
      </Fact>
    </Consent>
  );
}

/** How far the shown name and host can be trusted. */
const IDENTITY: Record<Authorization["client"]["kind"], string> = {
  document: "– verified: the client is described at this address. It chose its own name.",
  registered: "– not verified: the client registered itself and chose its own name.",
  own: "– the command line of this service.",
};

function Refusal({ problem, children }: { problem: string; children?: ReactNode }) {
  return (
    <ConsentCard title="This client cannot be connected">
      <p role="alert" className="wrap-anywhere">
        {problem}
      </p>
      <p className="mt-2 text-muted">
        The client sent an invalid request, so no access was granted. Tell its developer.
      </p>
      {children}
    </ConsentCard>
  );
}

/** The query as it was sent, including repeated parameters. */
function queryOf(params: SearchParams): URLSearchParams {
  const pairs = Object.entries(params).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs);
}
