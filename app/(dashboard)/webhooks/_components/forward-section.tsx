import { Confirm } from "@/components/ui/confirm";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { stableTag } from "@/lib/resources/version";
import type { WebhookForward } from "@/lib/resources/webhooks/forward/contract";
import { type Outcomes, RECENT_EVENTS } from "@/lib/resources/webhooks/forward/outcomes";
import { removeForward } from "../flow-actions";
import { ForwardForm } from "./forward-form";
import { reasonText } from "./outcome";
import { RecentOutcomes } from "./recent-outcomes";
import { SettingForm } from "./setting-form";

interface Props {
  endpoint: { id: string; name: string };
  forward: WebhookForward | null;
  outcomes: Outcomes;
  canWrite: boolean;
  /** To choose from; undefined for an endpoint without an owner. */
  inboxes: { id: string; name: string }[] | undefined;
}

/** Where an endpoint's events are forwarded, and the outcomes of the newest ones. */
export function ForwardSection(props: Props) {
  const { endpoint, forward, outcomes, canWrite, inboxes } = props;
  const inbox = inboxes?.find(({ id }) => id === forward?.inbox_id);
  const tag = forward ? stableTag(forward) : "";
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
              <ul>
                {Object.entries(forward.match).map(([name, value]) => (
                  <li key={name} className="wrap-anywhere">
                    <span className="font-mono text-small">{name}</span> is{" "}
                    <span className="font-mono text-small">
                      {typeof value === "string" ? value : JSON.stringify(value)}
                    </span>
                  </li>
                ))}
              </ul>
            </Fact>
          )}
          {forward.held_count > 0 && (
            <Fact name="Waiting">
              {forward.held_count.toLocaleString("en")}: {reasonText(forward.held_reason)}
            </Fact>
          )}
          <Fact name={`Last ${RECENT_EVENTS}`}>
            <RecentOutcomes
              endpointId={endpoint.id}
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
          <SettingForm tag={tag} label={forward ? "Change forwarding" : "Forward events"}>
            <ForwardForm endpoint={endpoint} forward={forward} tag={tag} inboxes={inboxes} />
          </SettingForm>
          {forward && (
            <Confirm
              label="Stop forwarding"
              title="Stop forwarding events?"
              consequence="Later events stay in this endpoint, as do those that are waiting. Messages that are still to be sent are canceled."
              confirm="Stop forwarding"
              action={removeForward}
              fields={{ id: endpoint.id }}
            />
          )}
        </div>
      )}
    </Section>
  );
}
