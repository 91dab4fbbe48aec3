import { ActionForm, Submit } from "@/components/ui/action-form";
import { InputField } from "@/components/ui/field";
import { formFields } from "@/components/ui/form-fields";
import { InitialValue } from "@/components/ui/initial-value";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import {
  type SchemeName,
  schemes,
  TOLERANCE_SECONDS_DEFAULT,
  type WebhookVerification,
  WebhookVerificationPut,
} from "@/lib/resources/webhooks/verification/contract";
import { setVerification } from "../flow-actions";

export const SCHEME_NAMES: Record<SchemeName, string> = {
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
  shopify: "Shopify",
  standard_webhooks: "Standard Webhooks",
  hmac: "Any HMAC-SHA256",
};

/** Where the sender shows its secret. */
const SECRETS: [scheme: SchemeName, words: string, look: string][] = [
  [
    "github",
    "What you enter as “Secret” in the settings of the webhook at GitHub.",
    "group-has-[option[value=github]:checked]:block",
  ],
  [
    "stripe",
    "The signing secret of the endpoint in Stripe’s dashboard. It begins with whsec_.",
    "group-has-[option[value=stripe]:checked]:block",
  ],
  [
    "slack",
    "The “Signing Secret” under “Basic Information” of the Slack app.",
    "group-has-[option[value=slack]:checked]:block",
  ],
  [
    "shopify",
    "The client secret of the Shopify app, or what Shopify shows below the list of webhooks.",
    "group-has-[option[value=shopify]:checked]:block",
  ],
  [
    "standard_webhooks",
    "The sender’s signing secret. It begins with whsec_.",
    "group-has-[option[value^=standard]:checked]:block",
  ],
  [
    "hmac",
    "The key with which the sender makes an HMAC-SHA256 of the body.",
    "group-has-[option[value=hmac]:checked]:block",
  ],
];

/** Shows a field with the schemes that also sign a time, or with "Any HMAC-SHA256". */
const TIMED =
  "hidden group-has-[option[value=stripe]:checked]:block group-has-[option[value=slack]:checked]:block group-has-[option[value^=standard]:checked]:block";
const HMAC = "hidden group-has-[option[value=hmac]:checked]:block";

interface Props {
  endpointId: string;
  verification: WebhookVerification | null;
  /** The tag of `verification`; empty without one. */
  tag: string;
}

/** Sets how events are verified. The secret is write-only. */
export function VerificationForm({ endpointId, verification, tag }: Props) {
  const field = formFields(WebhookVerificationPut);
  const hmac = verification?.scheme === "hmac" ? verification : undefined;
  return (
    <ActionForm
      action={setVerification}
      className="group mt-3 grid gap-3 sm:grid-cols-2"
      fields={{ id: endpointId }}
    >
      <UnsavedGuard />
      <InitialValue name="tag" value={tag} />
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
      <div className="text-small text-muted sm:col-span-2">
        {SECRETS.map(([scheme, words, look]) => (
          <p key={scheme} className={`hidden ${look}`}>
            {words}
          </p>
        ))}
      </div>
      {field("header", {
        className: HMAC,
        label: "Signature header",
        value: hmac?.header ?? "",
        placeholder: "X-Signature",
      })}
      {field("encoding", {
        className: HMAC,
        value: hmac?.encoding ?? "hex",
        options: [
          ["hex", "Hex"],
          ["base64", "Base64"],
        ],
      })}
      {field("tolerance_seconds", {
        className: TIMED,
        label: "Tolerance",
        hint: "seconds",
        value: String(verification?.tolerance_seconds ?? ""),
        placeholder: String(TOLERANCE_SECONDS_DEFAULT),
      })}
      <div className="sm:col-span-2">
        <Submit>Save verification</Submit>
      </div>
    </ActionForm>
  );
}
