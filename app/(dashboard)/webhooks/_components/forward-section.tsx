import { useId } from "react";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { Fact, Facts } from "@/components/ui/facts";
import { InputField } from "@/components/ui/field";
import { formFields } from "@/components/ui/form-fields";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { type WebhookForward, WebhookForwardPut } from "@/lib/resources/webhooks/forward/contract";
import { type Outcomes, RECENT_EVENTS } from "@/lib/resources/webhooks/forward/outcomes";
import { reasonText } from "./outcome";
import { RecentOutcomes } from "./recent-outcomes";

interface Props {
  endpointId: string;
  forward: WebhookForward | null;
  outcomes: Outcomes;
  canWrite: boolean;
  /** To choose from. */
  inboxes: { id: string; name: string }[];
  actions: { set: FormAction; remove: FormAction };
}

/** Where an endpoint's events are forwarded, and the outcomes of the newest ones. */
export function ForwardSection(props: Props) {
  const { endpointId, forward, outcomes, canWrite, inboxes, actions } = props;
  const inbox = inboxes.find(({ id }) => id === forward?.inbox_id);
  return (
    <Section title="Forwarding">
      {forward ? (
        <Facts>
          <Fact name="To">
            {forward.inbox_id === null ? (
              <span className="font-mono text-small">{forward.url}</span>
            ) : (
              <Link
                href={`/inboxes/${forward.inbox_id}`}
                className={inbox ? "link" : "link font-mono text-small"}
              >
                {inbox?.name ?? forward.inbox_id}
              </Link>
            )}
          </Fact>
          {forward.header_names.length > 0 && (
            <Fact name="Headers">{forward.header_names.join(", ")}</Fact>
          )}
          {forward.text_field !== null && <Fact name="Text field">{forward.text_field}</Fact>}
          {forward.methods && <Fact name="Methods">{forward.methods.join(", ")}</Fact>}
          {forward.match && (
            <Fact name="Match">
              <span className="font-mono text-small">{JSON.stringify(forward.match)}</span>
            </Fact>
          )}
          {forward.held_count > 0 && (
            <Fact name="Waiting">
              {forward.held_count.toLocaleString("en")}: {reasonText(forward.held_reason)}
            </Fact>
          )}
          <Fact name={`Last ${RECENT_EVENTS}`}>
            <RecentOutcomes
              endpointId={endpointId}
              outcomes={outcomes}
              shown={["delivered", "queued", "retrying", "held", "skipped", "canceled", "failed"]}
            />
          </Fact>
        </Facts>
      ) : (
        <p className="text-muted">Events stay in this endpoint.</p>
      )}
      {canWrite && (
        <div className="mt-3 flex flex-wrap items-start gap-2">
          <details className="min-w-0 flex-1 basis-60">
            <summary className="button w-fit">
              {forward ? "Change forwarding" : "Forward events"}
            </summary>
            <ForwardForm
              // Remounts after each change, open and with the new settings.
              key={forward?.updated_at ?? 0}
              endpointId={endpointId}
              forward={forward}
              inboxes={inboxes}
              action={actions.set}
            />
          </details>
          {forward && (
            <Confirm
              label="Stop forwarding"
              title="Stop forwarding events?"
              consequence="Later events stay in this endpoint, as do those that are waiting."
              confirm="Stop forwarding"
              action={actions.remove}
              fields={{ id: endpointId }}
            />
          )}
        </div>
      )}
    </Section>
  );
}

function ForwardForm(
  props: Pick<Props, "endpointId" | "forward" | "inboxes"> & { action: FormAction },
) {
  const { endpointId, forward, inboxes, action } = props;
  const listId = useId();
  const field = formFields(WebhookForwardPut);
  return (
    <ActionForm action={action} className="mt-3 grid gap-3">
      <input type="hidden" name="id" value={endpointId} />
      <InputField
        label="To"
        hint="An inbox or a URL"
        name="to"
        list={listId}
        autoComplete="off"
        required
        defaultValue={forward?.inbox_id ?? forward?.url ?? ""}
        placeholder="inbox_… or https://example.com/hook"
      />
      <datalist id={listId}>
        {inboxes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      {field("methods", {
        hint: "Separated by commas; all if empty",
        value: forward?.methods?.join(", ") ?? "",
        placeholder: "POST",
      })}
      {field("match", {
        hint: "JSON, by header or JSON path; all if empty",
        value: forward?.match ? JSON.stringify(forward.match) : "",
        placeholder: '{"x-github-event": "push"}',
        look: "field font-mono",
      })}
      {field("headers", {
        label: "Headers for a URL",
        hint: "JSON. They are never shown again: enter them each time you save",
        value: "",
        placeholder: '{"Authorization": "Bearer …"}',
        look: "field font-mono",
        autoComplete: "off",
      })}
      {field("text_field", {
        hint: "The whole event if empty",
        value: forward?.text_field ?? "",
        placeholder: "text",
      })}
      <div>
        <Submit>Save forwarding</Submit>
      </div>
    </ActionForm>
  );
}
