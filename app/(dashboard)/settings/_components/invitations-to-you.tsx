import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { PageSection } from "@/components/ui/page-section";
import type { Invitation } from "@/lib/accounts/invitations";

/** The invitations to the person. */
export function InvitationsToYou(props: { invitations: Invitation[]; action: FormAction }) {
  if (props.invitations.length === 0) return null;
  return (
    <PageSection title="You are invited">
      <ul className="max-w-[46rem]">
        {props.invitations.map(({ id, organizationName }) => (
          <li key={id} className="border-b border-line px-4 py-3 sm:px-6">
            <ActionForm action={props.action}>
              <input type="hidden" name="id" value={id} />
              <div className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 flex-1 font-medium wrap-anywhere">{organizationName}</span>
                <Submit
                  name="answer"
                  value="join"
                  successMessage={`You are a member of ${organizationName}`}
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
    </PageSection>
  );
}
