import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { FormButtons } from "@/components/ui/form-buttons";
import { FormId } from "@/components/ui/form-id";
import { MAX_EVENTS_DEFAULT, type WebhookEndpoint } from "@/lib/webhooks/contract";

interface Props {
  action: FormAction;
  closeHref: string;
  /** Names this showing of the form for a new one. */
  formId?: string;
  /** The endpoint to edit and its ETag. */
  endpoint?: WebhookEndpoint;
  tag?: string;
}

/** Creates an endpoint, or changes one in place. */
export function EndpointForm({ action, closeHref, formId, endpoint, tag }: Props) {
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-3">
      {formId && <FormId id={formId} />}
      {endpoint && <input type="hidden" name="id" value={endpoint.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      <Field label="Name" className="sm:col-span-2">
        {(id) => (
          <input id={id} name="name" required defaultValue={endpoint?.name} className="field" />
        )}
      </Field>
      <Field label="Events kept" hint="1 to 10,000">
        {(id) => (
          <input
            id={id}
            name="max_events"
            inputMode="numeric"
            defaultValue={endpoint?.max_events ?? MAX_EVENTS_DEFAULT}
            className="field"
          />
        )}
      </Field>
      <Field label="Description" className="sm:col-span-3">
        {(id) => (
          <textarea
            id={id}
            name="description"
            rows={2}
            defaultValue={endpoint?.description ?? ""}
            className="field"
          />
        )}
      </Field>
      <FormButtons submit={endpoint ? "Save changes" : "Create endpoint"} closeHref={closeHref} />
    </ActionForm>
  );
}
