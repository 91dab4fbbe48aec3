import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { withoutScheme } from "@/lib/resources/messages/target";
import { COUNTED_MAX, type FailingHost } from "@/lib/resources/overview/attention";
import { retryHost, stopHost } from "../actions";

/** A count in words, since counting stops at a limit. */
export function boundedCount(count: number): string {
  return count >= COUNTED_MAX ? "1,000 or more" : count.toLocaleString("en");
}

/** How many there are besides the one that is named. */
export function boundedOthers(count: number): string {
  const others = (count - 1).toLocaleString("en");
  return count >= COUNTED_MAX ? `at least ${others}` : others;
}

/** Buttons that retry a failing host's messages, and that cancel those waiting for a retry. */
export function HostActions({ host, failed, failed_since, retrying }: FailingHost) {
  const name = withoutScheme(host);
  const messages = `${boundedCount(retrying)} ${retrying === 1 ? "message" : "messages"}`;
  return (
    <div className="flex gap-2">
      {failed > 0 && (
        <ActionForm action={retryHost} isSmall fields={{ host, since: failed_since ?? "" }}>
          <Submit className="button">
            Retry {boundedCount(failed)}
            <span className="sr-only"> to {name}</span>
          </Submit>
        </ActionForm>
      )}
      {retrying > 0 && (
        <Confirm
          label={
            <>
              Stop {boundedCount(retrying)}
              <span className="sr-only"> to {name}</span>
            </>
          }
          title={`Stop sending to ${name}?`}
          consequence={`Cancels ${messages} that would be retried. Messages scheduled or forwarded later are still sent. A canceled message can be retried.`}
          confirm={`Stop ${messages}`}
          action={stopHost}
          fields={{ host }}
        />
      )}
    </div>
  );
}
