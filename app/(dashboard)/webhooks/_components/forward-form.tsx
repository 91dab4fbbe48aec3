import { ActionForm, Submit } from "@/components/ui/action-form";
import { Draft } from "@/components/ui/draft";
import { InputField, SelectField } from "@/components/ui/field";
import { formFields } from "@/components/ui/form-fields";
import { InitialValue } from "@/components/ui/initial-value";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { type WebhookForward, WebhookForwardPut } from "@/lib/resources/webhooks/forward/contract";
import { CONDITIONS_MAX, type MatchConditions } from "@/lib/resources/webhooks/forward/match";
import { setForward } from "../flow-actions";
import { MatchRules } from "./match-rules";

/** Shows a field only with the target that needs it. */
const FOR_URL = "hidden group-has-[option[value=url]:checked]:block";
const FOR_NEW = "hidden group-has-[option[value=new]:checked]:block";

interface Props {
  endpoint: { id: string; name: string };
  forward: WebhookForward | null;
  /** The tag of `forward`; empty without one. */
  tag: string;
  /** To choose from; undefined for an endpoint without an owner, which no inbox of theirs may have. */
  inboxes: { id: string; name: string }[] | undefined;
}

/** Sets where an endpoint's events go, and which of them. */
export function ForwardForm({ endpoint, forward, tag, inboxes }: Props) {
  const field = formFields(WebhookForwardPut);
  const current = forward?.inbox_id;
  const isListed = !current || inboxes?.some(({ id }) => id === current);
  return (
    <ActionForm
      action={setForward}
      className="group mt-3 grid gap-3"
      formId={crypto.randomUUID()}
      fields={{ id: endpoint.id }}
    >
      <UnsavedGuard />
      {/* Without the version: after a conflict it survives the reload that shows the newer one. */}
      <Draft of="forward" />
      <InitialValue name="tag" value={tag} />
      {inboxes && (
        <SelectField
          label="To"
          name="inbox_id"
          defaultValue={forward ? (current ?? "url") : (inboxes[0]?.id ?? "new")}
          options={[
            ...(isListed ? [] : [current]),
            ...inboxes.map(({ id, name }) => [id, name] as const),
            ["new", "A new inbox"],
            ["url", "A URL"],
          ]}
        />
      )}
      {inboxes && (
        <InputField
          className={FOR_NEW}
          label="New inbox"
          name="name"
          maxLength={200}
          autoComplete="off"
          defaultValue={endpoint.name}
        />
      )}
      <InputField
        {...(inboxes && { className: FOR_URL })}
        label="URL"
        hint="Or the ID of an inbox"
        name="url"
        autoComplete="off"
        defaultValue={forward?.url ?? (inboxes ? "" : (current ?? ""))}
        placeholder="https://example.com/hook"
      />
      {field("methods", {
        hint: "Separated by commas; all if empty",
        value: forward?.methods?.join(", ") ?? "",
        placeholder: "POST",
      })}
      <MatchRules match={(forward?.match ?? null) as MatchConditions | null} max={CONDITIONS_MAX} />
      {field("headers", {
        ...(inboxes && { className: FOR_URL }),
        label: "Headers",
        hint: "JSON. They are never shown again: enter them each time you save",
        value: "",
        placeholder: '{"Authorization": "Bearer …"}',
        look: "field font-mono",
        autoComplete: "off",
        "data-secret": true,
      })}
      {field("text_field", {
        ...(inboxes && { className: FOR_URL }),
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
