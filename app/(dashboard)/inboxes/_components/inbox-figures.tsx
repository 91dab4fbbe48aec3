import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import type { InboxStats } from "@/lib/resources/inboxes/contract";

/** How long events have waited in an inbox, and how many have passed through it. */
export function InboxFigures({ stats }: { stats: InboxStats }) {
  const { oldest_ready_age_seconds: age, totals } = stats;
  const passed = Object.entries(totals).filter(([, count]) => count > 0);
  if (age === null && passed.length === 0) return null;
  return (
    <Section title="Figures">
      <Facts>
        {age !== null && (
          <Fact name="Oldest ready">
            <Time unix={Math.floor(Date.now() / 1000) - age} />
          </Fact>
        )}
        {passed.map(([name, count]) => (
          <Fact key={name} name={`${name[0]?.toUpperCase()}${name.slice(1)}`}>
            <span className="tabular-nums">{count.toLocaleString("en")}</span>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}
