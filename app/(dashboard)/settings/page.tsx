import type { Metadata } from "next";
import type { ReactNode } from "react";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { switchOrganization } from "@/app/(dashboard)/_frame/actions";
import { InvitationsToYou } from "@/app/(dashboard)/_shared/invitations-to-you";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { BufferedView } from "@/components/ui/buffered-view";
import { CopyText } from "@/components/ui/copy";
import { InputField } from "@/components/ui/field";
import { LiveList } from "@/components/ui/live-list";
import { LiveSwitch } from "@/components/ui/live-switch";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { canSendMail } from "@/lib/platform/mail/send";
import { lastRotation, signingKeyOf } from "@/lib/resources/messages/signing-secret";
import { readNotices } from "@/lib/resources/notices/settings";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { Deletions } from "./_components/deletions";
import { KeySession } from "./_components/key-session";
import { readLists } from "./_components/lists";
import { Members } from "./_components/members";
import { Notices } from "./_components/notices";
import { Sessions } from "./_components/sessions";
import { SigningSecretForm } from "./_components/signing-secret";
import { Subscriptions } from "./_components/subscriptions";
import { YourOrganizations } from "./_components/your-organizations";
import {
  changeRoleOf,
  chooseNoticesOf,
  createOrganization,
  createSubscription,
  deleteSubscription,
  endEverySession,
  endOneSession,
  inviteMember,
  removeMemberOf,
  renameOrganization,
  rotateSecret,
  showSigningSecret,
  withdrawInvitation,
} from "./actions";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller, account } = await requireSignIn(withQuery("/settings", params));
  const words = queryParam(params, "q") || undefined;
  const { organization } = account;
  const lists = await readLists(caller);
  const live = { shown: lists.version, ids: lists.ids, isSearch: words !== undefined };
  if (caller.kind !== "user") {
    const scopes = caller.kind === "key" ? caller.scopes : [];
    return (
      <LiveSettings {...live}>
        <KeySession account={account} scopes={scopes} />
        <ChangeSubscriptions caller={caller} subscriptions={lists.subscriptions} />
        {mayWrite(caller) && <SigningSecret caller={caller} />}
      </LiveSettings>
    );
  }
  const { members, invitations, toYou, sessions } = lists;
  const notices = await readNotices(caller);
  const self = members.find(({ user_id }) => user_id === caller.userId);
  return (
    <LiveSettings {...live}>
      <InvitationsToYou invitations={toYou} />
      <PageSection title="Organization">
        <div className="grid max-w-[46rem] gap-4 px-4 py-4 sm:px-6">
          {self?.role === "owner" ? (
            <ActionForm action={renameOrganization}>
              <div className="flex flex-wrap items-end gap-2">
                <InputField
                  label="Name"
                  className="min-w-0 flex-1"
                  name="name"
                  required
                  maxLength={100}
                  defaultValue={organization.name}
                />
                <Submit className="button" successMessage="Renamed">
                  Rename
                </Submit>
              </div>
            </ActionForm>
          ) : (
            <p>{organization.name}</p>
          )}
          <p className="text-muted">
            ID <CopyText text={organization.id} />
          </p>
        </div>
      </PageSection>
      <YourOrganizations
        hereId={organization.id}
        organizations={account.memberships}
        formId={crypto.randomUUID()}
        switchTo={switchOrganization}
        create={createOrganization}
      />
      <PageSection id="members" title="Members" intro={`${members.length}`}>
        <Members
          members={members}
          invitations={invitations}
          words={words}
          self={caller.userId}
          isOwner={self?.role === "owner"}
          canInvite={canSendMail()}
          formId={crypto.randomUUID()}
          actions={{
            invite: inviteMember,
            withdraw: withdrawInvitation,
            changeRole: changeRoleOf,
            remove: removeMemberOf,
          }}
        />
      </PageSection>
      <PageSection id="notices" title="Notices">
        <Notices
          key={notices.join()}
          chosen={notices}
          email={self?.user.email ?? null}
          canSend={canSendMail()}
          action={chooseNoticesOf}
        />
      </PageSection>
      <ChangeSubscriptions caller={caller} subscriptions={lists.subscriptions} />
      {mayWrite(caller) && <SigningSecret caller={caller} />}
      <PageSection title="Sessions" intro={`${sessions.length}`}>
        <Sessions
          sessions={sessions}
          hereId={account.sessionId}
          endOne={endOneSession}
          endAll={endEverySession}
        />
      </PageSection>
      <PageSection title="Delete">
        <Deletions organization={self?.role === "owner" ? organization.name : null} />
      </PageSection>
    </LiveSettings>
  );
}

interface LiveProps {
  shown: string;
  ids: string[];
  isSearch: boolean;
  children: ReactNode;
}

function LiveSettings({ shown, ids, isSearch, children }: LiveProps) {
  return (
    <LiveList href={isSearch ? undefined : "/settings/live"} shown={shown}>
      <PageHeader title="Settings" count={<LiveSwitch />} />
      <BufferedView view={{ ids, content: children }} />
    </LiveList>
  );
}

function ChangeSubscriptions(props: { caller: Caller; subscriptions: Subscription[] }) {
  const { caller, subscriptions } = props;
  return (
    <PageSection title="Subscriptions" intro="Where changes to your resources are pushed">
      <Subscriptions
        subscriptions={subscriptions}
        canWrite={mayWrite(caller)}
        formId={crypto.randomUUID()}
        actions={{ create: createSubscription, remove: deleteSubscription }}
      />
    </PageSection>
  );
}

async function SigningSecret({ caller }: { caller: Caller }) {
  // After a rotation the form no longer shows the old secret.
  const version = await lastRotation(caller);
  return (
    <PageSection title="Signing secret">
      <SigningSecretForm
        key={version}
        show={showSigningSecret}
        rotate={rotateSecret}
        publicKey={signingKeyOf(caller)}
      />
    </PageSection>
  );
}
