import Link, { useLinkStatus } from "next/link";
import { memo } from "react";
import { bytes } from "@/components/ui/bytes";
import { Method } from "@/components/ui/method";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { EventLine } from "@/lib/resources/webhooks/events/lines";
import { ForwardState } from "./outcome";
import { pathBelowCaptureUrl } from "./request-path";

interface Props {
  /** Undefined until it has been loaded. */
  line: EventLine | undefined;
  index: number;
  /** The height of a row that has not been loaded, in pixels. */
  height: number;
  href: string | undefined;
  isOpen: boolean;
  onOpen(id: string): void;
}

/** One captured request in a list. */
export const EventRow = memo(function EventRow(props: Props) {
  const { line, index, height, href, isOpen, onOpen } = props;
  if (!line || !href) {
    return (
      <tr aria-rowindex={index + 2} style={{ height }}>
        <td className="list-main">
          <span className="block h-3 w-1/2 rounded bg-surface" />
          <span className="sr-only">Loading</span>
        </td>
        <td />
        <td />
      </tr>
    );
  }
  const path = pathBelowCaptureUrl(line);
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isOpen ? "true" : undefined}
      className="has-[[data-opening]]:bg-surface"
    >
      <td className="list-main">
        <span className="flex min-w-0 items-center gap-2.5">
          <Method method={line.method} />
          <Link
            href={href}
            prefetch={false}
            scroll={false}
            onNavigate={() => onOpen(line.id)}
            data-row
            className="row-link min-w-0 scroll-my-24 truncate font-mono text-small"
          >
            <Opening />
            <RequestText path={path} line={line.preview} />
          </Link>
          <Outcome line={line} />
        </span>
      </td>
      <td className="text-small text-muted tabular-nums">{bytes(line.size_bytes)}</td>
      <td className="text-small text-muted tabular-nums">
        <Time unix={line.received_at} />
      </td>
    </tr>
  );
});

/** Whether its signature is valid, and where it went. */
function Outcome({ line }: { line: EventLine }) {
  const { verified, forward_status } = line;
  if (verified === null && forward_status === null) return null;
  return (
    <span className="ml-auto flex shrink-0 gap-2">
      {verified !== null && (
        <State word={verified ? "verified" : "not verified"} tone={verified ? "ok" : "failed"} />
      )}
      {forward_status !== null && forward_status !== "skipped" && <ForwardState forwarded={line} />}
    </span>
  );
}

/** Highlights the selected row at once, even on a slow network. */
function Opening() {
  const { pending } = useLinkStatus();
  return pending ? <span hidden data-opening /> : null;
}

function RequestText({ path, line }: { path: string; line: string }) {
  if (path === "" && line === "") return <span className="text-muted">No body</span>;
  return (
    <>
      {path && <span>{path} </span>}
      {line && <span className={path ? "text-muted" : ""}>{line}</span>}
    </>
  );
}
