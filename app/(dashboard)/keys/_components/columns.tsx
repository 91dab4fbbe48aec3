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
