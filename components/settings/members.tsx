import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import { Time } from "@/components/ui/time";
import type { Invitation } from "@/lib/accounts/invitations";
import type { MemberShown } from "@/lib/accounts/organization";

interface Props {
  members: MemberShown[];
  invitations: Invitation[];
  self: string;
  canRemove: boolean;
  canInvite: boolean;
  actions: { invite: FormAction; withdraw: FormAction; remove: FormAction };
}

/** Who belongs to the organization, and who is invited. */
export function Members({ members, invitations, self, canRemove, canInvite, actions }: Props) {
  return (
    <div className="max-w-[46rem]">
      <ul>
        {members.map(({ userId, email, role, joinedAt }) => (
          <li
            key={userId}
            className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 sm:px-6"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              {email ?? userId}
              {userId === self && <span className="text-muted"> (you)</span>}
            </span>
            <span className="text-small text-muted">
              {role}, <Time unix={joinedAt} />
            </span>
            {(canRemove || userId === self) && (members.length > 1 || userId !== self) && (
              <Confirm
                id={`remove-${userId}`}
                label={userId === self ? "Leave" : "Remove"}
                title={userId === self ? "Leave this organization?" : `Remove ${email ?? userId}?`}
                consequence="What the organization owns stays. Its keys go on working, also those that this person made."
                confirm={userId === self ? "Leave" : "Remove member"}
                action={actions.remove}
                fields={{ id: userId }}
                className="text-small text-failed hover:underline"
              />
            )}
          </li>
        ))}
        {invitations.map(({ id, email, expiresAt }) => (
          <li key={id} className="border-b border-line px-4 py-2 sm:px-6">
            <ActionForm action={actions.withdraw}>
              <input type="hidden" name="id" value={id} />
              <div className="flex flex-wrap items-center gap-x-3">
                <span className="min-w-0 flex-1 wrap-anywhere text-muted">{email}</span>
                <span className="text-small text-muted">
                  invited, ends <Time unix={expiresAt} />
                </span>
                <Submit className="text-small text-failed hover:underline">Withdraw</Submit>
              </div>
            </ActionForm>
          </li>
        ))}
      </ul>
      {canInvite ? (
        <ActionForm action={actions.invite} className="px-4 py-4 sm:px-6">
          <div className="flex flex-wrap items-end gap-2">
            <Field label="Invite by e-mail" className="min-w-0 flex-1">
              {(id) => <input id={id} type="email" name="email" required className="field" />}
            </Field>
            <Submit className="button">Send invitation</Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="px-4 py-4 text-muted sm:px-6">
          Invitations go by mail, and this server sends none (MAIL_TRANSPORT).
        </p>
      )}
    </div>
  );
}
