import { Confirm } from "@/components/ui/confirm";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { stableTag } from "@/lib/resources/version";
import { type Outcomes, RECENT_EVENTS } from "@/lib/resources/webhooks/forward/outcomes";
import type { WebhookVerification } from "@/lib/resources/webhooks/verification/contract";
import { removeVerification } from "../flow-actions";
import { RecentOutcomes } from "./recent-outcomes";
import { SettingForm } from "./setting-form";
import { SCHEME_NAMES, VerificationForm } from "./verification-form";

interface Props {
  endpointId: string;
  verification: WebhookVerification | null;
  outcomes: Outcomes;
  canWrite: boolean;
}

/** How an endpoint's events are verified, and the outcomes of the newest ones. */
export function VerificationSection(props: Props) {
  const { endpointId, verification, outcomes, canWrite } = props;
  const tag = verification ? stableTag(verification) : "";
  return (
    <Section title="Verification">
      {verification ? (
        <Facts>
          <Fact name="Sender">{SCHEME_NAMES[verification.scheme]}</Fact>
          <Fact name="Signature">
            <span className="font-mono text-small">{verification.header}</span>
          </Fact>
          {verification.tolerance_seconds !== null && (
            <Fact name="Tolerance">{verification.tolerance_seconds} seconds</Fact>
          )}
          <Fact name="Secret">
            Set <Time unix={verification.updated_at} />
            {verification.previous_secret_expires_at !== null && (
              <>
                , the previous one is valid until{" "}
                <Time unix={verification.previous_secret_expires_at} />
              </>
            )}
          </Fact>
          <Fact name={`Last ${RECENT_EVENTS}`}>
            <RecentOutcomes
              endpointId={endpointId}
              outcomes={outcomes}
              shown={["verified", "not_verified"]}
            />
          </Fact>
        </Facts>
      ) : (
        <p className="text-muted">Signatures are not checked.</p>
      )}
      {canWrite && (
        <div className="mt-3 flex flex-wrap items-start gap-2">
          <SettingForm tag={tag} label={verification ? "Change verification" : "Verify signatures"}>
            <VerificationForm endpointId={endpointId} verification={verification} tag={tag} />
          </SettingForm>
          {verification && (
            <Confirm
              label="Stop verifying"
              title="Stop verifying events?"
              consequence="Deletes the secret. Later events are not checked, and all of them are forwarded if forwarding is on."
              confirm="Stop verifying"
              action={removeVerification}
              fields={{ id: endpointId }}
            />
          )}
        </div>
      )}
    </Section>
  );
}
