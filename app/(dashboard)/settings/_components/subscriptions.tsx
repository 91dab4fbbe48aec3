import { ActionForm, Submit } from "@/components/ui/action-form";
import { DeleteButton } from "@/components/ui/delete-button";
import { ExportLink } from "@/components/ui/export-link";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { PageSection } from "@/components/ui/page-section";
import { Time } from "@/components/ui/time";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { kinds } from "@/lib/resources/kinds";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { titlesOf } from "@/lib/resources/titles";
import { createSubscription, deleteSubscription } from "../actions";

interface Props {
  caller: Caller;
  subscriptions: Subscription[];
}

const REASONS = {
  inbox_full: "held back: the inbox is full",
  too_many_pending: "held back: too many messages have not been delivered",
  callback_failed:
    "held back: the callback failed; it continues once its client renews the subscription",
};

/** The targets to which the organization's changes are pushed. */
export async function Subscriptions({ caller, subscriptions }: Props) {
  const inboxIds = subscriptions.map(({ inbox_id }) => inbox_id).filter((id) => id !== null);
  const titles = await titlesOf(caller, inboxIds);
  const canWrite = mayWrite(caller);
  return (
    <PageSection title="Subscriptions" intro="Where changes to your resources are pushed">
      <ul>
        {subscriptions.map((subscription) => (
          <li
            key={subscription.id}
            id={subscription.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 sm:px-6"
          >
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              {subscription.inbox_id === null ? (
                <span className="font-mono text-small">{subscription.url}</span>
              ) : (
                <Link href={`/inboxes/${subscription.inbox_id}`} className="link">
                  {titles.get(subscription.inbox_id) ?? subscription.inbox_id}
                </Link>
              )}
              <span className="block text-small text-muted">
                {whatOf(subscription)}, since <Time unix={subscription.created_at} />
              </span>
              {subscription.held_reason && (
                <span className="block text-small text-failed">
                  {REASONS[subscription.held_reason]}
                </span>
              )}
            </span>
            {canWrite && (
              <DeleteButton
                className="button-text text-failed"
                noun="subscription"
                consequence="Later changes will not be pushed. Messages that are still to be sent are canceled."
                action={deleteSubscription}
                fields={{ id: subscription.id }}
                successMessage="Deleted"
              />
            )}
          </li>
        ))}
      </ul>
      {subscriptions.length > 0 && (
        <p className="px-4 pt-4 sm:px-6">
          <ExportLink list="subscriptions" />
        </p>
      )}
      {canWrite && (
        <ActionForm
          action={createSubscription}
          className="grid gap-3 px-4 py-4 sm:px-6"
          formId={crypto.randomUUID()}
        >
          <InputField
            label="URL or inbox ID"
            name="target"
            required
            maxLength={2000}
            placeholder="https://example.com/hook"
          />
          <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
            <legend className="mb-1 text-small text-muted">
              Changes to these resources, or to all if you choose none
            </legend>
            {kinds.map(({ name, title }) => (
              <label key={name} className="flex items-center gap-2">
                <input type="checkbox" name="kinds" value={name} />
                {title}
              </label>
            ))}
          </fieldset>
          <div>
            <Submit className="button" successMessage="Subscribed">
              Subscribe
            </Submit>
          </div>
        </ActionForm>
      )}
    </PageSection>
  );
}

function whatOf({ kinds, actions, event }: Subscription): string {
  if (event !== null) return `${event} for an MCP client`;
  const of = kinds === null ? "all kinds" : kinds.join(", ");
  return actions === null ? of : `${of}: ${actions.join(", ").replaceAll("_", " ")}`;
}
