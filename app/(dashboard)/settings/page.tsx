import type { Metadata } from "next";
import type { ReactNode } from "react";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { InvitationsToYou } from "@/app/(dashboard)/_shared/invitations-to-you";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { BufferedView } from "@/components/ui/buffered-view";
import { CopyText } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LiveList } from "@/components/ui/live-list";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { Pills } from "@/components/ui/pills";
import { Toolbar } from "@/components/ui/toolbar";
import type { Account } from "@/lib/identity/sessions/visitor";
import type { Scope } from "@/lib/platform/caller";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { signingKeyOf } from "@/lib/resources/messages/signing-secret";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { readLists } from "./_components/lists";
import { Members } from "./_components/members";
import { Notices } from "./_components/notices";
import { Sessions } from "./_components/sessions";
import { SigningSecretForm } from "./_components/signing-secret";
import { Subscriptions } from "./_components/subscriptions";
import { YourOrganizations } from "./_components/your-organizations";
import { renameOrganization } from "./actions";

export const metadata: Metadata = { title: "Settings" };

/** The tabs by the value of the query parameter `tab`; the first has none. */
const TABS = {
  organization: "Organization",
  notices: "Notifications",
  developers: "Developers",
  you: "You",
} as const;
type Tab = keyof typeof TABS;

export default async function SettingsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller, account } = await requireSignIn(withQuery("/settings", params));
  const words = queryParam(params, "q") || undefined;
  const lists = await readLists(caller);
  const live = { shown: lists.version, ids: lists.ids, isSearch: words !== undefined };
  if (caller.kind !== "user") {
    const scopes = caller.kind === "key" ? caller.scopes : [];
    return (
      <LiveSettings {...live}>
        <KeySession account={account} scopes={scopes} />
        <ForDevelopers caller={caller} {...lists} />
      </LiveSettings>
    );
  }
  const { members, invitations, toYou, sessions, memberships } = lists;
  const wanted = queryParam(params, "tab");
  const chosen = (Object.keys(TABS) as Tab[]).find((one) => one === wanted) ?? "organization";
  const self = members.find(({ user_id }) => user_id === caller.userId);
  const isOwner = self?.role === "owner";
  const content = {
    organization: () => (
      <>
        <ThisOrganization organization={account.organization} isOwner={isOwner} />
        <PageSection id="members" title="Members" intro={`${members.length}`}>
          <Members
            members={members}
            invitations={invitations}
            words={words}
            self={caller.userId}
            isOwner={isOwner}
          />
        </PageSection>
        {isOwner && (
          <Deletion of="organization">
            The organization “{account.organization.name}”, with everything that it owns
          </Deletion>
        )}
      </>
    ),
    notices: () => <Notices caller={caller} email={self?.user.email ?? null} />,
    developers: () => <ForDevelopers caller={caller} {...lists} />,
    you: () => (
      <>
        <YourOrganizations hereId={account.organization.id} organizations={memberships} />
        <PageSection title="Sessions" intro={`${sessions.length}`}>
          <Sessions sessions={sessions} hereId={account.sessionId} />
        </PageSection>
        <Deletion of="account">
          Your account, and the organizations of which you are the only member
        </Deletion>
      </>
    ),
  } satisfies Record<Tab, () => ReactNode>;
  return (
    <LiveSettings
      {...live}
      tabs={
        <Pills
          label="Settings"
          pills={Object.entries(TABS).map(([tab, name], index) => ({
            name,
            href: index === 0 ? "/settings" : `/settings?tab=${tab}`,
            chosen: tab === chosen,
          }))}
        />
      }
      chosen={chosen}
    >
      <InvitationsToYou invitations={toYou} />
      {content[chosen]()}
    </LiveSettings>
  );
}

interface LiveProps {
  shown: string;
  ids: string[];
  isSearch: boolean;
  tabs?: ReactNode;
  chosen?: string;
  children: ReactNode;
}

function LiveSettings({ shown, ids, isSearch, tabs, chosen, children }: LiveProps) {
  const content = <div className="max-w-[46rem]">{children}</div>;
  return (
    <LiveList href={isSearch ? undefined : "/settings/live"} shown={shown}>
      <PageHeader title="Settings">
        <Toolbar>{tabs}</Toolbar>
      </PageHeader>
      <BufferedView key={chosen} view={{ ids, content }} />
    </LiveList>
  );
}

function ThisOrganization(props: { organization: Account["organization"]; isOwner: boolean }) {
  const { id, name } = props.organization;
  return (
    <PageSection title="Organization">
      <div className="grid gap-4 px-4 py-4 sm:px-6">
        {props.isOwner ? (
          <ActionForm action={renameOrganization}>
            <div className="flex flex-wrap items-end gap-2">
              <InputField
                label="Name"
                className="min-w-0 flex-1"
                name="name"
                required
                maxLength={100}
                defaultValue={name}
              />
              <Submit className="button" successMessage="Renamed">
                Rename
              </Submit>
            </div>
          </ActionForm>
        ) : (
          <p>{name}</p>
        )}
        <p id={id} className="text-muted">
          ID <CopyText text={id} />
        </p>
      </div>
    </PageSection>
  );
}

/** A link to the page that deletes the account or the organization, which the children describe. */
function Deletion(props: { of: "account" | "organization"; children: ReactNode }) {
  return (
    <PageSection title="Delete">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{props.children}</span>
        <Link href={`/settings/delete-${props.of}`} className="button button-danger">
          Delete {props.of}
        </Link>
      </p>
    </PageSection>
  );
}

function ForDevelopers(props: {
  caller: Caller;
  subscriptions: Subscription[];
  /** When the signing secret was rotated. */
  rotatedAt: number | null;
}) {
  const { caller, subscriptions, rotatedAt } = props;
  return (
    <>
      <Subscriptions caller={caller} subscriptions={subscriptions} />
      {mayWrite(caller) && (
        <PageSection title="Signing secret">
          {/* After a rotation the form no longer shows the old secret. */}
          <SigningSecretForm key={rotatedAt} publicKey={signingKeyOf(caller)} />
        </PageSection>
      )}
    </>
  );
}

/** The settings of a session that signed in with an API key. */
function KeySession({ account, scopes }: { account: Account; scopes: readonly Scope[] }) {
  const { name, organization } = account;
  return (
    <PageSection title="This session">
      <div className="grid gap-4 px-4 py-4 sm:px-6">
        <p className="text-muted">
          You are signed in with an API key. To manage members, sessions and keys, sign in with your
          email address.
        </p>
        <Facts>
          <Fact name="Organization">{organization.name}</Fact>
          <Fact name="ID">
            <CopyText text={organization.id} />
          </Fact>
          <Fact name="Key">{name}</Fact>
          <Fact name="Access">
            {scopes.includes("api.write")
              ? "read and write everything the organization owns"
              : "read everything the organization owns"}{" "}
            <code className="font-mono text-small text-muted">{scopes.join(" ")}</code>
          </Fact>
          <Fact name="Ends">when you sign out, or when the key is revoked or expires</Fact>
        </Facts>
      </div>
    </PageSection>
  );
}
