import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon";
import type { Claimed } from "@/lib/resources/claims/contract";
import { kindNamed } from "@/lib/resources/kinds";
import { endsOf, goesOnOf, madeWords } from "./words";

/** What a claim takes, ends and leaves in place, inside the card of the claim page. */
export function Contents({ noun, covered }: { noun: string; covered: Claimed }) {
  const created = covered.data.filter(({ made_by }) => made_by === null);
  const made = madeWords(covered);
  const isSeveral = created.length > 1;
  const isChanged = created.some((line) => line.changed_since_created);
  const ends = endsOf(covered);
  const goesOn = goesOnOf(covered);
  return (
    <>
      {(isSeveral || made !== "" || isChanged) && (
        <Part label="Everything that it covers" title={coversWords(created.length)}>
          <ul className="mt-2 grid max-h-72 gap-2 overflow-y-auto">
            {created.map(({ id, kind, name, changed_since_created }) => (
              <Line key={id} icon={kind}>
                <bdi>{name}</bdi> <span className="text-muted">{kindNamed(kind).noun}</span>
                {changed_since_created && (
                  <span className="block text-small text-muted">Changed since it was created</span>
                )}
              </Line>
            ))}
          </ul>
          {made !== "" && <p className="mt-2 text-muted">And what they made: {made}.</p>}
        </Part>
      )}
      {ends.length > 0 && (
        <Part label="What ends" title="What ends">
          <p className="mt-1 text-muted">
            It was set or changed with the ID alone, without the claim token.
          </p>
          <Lines icon="close" lines={ends} />
        </Part>
      )}
      {goesOn.length > 0 && (
        <Part label="What keeps running" title="What keeps running">
          <Lines icon="right" lines={goesOn} />
        </Part>
      )}
      <Part label="What changes" title="What changes">
        <Lines
          icon="check"
          lines={
            isSeveral
              ? [
                  "Only your organization’s members and keys can open them; their IDs alone no longer do.",
                  "They appear in your organization’s lists and stay until you delete them.",
                  "They keep their IDs and contents. The token is used up, so they cannot be claimed again.",
                ]
              : [
                  "Only your organization’s members and keys can open it; its ID alone no longer does.",
                  "It appears in your organization’s lists and stays until you delete it.",
                  `It keeps its ID and content. The token is used up, so this ${noun} cannot be claimed again.`,
                ]
          }
        />
      </Part>
    </>
  );
}

function coversWords(count: number): string {
  return count === 1 ? "What this claim covers" : `This claim covers ${count} resources`;
}

function Part(props: { label: string; title: string; children: ReactNode }) {
  return (
    <section aria-label={props.label} className="border-t border-line px-5 py-4 sm:px-6">
      <h2 className="font-semibold">{props.title}</h2>
      {props.children}
    </section>
  );
}

function Lines({ icon, lines }: { icon: IconName; lines: string[] }) {
  return (
    <ul className="mt-2 grid gap-1.5 text-muted">
      {lines.map((line) => (
        <Line key={line} icon={icon}>
          {line}
        </Line>
      ))}
    </ul>
  );
}

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
  const color = icon === "check" ? "text-ok" : "text-muted";
  return (
    <li className="flex gap-2">
      <Icon name={icon} className={`mt-0.75 shrink-0 ${color}`} />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  );
}
