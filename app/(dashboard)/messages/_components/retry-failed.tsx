import { RETRIED_MAX } from "@/app/(dashboard)/_shared/retried-max";
import { Confirm } from "@/components/ui/confirm";
import { counted } from "@/lib/platform/counted";
import { retryFailedMessages } from "../actions";

interface Props {
  /** The number of messages that failed, ignoring `q`, `host` and `since`. */
  count: number;
  /** The list's search text, bulk replay, host, and time of the first failure. */
  filters: Record<"q" | "replay" | "host" | "since", string | undefined>;
}

/** Retries all listed messages that failed permanently, after a confirmation. */
export function RetryFailed({ count, filters: { q, replay, host, since } }: Props) {
  const isAll = q === undefined && host === undefined && since === undefined;
  const retried = Math.min(count, RETRIED_MAX);
  const what = counted(retried, "message");
  const they = count === 1 ? "It" : "They";
  const found = `The failed messages ${q === undefined ? "found" : `whose URL contains “${q}”`}`;
  return (
    <Confirm
      label={isAll ? `Retry all ${retried.toLocaleString("en")}` : "Retry all found"}
      title={isAll ? `Retry ${what}?` : "Retry all found messages?"}
      consequence={`${isAll ? they : found} will be sent now.${count > RETRIED_MAX ? ` One call retries ${RETRIED_MAX.toLocaleString("en")} at most, the newest first.` : ""}`}
      confirm={isAll ? `Retry ${what}` : "Retry messages"}
      action={retryFailedMessages}
      fields={{ q: q ?? "", replay: replay ?? "", host: host ?? "", since: since ?? "" }}
      isHarmless
      successMessage="Due now"
    />
  );
}
