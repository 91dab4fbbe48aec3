import { ActionForm, Submit } from "@/components/ui/action-form";
import { PageSection } from "@/components/ui/page-section";
import { Time } from "@/components/ui/time";
import { type Invitation, RECEIVED_SHOWN_MAX } from "@/lib/identity/organizations/invitations";
import { answer } from "./answer-invitation";

export function InvitationsToYou({ invitations }: { invitations: Invitation[] }) {
  if (invitations.length === 0) return null;
  const shown = invitations.slice(0, RECEIVED_SHOWN_MAX);
  return (
    <PageSection title="You are invited">
      <ul>
        {shown.map(({ id, organization, role, invited_by: by, expires_at }) => (
          <li key={id} className="border-b border-line px-4 py-3 sm:px-6">
            <ActionForm action={answer} className="max-w-[46rem]" fields={{ id }}>
              <div className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
                  <bdi className="font-medium">{organization.name}</bdi>
                  <span className="block text-small text-muted">
                    {by?.email} invited you as {role === "owner" ? "an owner" : "a member"}; the
                    invitation expires <Time unix={expires_at} />
                  </span>
                </span>
                <Submit
                  name="answer"
                  value="join"
                  successMessage={`You are a member of ${organization.name}`}
                >
                  Join
                </Submit>
                <Submit name="answer" value="decline" className="button">
                  Decline
                </Submit>
              </div>
            </ActionForm>
          </li>
        ))}
      </ul>
      {shown.length < invitations.length && (
        <p className="px-4 py-3 text-muted sm:px-6">Answer some of these to see the older ones.</p>
      )}
    </PageSection>
  );
}
