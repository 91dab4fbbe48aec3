import type { AuditEntry } from "@/lib/identity/audit/activity";

/** The sentence of each action in the audit log; {…} is replaced by the entry's data. */
const AUDIT_WORDS: Record<string, string> = {
  "registration.created": "The agent {who} registered",
  "registration.expired": "The registration of {who} expired",
  "registration.revoked": "{who} revoked an agent",
  "claim.requested": "The agent {who} asked {email} to claim it",
  "resources.claimed": "{who} claimed {first}",
  "claim.confirmed": "{who} claimed an agent",
  "otp.generated": "A code was sent for {who}",
  "otp.failed": "A wrong code was entered for {who}",
  "key.created": "{who} created the key {key}",
  "key.revoked": "{who} revoked the key {key}",
  "key.rotated": "{who} was replaced by the key {key}",
  "grant.created": "{who} connected the client {key}",
  "grant.revoked": "{who} disconnected the client {key}",
  "member.invited": "{who} invited {email}",
  "invitation.withdrawn": "{who} withdrew the invitation of {email}",
  "member.joined": "{who} joined",
  "member.removed": "{who} removed {user}",
  "member.role_changed": "{who} gave {user} the role {role}",
  "organization.created": "{who} created the organization {name}",
  "organization.renamed": "{who} renamed the organization to {name}",
  "session.started": "{who} signed in",
  "share.created": "{who} created a share link for {artifact}",
  "subscription.created": "{who} subscribed to changes, pushed to {to}",
  "subscription.deleted": "{who} deleted the subscription {subscription}",
  "webhook.verification_set": "{who} set how {endpoint} verifies its events",
  "webhook.verification_removed": "{who} stopped the verification of {endpoint}",
  "webhook.forward_set": "{who} forwarded the events of {endpoint} to {to}",
  "webhook.forward_removed": "{who} stopped forwarding the events of {endpoint}",
  "webhook.replay_started": "{who} replayed the events of {endpoint} to {to}",
  "signing_secret.rotated": "{who} rotated the signing secret",
  "signing_secret.shown": "{who} read the signing secret",
};

export function wordsOf({ action, actor, data }: Pick<AuditEntry, "action" | "actor" | "data">) {
  if (action === "member.removed" && data.user === actor) return "{who} left";
  const words = AUDIT_WORDS[action] ?? `{who}: ${action}`;
  const others = action === "resources.claimed" ? Number(data.count) - 1 : 0;
  return others > 0 ? `${words} and ${others.toLocaleString("en")} more` : words;
}

/** The actions whose sentence contains the words. */
export function actionsSaying(words: string): string[] {
  const wanted = words.toLowerCase();
  return Object.keys(AUDIT_WORDS).filter((action) =>
    AUDIT_WORDS[action]
      ?.replaceAll(/\{\w+\}/g, "\n")
      .toLowerCase()
      .includes(wanted),
  );
}
