import { RETRIED_MAX } from "@/app/(dashboard)/_shared/retry-failed";
import { Confirm } from "@/components/ui/confirm";
import { counted } from "@/lib/platform/counted";
import { retryFailedMessages } from "../actions";

interface Props {
  count: number;
  /** The search text of the list. */
  words: string | undefined;
  /** The bulk replay whose messages are listed. */
  replay: string | undefined;
}

/** Retries all listed messages that failed for good, after a confirmation. */
export function RetryFailed({ count, words, replay }: Props) {
  const retried = Math.min(count, RETRIED_MAX);
  const what = counted(retried, "message");
  const they = count === 1 ? "It" : "They";
  return (
    <Confirm
      label={words === undefined ? `Retry all ${retried.toLocaleString("en")}` : "Retry all found"}
      title={words === undefined ? `Retry ${what}?` : "Retry all found messages?"}
      consequence={`${words === undefined ? they : `The failed messages whose URL contains “${words}”`} will be sent now.${count > RETRIED_MAX ? ` One call retries ${RETRIED_MAX.toLocaleString("en")} at most, the newest first.` : ""}`}
      confirm={words === undefined ? `Retry ${what}` : "Retry messages"}
      action={retryFailedMessages}
      fields={{ q: words ?? "", replay: replay ?? "" }}
      isHarmless
      successMessage="Due now"
    />
  );
}
