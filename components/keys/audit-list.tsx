import { Time } from "@/components/ui/time";
import type { AuditShown } from "@/lib/accounts/activity";

/** What was done to the organization, newest first. */
export function AuditList({ events }: { events: AuditShown[] }) {
  return (
    <ol>
      {events.map((event) => (
        <li
          key={event.id}
          className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-2 sm:px-6"
        >
          <span className="font-medium">{WORDS[event.action] ?? event.action}</span>
          <span className="min-w-0 text-small wrap-anywhere text-muted">
            {event.email ?? event.actor}
            {Object.entries(event.data).map(([name, value]) =>
              value === null ? null : `, ${name} ${value}`,
            )}
            {event.ip && `, from ${event.ip}`}
          </span>
          <span className="ml-auto text-small text-muted tabular-nums">
            <Time unix={event.created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

const WORDS: Record<string, string> = {
  "registration.created": "Agent registered",
  "registration.expired": "Registration expired",
  "registration.revoked": "Agent revoked",
  "claim.requested": "Agent claim begun",
  "claim.confirmed": "Agent claimed",
  "otp.generated": "Code sent",
  "otp.failed": "Wrong code",
  "key.created": "Key created",
  "key.revoked": "Key revoked",
  "member.invited": "Member invited",
  "member.joined": "Member joined",
  "member.removed": "Member removed",
  "organization.renamed": "Organization renamed",
  "session.started": "Signed in",
};
