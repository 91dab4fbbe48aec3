import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { InputField } from "@/components/ui/field";
import { formFields } from "@/components/ui/form-fields";
import {
  type SchemeName,
  schemes,
  TOLERANCE_SECONDS_DEFAULT,
  type WebhookVerification,
  WebhookVerificationPut,
} from "@/lib/resources/webhooks/verification/contract";

export const SCHEME_NAMES: Record<SchemeName, string> = {
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
  shopify: "Shopify",
  standard_webhooks: "Standard Webhooks",
  hmac: "Any HMAC-SHA256",
};

/** The schemes that also sign a time. */
const TIMED = (["stripe", "slack", "standard_webhooks"] as const).map((name) => SCHEME_NAMES[name]);

interface Props {
  endpointId: string;
  verification: WebhookVerification | null;
  action: FormAction;
}

/** Sets how events are verified. The secret is write-only. */
export function VerificationForm({ endpointId, verification, action }: Props) {
  const field = formFields(WebhookVerificationPut);
  const hmac = verification?.scheme === "hmac" ? verification : undefined;
  return (
    <ActionForm action={action} className="mt-3 grid gap-3 sm:grid-cols-2">
      <input type="hidden" name="id" value={endpointId} />
      {field("scheme", {
        label: "Sender",
        value: verification?.scheme ?? "github",
        options: schemes.map((scheme) => [scheme, SCHEME_NAMES[scheme]]),
      })}
      <InputField
        label="Secret"
        hint="Never shown again"
        name="secret"
        type="password"
        required
        autoComplete="off"
      />
      {field("header", {
        label: "Signature header",
        hint: "Any HMAC only",
        value: hmac?.header ?? "",
        placeholder: "X-Signature",
      })}
      {field("encoding", {
        hint: "Any HMAC only",
        value: hmac?.encoding ?? "hex",
        options: [
          ["hex", "Hex"],
          ["base64", "Base64"],
        ],
      })}
      {field("tolerance_seconds", {
        label: "Tolerance",
        hint: `Seconds; ${TIMED.join(", ")} only`,
        value: String(verification?.tolerance_seconds ?? ""),
        placeholder: String(TOLERANCE_SECONDS_DEFAULT),
      })}
      <div className="sm:col-span-2">
        <Submit>Save verification</Submit>
      </div>
    </ActionForm>
  );
}
