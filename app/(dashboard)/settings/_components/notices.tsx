import { ActionForm, Submit } from "@/components/ui/action-form";
import { PageSection } from "@/components/ui/page-section";
import type { Caller } from "@/lib/platform/caller";
import { canSendMail } from "@/lib/platform/mail/send";
import { type NoticeKind, readNotices } from "@/lib/resources/notices/settings";
import { chooseNoticesOf } from "../actions";

const WORDS: Record<NoticeKind, string> = {
  messages: "A message failed and will not be retried",
  inboxes: "An inbox is nearly full",
  agents: "An agent is waiting to be claimed",
  questions: "A question is waiting for an answer (at once, at most 10 an hour)",
};

/** The choice of notices that a person gets by email, if they have an address. */
export async function Notices({ caller, email }: { caller: Caller; email: string | null }) {
  const chosen = await readNotices(caller);
  return (
    <PageSection id="notices" title="Notifications">
      {canSendMail() && email !== null ? (
        <ActionForm
          key={chosen.join()}
          action={chooseNoticesOf}
          className="grid gap-3 px-4 py-4 sm:px-6"
        >
          <fieldset className="grid gap-2">
            <legend className="mb-2 text-muted">
              Email <span className="wrap-anywhere text-ink">{email}</span> about this organization
              when:
            </legend>
            {Object.entries(WORDS).map(([kind, words]) => (
              <label key={kind} className="flex min-h-6 items-center gap-2">
                <input
                  type="checkbox"
                  name="kinds"
                  value={kind}
                  defaultChecked={chosen.some((one) => one === kind)}
                />
                {words}
              </label>
            ))}
          </fieldset>
          <p className="text-small text-muted">
            You get at most one email an hour about the first three. Every email has a link that
            stops them.
          </p>
          <div>
            <Submit className="button" successMessage="Saved">
              Save
            </Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="px-4 py-4 text-muted sm:px-6">
          {canSendMail()
            ? "Your account has no email address."
            : "Notifications need email, which this server has not configured (MAIL_TRANSPORT)."}
        </p>
      )}
    </PageSection>
  );
}
