import { Icon, type IconName } from "@/components/ui/icon";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";

interface Props {
  resources: { id: string; name: string; created_at: number; href: string; icon: IconName }[];
}

/** The newest resources of every kind. */
export function Newest({ resources }: Props) {
  return (
    <ol>
      {resources.map(({ id, name, created_at, href, icon }) => (
        <li
          key={id}
          className="relative flex items-center gap-3 border-b border-line px-4 py-2 hover:bg-surface sm:px-6"
        >
          <Icon name={icon} className="text-muted" />
          <RowLink href={href} className="min-w-0 flex-1 truncate">
            {name}
          </RowLink>
          <span className="shrink-0 text-small text-muted tabular-nums">
            <Time unix={created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
