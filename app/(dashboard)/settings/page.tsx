import type { Metadata } from "next";
import { signedIn } from "@/app/session";
import { InvitationsToYou } from "@/components/settings/invitations-to-you";
import { Members } from "@/components/settings/members";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyText } from "@/components/ui/copy";
import { Field } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { Part } from "@/components/ui/part";
import { invitationsTo, listInvitations } from "@/lib/accounts/invitations";
import { listMembers } from "@/lib/accounts/organization";
import { canSendMail } from "@/lib/mail/send";
import {
  answer,
  endEverySession,
  inviteMember,
  removeMemberOf,
  renameOrganization,
  withdrawInvitation,
} from "./actions";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { caller, account } = await signedIn("/settings");
  const { organization } = account;
  const [members, invitations, toYou] = await Promise.all([
    listMembers(caller),
    listInvitations(caller),
    invitationsTo(caller),
  ]);
  if (caller.kind !== "user") {
    return (
      <>
        <PageHeader title="Settings" />
        <p className="px-4 py-6 text-muted sm:px-6">
          You are signed in with an API key of {organization.name}. Members and settings are for
          people: sign in with your e-mail address.
        </p>
      </>
    );
  }
  const self = members.find(({ userId }) => userId === caller.userId);
  return (
    <>
      <PageHeader title="Settings" />
      <InvitationsToYou invitations={toYou} action={answer} />
      <Part title="Organization">
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
                <Submit className="button">Rename</Submit>
              </div>
            </ActionForm>
          ) : (
            <p>{organization.name}</p>
          )}
          <p className="text-muted">
            ID <CopyText text={organization.id} />
          </p>
        </div>
      </Part>
      <Part title="Members" intro={`${members.length}`}>
        <Members
          members={members}
          invitations={invitations}
          self={caller.userId}
          canRemove={self?.role === "owner"}
          canInvite={canSendMail()}
          actions={{
            invite: inviteMember,
            withdraw: withdrawInvitation,
            remove: removeMemberOf,
          }}
        />
      </Part>
      <Part title="Sessions">
        <div className="flex max-w-[46rem] flex-wrap items-center justify-between gap-3 px-4 py-4 sm:px-6">
          <p className="text-muted">
            A browser stays signed in for a week after its last visit, 30 days at most.
          </p>
          <Confirm
            id="end-sessions"
            label="End all sessions"
            title="End all your sessions?"
            consequence="Every browser in which you are signed in is signed out, this one too. API keys go on working."
            confirm="End all sessions"
            action={endEverySession}
            fields={{}}
          />
        </div>
      </Part>
    </>
  );
}
