import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { InputField, SelectField } from "@/components/ui/field";
import { NoMatches } from "@/components/ui/no-matches";
import { SearchBox } from "@/components/ui/search-box";
import { Time } from "@/components/ui/time";
import type { Invitation } from "@/lib/identity/organizations/invitations";
import type { MemberSummary } from "@/lib/identity/organizations/organization";
import { canSendMail } from "@/lib/platform/mail/send";
import { changeRoleOf, inviteMember, removeMemberOf, withdrawInvitation } from "../actions";

interface Props {
  members: MemberSummary[];
  invitations: Invitation[];
  /** Shows only members whose address or ID contains this. */
  words: string | undefined;
  self: string;
  /** Owners manage members and roles. */
  isOwner: boolean;
}

/** Fewer rows need no search. */
const SEARCHED_MIN = 10;

/** The organization's members and invitations. */
export function Members(props: Props) {
  const { members, invitations, words, isOwner } = props;
  const wanted = words?.toLowerCase() ?? "";
  const matches = (...texts: (string | null)[]) =>
    texts.some((text) => text?.toLowerCase().includes(wanted));
  const people = members.filter(({ user, user_id }) => matches(user.email, user_id));
  const invited = invitations.filter(({ email, id }) => matches(email, id));
  return (
    <div>
      {(words || members.length + invitations.length >= SEARCHED_MIN) && (
        <div className="border-b border-line px-4 py-3 sm:px-6">
          <SearchBox
            label="Search members"
            value={words ?? ""}
            action="/settings#members"
            keep={{}}
          />
        </div>
      )}
      <ul>
        {people.map((member) => (
          <Member key={member.user_id} {...props} member={member} />
        ))}
        {invited.map((invitation) => (
          <Invited key={invitation.id} {...props} invitation={invitation} />
        ))}
      </ul>
      {people.length + invited.length === 0 && (
        <NoMatches noun="members" allHref="/settings#members" />
      )}
      {canSendMail() ? (
        <ActionForm
          action={inviteMember}
          className="px-4 py-4 sm:px-6"
          formId={crypto.randomUUID()}
        >
          <div className="flex flex-wrap items-end gap-2">
            <InputField
              label="Invite by email"
              className="min-w-0 flex-1 basis-56"
              type="email"
              name="email"
              required
            />
            {isOwner && (
              <SelectField label="Role" name="role" defaultValue="member" options={ROLES} />
            )}
            <Submit className="button" successMessage="Invitation sent">
              Send invitation
            </Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="px-4 py-4 text-muted sm:px-6">
          Invitations need email, which this server has not configured (MAIL_TRANSPORT).
        </p>
      )}
    </div>
  );
}

function Member({ member, members, self, isOwner }: Props & { member: MemberSummary }) {
  const { user_id, user, role, created_at } = member;
  const isSelf = user_id === self;
  const who = isSelf ? "you" : "they";
  const other = role === "owner" ? "member" : "owner";
  const mayGo = (isOwner || isSelf) && (members.length > 1 || !isSelf);
  return (
    <li id={user_id} className={ROW}>
      <span className={WHO}>
        {user.email}
        {isSelf && <span className="text-muted"> (you)</span>}
        <span className="block text-small text-muted">
          {role}, joined <Time unix={created_at} />
        </span>
      </span>
      {isOwner && !isSelf && (
        <ActionForm action={changeRoleOf} fields={{ id: user_id }}>
          <Submit className={QUIET} name="role" value={other}>
            Make {other}
          </Submit>
        </ActionForm>
      )}
      {mayGo && (
        <Confirm
          label={isSelf ? "Leave" : "Remove"}
          title={isSelf ? "Leave this organization?" : `Remove ${user.email}?`}
          consequence={`Keys that ${who} created, agents that ${who} claimed and clients that ${who} connected stop working at once, and invitations that ${who} sent are withdrawn. The organization keeps its resources.`}
          confirm={isSelf ? "Leave" : "Remove member"}
          action={removeMemberOf}
          fields={{ id: user_id }}
          className={DANGER}
        />
      )}
    </li>
  );
}

function Invited({ invitation, isOwner }: Props & { invitation: Invitation }) {
  const { id, email, role, invited_by, expires_at } = invitation;
  return (
    <li id={id} className={ROW}>
      <span className={`text-muted ${WHO}`}>
        {email}
        <span className="block text-small">
          invited as {role} by {invited_by?.email}, expires <Time unix={expires_at} />
        </span>
      </span>
      {canSendMail() && (isOwner || role === "member") && (
        <ActionForm action={inviteMember} formId={crypto.randomUUID()} fields={{ email, role }}>
          <Submit className={QUIET} successMessage={`Invitation sent to ${email} again`}>
            Send again
          </Submit>
        </ActionForm>
      )}
      <ActionForm action={withdrawInvitation} fields={{ id }}>
        <Submit className={DANGER}>Withdraw</Submit>
      </ActionForm>
    </li>
  );
}

const ROLES = [
  ["member", "Member"],
  ["owner", "Owner"],
] as const;
/** On a narrow screen the actions are below each other. */
const ROW =
  "flex items-center gap-x-3 border-b border-line px-4 py-2 target:bg-surface max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:justify-items-end sm:px-6";
const WHO = "min-w-0 flex-1 wrap-anywhere max-sm:row-span-2 max-sm:justify-self-stretch";
const QUIET = "button-text text-muted hover:text-ink";
const DANGER = "button-text text-failed";
