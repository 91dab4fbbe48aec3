import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { DueMessage } from "@/lib/resources/overview/attention";

export function DueNext({ messages }: { messages: DueMessage[] }) {
  if (messages.length === 0) {
    return <p className="px-4 py-4 text-muted sm:px-6">Nothing is scheduled.</p>;
  }
  return (
    <ol>
      {messages.map(({ id, method, url, due_at, attempts }) => (
        <li
          key={id}
          className="relative flex items-baseline gap-3 border-b border-line px-4 py-2 hover:bg-surface sm:px-6"
        >
          <span className="w-14 shrink-0 font-mono text-small text-muted">{method}</span>
          <RowLink href={`/messages/${id}`} className="min-w-0 flex-1 truncate">
            {url}
          </RowLink>
          {attempts > 0 && <span className="text-small text-waiting">try {attempts + 1}</span>}
          <span className="shrink-0 text-small text-muted tabular-nums">
            <Time unix={due_at} format="due" />
          </span>
        </li>
      ))}
    </ol>
  );
}
