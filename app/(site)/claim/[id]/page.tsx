import type { Metadata } from "next";
import type { ReactNode } from "react";
import { queryParam } from "@/app/_shared/query";
import { type ResourcePage, readIfAllowed, titleOf } from "@/app/_shared/resources";
import { signedInAs, visitor } from "@/app/_shared/session";
import { switchOrganization } from "@/app/(dashboard)/_frame/actions";
import { organizationsOf } from "@/app/(site)/_components/organizations";
import { SiteCard } from "@/components/site/card";
import { ActionForm, FormOwner, Submit } from "@/components/ui/action-form";
import { Icon } from "@/components/ui/icon";
import type { Account } from "@/lib/identity/sessions/visitor";
import { anonymous } from "@/lib/platform/caller";
import type { Claimed } from "@/lib/resources/claims/contract";
import { claimStateOf } from "@/lib/resources/claims/service";
import { listClaimedTogether } from "@/lib/resources/claims/set";
import { kindOf } from "@/lib/resources/kinds";
import { endpointId } from "@/lib/resources/webhooks/kind";
import { ClaimForm } from "../_components/claim-form";
import { Covered, OtherClaim } from "../_components/covered";
import { Summary } from "../_components/summary";

type ClaimLine = Claimed["data"][number];

export const metadata: Metadata = { title: "Claim", robots: { index: false } };

export default async function ClaimPage({ params, searchParams }: ResourcePage) {
  const id = endpointId((await params).id);
  const { account } = await visitor();
  const found = await claimStateOf(id);
  const icon = kindOf(id)?.name ?? "keys";
  switch (found.state) {
    case "unclaimable":
      return (
        <Notice icon={icon} title="This cannot be claimed" id={id}>
          {found.message} Check the claim link that your agent gave you.
        </Notice>
      );
    case "missing":
      return (
        <Notice icon={icon} title={`This ${found.noun} does not exist`} id={id}>
          It was deleted, or it expired without being claimed. Or the ID was not copied in full; IDs
          are case-sensitive.
          <OtherClaim id={id} isGone />
        </Notice>
      );
    case "owned": {
      const search = await searchParams;
      const claimed = queryParam(search, "claimed") === "1";
      const next = queryParam(search, "next");
      const { noun, organizationId: owner } = found;
      const together = owner === null ? [] : await listClaimedTogether(id, owner);
      return <Owned {...{ id, icon, account, claimed, noun, owner, together, next }} />;
    }
    case "open":
      return <Open {...{ id, icon, account }} noun={found.noun} />;
  }
}

interface StateProps {
  id: string;
  icon: Parameters<typeof SiteCard>[0]["icon"];
  noun: string;
  account: Account | null;
}

async function Open({ id, icon, noun, account }: StateProps) {
  const resource = await readIfAllowed(anonymous, id);
  return (
    <SiteCard
      icon={icon}
      kind={`A public ${noun}`}
      title={titleOf(resource ?? {}) ?? `Claim this ${noun}`}
      id={id}
    >
      <div className="px-5 py-4 sm:px-6">
        <p className="mb-3">
          An agent created this without an account, so it is public: anyone who knows its ID can
          read, change and delete it.
        </p>
        {resource && <Summary resource={resource} />}
      </div>
      {account ? (
        <FormOwner owner={signedInAs(await visitor())}>
          <ClaimForm
            id={id}
            noun={noun}
            organizations={organizationsOf(account)}
            chosenId={account.organization.id}
          />
        </FormOwner>
      ) : (
        <>
          <Covered id={id} noun={noun} />
          <div className="rounded-b-lg border-t border-line bg-surface px-5 py-4 sm:px-6">
            <a
              href={`/sign-in?next=/claim/${encodeURIComponent(id)}`}
              className="button button-primary min-h-9 w-full"
            >
              Sign in to claim
            </a>
            <p className="mt-2 text-center text-small text-muted">
              All you need is an email address. You will return here, and this tab keeps the token.
            </p>
          </div>
        </>
      )}
    </SiteCard>
  );
}

interface OwnedProps extends StateProps {
  owner: string | null;
  claimed: boolean;
  /** The resources claimed with the same token. */
  together: ClaimLine[];
  /** The page to open, if it is not the resource's. */
  next: string | undefined;
}

function Owned(props: OwnedProps) {
  const { id, icon, noun, account, owner, claimed, together, next } = props;
  const path = `/${kindOf(id)?.name}/${id}`;
  const mine = account
    ? organizationsOf(account).find((organization) => organization.id === owner)
    : undefined;
  if (mine && account) {
    const others = together.filter((line) => line.id !== id);
    const what =
      others.length > 0 ? `this ${noun} and ${others.length} more are` : `this ${noun} is`;
    const title = claimed ? `Claimed: ${what} yours` : `T${what.slice(1)} already yours`;
    return (
      <Notice icon={icon} title={title} id={id}>
        {others.length > 0 ? "They belong" : "It belongs"} to {mine.name}. Only its members and keys
        can open {others.length > 0 ? "them" : "it"}.
        {together.some((line) => line.id === id && line.changed_since_created) &&
          ` The ${noun} was changed before the claim: review it.`}
        {mine.id === account.organization.id && <Others lines={others} />}
        {mine.id === account.organization.id ? (
          <a href={path} className="button button-primary mt-4 flex">
            Open the {noun}
          </a>
        ) : (
          <ActionForm
            action={switchOrganization}
            className="mt-4"
            fields={{ organization: mine.id, to: next ?? path }}
          >
            <Submit>Switch to {mine.name}</Submit>
          </ActionForm>
        )}
        <OtherClaim id={id} />
      </Notice>
    );
  }
  return (
    <Notice icon={icon} title={`This ${noun} has an owner`} id={id}>
      {account
        ? "Another organization claimed it, or created it with a key, so it can no longer be claimed. If it should be yours, ask the person who gave you the link."
        : "It has already been claimed. If that was you, sign in to see it."}
      {!account && (
        <a href={`/sign-in?next=/claim/${encodeURIComponent(id)}`} className="button mt-4 flex">
          Sign in
        </a>
      )}
      <OtherClaim id={id} />
    </Notice>
  );
}

function Others({ lines }: { lines: ClaimLine[] }) {
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Claimed with it" className="mt-3 grid gap-2">
      {lines.map((line) => {
        const kind = kindOf(line.id);
        return (
          <li key={line.id} className="flex gap-2">
            {kind && <Icon name={kind.name} className="mt-0.75" />}
            <span className="min-w-0 wrap-anywhere">
              <a href={`/${kind?.name}/${line.id}`} className="link">
                {line.name}
              </a>
              {line.changed_since_created && (
                <span className="block text-small">Changed before the claim: review it.</span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Notice(props: {
  icon: StateProps["icon"];
  title: string;
  id: string;
  children: ReactNode;
}) {
  return (
    <SiteCard icon={props.icon} kind="Claim" title={props.title} id={props.id}>
      <div className="p-5 text-muted sm:p-6">{props.children}</div>
    </SiteCard>
  );
}
