import { Fragment, type ReactNode } from "react";
import { Time } from "@/components/ui/time";
import type { AuditEntry } from "@/lib/accounts/activity";

/** The audit log: who did what, and when. */
export function AuditList({ events }: { events: AuditEntry[] }) {
  return (
    <ol>
      {events.map((event) => (
        <li
          key={event.id}
          id={event.id}
          className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-2 target:bg-surface sm:px-6"
        >
          <span className="min-w-0 wrap-anywhere">{sentenceOf(event)}</span>
          {event.ip && <span className="text-small text-muted">from {event.ip}</span>}
          <span className="ml-auto text-small text-muted tabular-nums">
            <Time unix={event.created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The sentence for an event; {…} in it are replaced by the event's data. */
function sentenceOf(event: AuditEntry): ReactNode {
  const { action, data } = event;
  const leaves = action === "member.removed" && data.user === event.actor;
  const words = leaves ? "{who} left" : (WORDS[action] ?? `{who}: ${action}`);
  const values: Record<string, unknown> = {
    ...data,
    who: event.actor_name ?? event.actor,
    user: event.about ?? data.user,
    key: data.name ?? data.key ?? data.id,
  };
  const parts = [...words.matchAll(/([^{]*)\{(\w+)\}/g)];
  const said = parts.reduce((length, [part]) => length + part.length, 0);
  return (
    <>
      {parts.map(([, before, name = ""]) => (
        <Fragment key={name}>
          {before}
          <strong className="font-medium">{String(values[name] ?? "someone")}</strong>
        </Fragment>
      ))}
      {words.slice(said)}
    </>
  );
}

const WORDS: Record<string, string> = {
  "registration.created": "The agent {who} registered",
  "registration.expired": "The registration of {who} expired",
  "registration.revoked": "{who} revoked an agent",
  "claim.requested": "The agent {who} asked {email} to claim it",
  "resources.claimed": "{who} claimed {first} and what came with it ({count} in all)",
  "claim.confirmed": "{who} claimed an agent",
  "otp.generated": "A code was sent for {who}",
  "otp.failed": "A wrong code was entered for {who}",
  "key.created": "{who} created the key {key}",
  "key.revoked": "{who} revoked the key {key}",
  "key.rotated": "{who} was replaced by the key {key}",
  "grant.created": "{who} connected the client {key}",
  "grant.revoked": "{who} disconnected the client {key}",
  "member.invited": "{who} invited {email}",
  "member.joined": "{who} joined",
  "member.removed": "{who} removed {user}",
  "member.role_changed": "{who} gave {user} the role {role}",
  "organization.created": "{who} created the organization {name}",
  "organization.renamed": "{who} renamed the organization to {name}",
  "session.started": "{who} signed in",
  "subscription.created": "{who} subscribed to changes, pushed to {to}",
  "subscription.deleted": "{who} deleted the subscription {subscription}",
  "webhook.verification_set": "{who} set how {endpoint} verifies its events",
  "webhook.verification_removed": "{who} stopped the verification of {endpoint}",
  "webhook.forward_set": "{who} forwarded the events of {endpoint} to {to}",
  "webhook.forward_removed": "{who} stopped forwarding the events of {endpoint}",
  "signing_secret.rotated": "{who} rotated the signing secret",
  "signing_secret.shown": "{who} read the signing secret",
};
