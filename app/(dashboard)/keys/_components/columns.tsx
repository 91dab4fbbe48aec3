import { CountLine } from "@/components/ui/count-line";
import type { Column } from "@/components/ui/list-table";
import { State } from "@/components/ui/state";

const TONES = { live: "ok", expired: "quiet", revoked: "quiet" } as const;

/** Whether a key, or a client's token, works. */
export const stateColumn: Column<{ state: keyof typeof TONES }> = {
  name: "State",
  look: "",
  cell: ({ state }) => <State word={state} tone={TONES[state]} />,
};

/** What a key, or a client's token, may do. */
export function permissions({ scopes }: { scopes: readonly string[] }): string {
  return scopes.includes("api.write") ? "read, write" : "read";
}

/** How often a key, or a client, was used on each of the last days. */
export const usesColumn: Column<{ uses: number[] }> = {
  name: "Calls in 7 days",
  hidden: "max-lg:hidden",
  look: "",
  cell: ({ uses }) => {
    const total = uses.reduce((sum, count) => sum + count, 0);
    return (
      <span className="flex items-center gap-2">
        <CountLine counts={uses} span="7 days" each="a day" />
        {total > 0 && (
          <span className="text-small text-muted tabular-nums">{total.toLocaleString("en")}</span>
        )}
      </span>
    );
  },
};
