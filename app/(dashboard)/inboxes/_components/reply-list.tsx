import { bytes } from "@/components/ui/bytes";
import { ExportLink } from "@/components/ui/export-link";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import type { List } from "@/lib/platform/lists/list";
import type { InboxReply } from "@/lib/resources/inboxes/replies/contract";

export function ReplyList({ inboxId, replies }: { inboxId: string; replies: List<InboxReply> }) {
  return (
    <Section
      title={`Replies, ${(replies.total_count ?? 0).toLocaleString("en")} kept`}
      aside={<ExportLink list={`inboxes/${inboxId}/replies`} />}
    >
      <ul className="divide-y divide-line">
        {replies.data.map(({ id, inbox_id, content_type, size_bytes, created_at }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2 text-small">
            <Link
              href={`/inboxes/${inbox_id}?event=${id}`}
              scroll={false}
              className="min-w-0 truncate font-mono underline"
            >
              {id}
            </Link>
            <span className="text-muted">
              {content_type ?? "no type"}, {bytes(size_bytes)}, <Time unix={created_at} />
            </span>
          </li>
        ))}
      </ul>
      {replies.has_more && <p className="mt-1 text-small text-muted">The newest are shown.</p>}
    </Section>
  );
}
