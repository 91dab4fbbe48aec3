import type { ComponentProps, ReactNode } from "react";
import { signedInAs, visitor } from "@/app/_shared/session";
import { organizationsOf } from "@/app/(site)/_components/organizations";
import { SiteCard } from "@/components/site/card";
import { FormOwner } from "@/components/ui/action-form";
import type { Account } from "@/lib/identity/sessions/visitor";
import type { Audience, Scope } from "@/lib/platform/caller";
import { ConsentForm } from "./consent-form";
import { SwitchAccount } from "./switch-account";

/** The card of the authorization page. */
export function ConsentCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SiteCard icon="keys" kind="Connect a client" title={title} width="max-w-[28rem]">
      <div className="p-5 sm:p-6">{children}</div>
    </SiteCard>
  );
}

/** A fact that a person should know before they decide. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="wrap-anywhere text-muted">{children}</dd>
    </div>
  );
}

interface ConsentProps extends Pick<ComponentProps<typeof ConsentForm>, "action" | "request"> {
  clientName: string;
  account: Account;
  audience: Audience;
  scopes: Scope[];
  /** Where to return after a sign-in with another account. */
  here: string;
  /** The facts about the client. */
  children: ReactNode;
}

/** Asks a person whether a client may act for one of their organizations. */
export async function Consent(props: ConsentProps) {
  const { account, audience, scopes, here, children, ...form } = props;
  return (
    <ConsentCard title={`Connect ${form.clientName}?`}>
      <dl className="grid gap-2.5">
        {children}
        <Fact name="Reaches">
          Your organization’s resources, through {audience === "mcp" ? "MCP" : "the API"}
        </Fact>
        <Fact name="You are">{account.name}</Fact>
      </dl>
      <FormOwner owner={signedInAs(await visitor())}>
        <ConsentForm
          {...form}
          organizations={organizationsOf(account)}
          chosenId={account.organization.id}
          mayAskToWrite={scopes.includes("api.write")}
        />
      </FormOwner>
      <SwitchAccount here={here} />
    </ConsentCard>
  );
}

/** Asks the holder of an API key to sign in as a person. */
export function PersonNeeded({ account, here }: { account: Account; here: string }) {
  return (
    <ConsentCard title="Sign in with your email address">
      <p>
        You are signed in with the API key {account.name}. Only a person can let a client act for an
        organization.
      </p>
      <SwitchAccount here={here} />
    </ConsentCard>
  );
}
