import { audit } from "@/lib/identity/audit/audit";
import { createOrganization } from "@/lib/identity/organizations/members";
import { normalizeEmail } from "@/lib/identity/people/email";
import { mailCode } from "@/lib/identity/people/mail-code";
import { activateCode } from "@/lib/identity/people/otp";
import { prepareCode } from "@/lib/identity/people/prepare-code";
import { type Scope, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { type Commit, together } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { canSendMail } from "@/lib/platform/mail/send";
import { check, invalidRequest, readObject } from "./body";
import { claimMail } from "./claim-mail";
import {
  type AnonymousRegistered,
  type ProviderRegistered,
  RegisterAnonymous,
  RegisterAssertion,
  RegisterServiceAuth,
  type ServiceAuthRegistered,
} from "./contract";
import { credentialTypeOf, issueCredential } from "./credentials";
import { countRegistration, countValidRegistration } from "./limits";
import { registerWithAssertion } from "./register-assertion";
import { auditCreated, createClaimable } from "./registrations";

const READ_ONLY: Scope[] = ["api.read"];

type Document = Record<string, unknown>;

/** Registers an agent by the flow named in the body's `type`. */
export async function register(
  request: HttpRequest,
  commit: Commit,
): Promise<AnonymousRegistered | ServiceAuthRegistered | ProviderRegistered> {
  const document = await readObject(request).catch(async (error) => {
    await countRegistration(request, undefined);
    throw error;
  });
  await countRegistration(request, document.type);
  const ip = clientAddress(request);
  switch (document.type) {
    case "anonymous":
      return registerAnonymously(document, ip, commit);
    case "service_auth":
      return registerByMail(document, ip, commit);
    case "identity_assertion":
      assertEnabled("identity_assertion");
      return registerWithAssertion(check(RegisterAssertion, document), ip, commit);
    default:
      throw invalidRequest(
        '"type" must be "anonymous", "service_auth" or "identity_assertion".',
        "type",
      );
  }
}

/** The flows that are enabled and configured. */
export function enabledFlows() {
  const { anonymous, serviceAuth, providers } = config().agentAuth;
  return {
    anonymous,
    identity_assertion: providers.length > 0,
    service_auth: serviceAuth && canSendMail(),
  };
}

/** Issues a read-only key at once; a later claim can add an owner and the write scope. */
async function registerAnonymously(
  document: Document,
  ip: string | null,
  commit: Commit,
): Promise<AnonymousRegistered> {
  assertEnabled("anonymous");
  const body = check(RegisterAnonymous, document);
  const kind = credentialTypeOf(body.requested_credential_type, ["api_key"]);
  await countValidRegistration("anonymous", ip);
  const store = together(async (tx): Promise<AnonymousRegistered> => {
    const id = newId("reg");
    const organizationId = await createOrganization(tx, `Agent ${id}`, null);
    const registration = { type: "anonymous", credentialType: kind, organizationId } as const;
    const ticket = await createClaimable(tx, { ...registration, id, ip });
    const grant = { organizationId, registrationId: id, kind, scopes: READ_ONLY };
    const credential = await issueCredential(tx, grant);
    await auditCreated(tx, id, organizationId, "anonymous", ip);
    return {
      registration_id: id,
      registration_type: "anonymous",
      ...credential,
      ...claimFields(ticket),
    };
  });
  return commit(store);
}

/** Mails the user a code. Completing the claim with it gives the agent its credential. */
async function registerByMail(
  document: Document,
  ip: string | null,
  commit: Commit,
): Promise<ServiceAuthRegistered> {
  assertEnabled("service_auth");
  const body = check(RegisterServiceAuth, document);
  const kind = credentialTypeOf(body.requested_credential_type);
  const loginHint = loginHintOf(body.login_hint);
  await countValidRegistration("identified", ip);
  const id = newId("reg");
  const code = await transaction((tx) =>
    prepareCode(tx, { purpose: "claim", subject: id, email: loginHint, client: { ip } }),
  );
  await mailCode(code, ip, (digits, shownIp) => claimMail(loginHint, digits, shownIp));
  // Stored only once the mail was accepted, so that a refused mail leaves no registration.
  const store = together(async (tx): Promise<ServiceAuthRegistered> => {
    const registration = { type: "service_auth", credentialType: kind, loginHint } as const;
    const ticket = await createClaimable(tx, { ...registration, id, ip, attemptId: code.id });
    await activateCode(tx, "claim", code.id);
    await auditCreated(tx, id, null, "service_auth", ip);
    await audit(tx, { action: "otp.generated", actor: id, registrationId: id, ip });
    return {
      registration_id: id,
      registration_type: "service_auth",
      claim_attempt_id: code.id,
      otp_expires: code.expiresAt,
      ...claimFields(ticket),
    };
  });
  return commit(store);
}

function assertEnabled(flow: keyof ReturnType<typeof enabledFlows>) {
  if (enabledFlows()[flow]) return;
  const message = `Registration of type ${flow} is not enabled.`;
  throw new ApiError(`${flow}_not_enabled`, message, { param: "type" });
}

function loginHintOf(value: unknown): string {
  if (value === undefined) throw invalidRequest('"login_hint" is required.', "login_hint");
  const email = typeof value === "string" ? normalizeEmail(value) : undefined;
  if (email !== undefined) return email;
  throw new ApiError("invalid_login_hint", '"login_hint" must be one email address.', {
    param: "login_hint",
  });
}

function claimFields(ticket: { claimToken: string; claimTokenExpires: number }) {
  return {
    claim_url: `${config().baseUrl}/api/agent/auth/claim`,
    claim_token: ticket.claimToken,
    claim_token_expires: ticket.claimTokenExpires,
    post_claim_scopes: [...scopes],
  };
}
