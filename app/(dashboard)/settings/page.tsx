import type { Metadata } from "next";
import { requireSignIn } from "@/app/_shared/session";
import { switchOrganization } from "@/app/(dashboard)/_frame/actions";
import { InvitationsToYou } from "@/app/(dashboard)/_shared/invitations-to-you";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { CopyText } from "@/components/ui/copy";
import { Field } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { listInvitations, listReceivedInvitations } from "@/lib/accounts/invitations";
import { listMembers } from "@/lib/accounts/organization";
import { listSessions } from "@/lib/accounts/sessions";
import { type Caller, mayWrite } from "@/lib/caller";
import { canSendMail } from "@/lib/mail/send";
import { lastRotation } from "@/lib/messages/signing-secret";
import { readNotices } from "@/lib/notices/settings";
import { SUBSCRIPTIONS_MAX } from "@/lib/subscriptions/contract";
import { list } from "@/lib/subscriptions/service";
import { Deletions } from "./_components/deletions";
import { KeySession } from "./_components/key-session";
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

export default async function SettingsPage() {
  const { caller, account } = await requireSignIn("/settings");
  const { organization } = account;
  if (caller.kind !== "user") {
    const scopes = caller.kind === "key" ? caller.scopes : [];
    return (
      <>
        <PageHeader title="Settings" />
        <KeySession account={account} scopes={scopes} />
        <ChangeSubscriptions caller={caller} />
        {mayWrite(caller) && <SigningSecret caller={caller} />}
      </>
    );
  }
  const [members, invitations, toYou, sessions, notices] = await Promise.all([
    listMembers(caller),
    listInvitations(caller),
    listReceivedInvitations(caller),
    listSessions(caller.userId),
    readNotices(caller),
  ]);
  const self = members.find(({ userId }) => userId === caller.userId);
  return (
    <>
      <PageHeader title="Settings" />
      <InvitationsToYou invitations={toYou} />
      <PageSection title="Organization">
        <div className="grid max-w-[46rem] gap-4 px-4 py-4 sm:px-6">
          {self?.role === "owner" ? (
            <ActionForm action={renameOrganization}>
              <div className="flex flex-wrap items-end gap-2">
                <Field label="Name" className="min-w-0 flex-1">
                  {(id) => (
                    <input
                      id={id}
                      name="name"
                      required
                      maxLength={100}
                      defaultValue={organization.name}
                      className="field"
                    />
                  )}
                </Field>
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
          email={self?.email ?? null}
          canSend={canSendMail()}
          action={chooseNoticesOf}
        />
      </PageSection>
      <ChangeSubscriptions caller={caller} />
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
    </>
  );
}

async function ChangeSubscriptions({ caller }: { caller: Caller }) {
  const { data } = await list(caller, { limit: SUBSCRIPTIONS_MAX });
  return (
    <PageSection title="Subscriptions" intro="Where changes of your resources are pushed">
      <Subscriptions
        subscriptions={data}
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
      <SigningSecretForm key={version} show={showSigningSecret} rotate={rotateSecret} />
    </PageSection>
  );
}
