import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { InputField, SelectField } from "@/components/ui/field";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
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
  const isHmac = verification?.scheme === "hmac";
  return (
    <ActionForm action={action} className="mt-3 grid gap-3 sm:grid-cols-2">
      <input type="hidden" name="id" value={endpointId} />
      <SelectField label="Sender" name="scheme" defaultValue={verification?.scheme ?? "github"}>
        {schemes.map((scheme) => (
          <option key={scheme} value={scheme}>
            {SCHEME_NAMES[scheme]}
          </option>
        ))}
      </SelectField>
      <InputField
        label="Secret"
        hint="Never shown again"
        name="secret"
        type="password"
        required
        autoComplete="off"
      />
      <InputField
        label="Signature header"
        hint="Any HMAC only"
        name="header"
        title={sentenceOf(WebhookVerificationPut, "header")}
        defaultValue={isHmac ? verification.header : ""}
        placeholder="X-Signature"
      />
      <SelectField
        label="Encoding"
        hint="Any HMAC only"
        name="encoding"
        title={sentenceOf(WebhookVerificationPut, "encoding")}
        defaultValue={isHmac ? verification.encoding : "hex"}
      >
        <option value="hex">Hex</option>
        <option value="base64">Base64</option>
      </SelectField>
      <InputField
        label="Tolerance"
        hint={`Seconds; ${TIMED.join(", ")} only`}
        name="tolerance_seconds"
        title={sentenceOf(WebhookVerificationPut, "tolerance_seconds")}
        type="number"
        min={1}
        defaultValue={verification?.tolerance_seconds ?? ""}
        placeholder={String(TOLERANCE_SECONDS_DEFAULT)}
      />
      <div className="sm:col-span-2">
        <Submit>Save verification</Submit>
      </div>
    </ActionForm>
  );
}
