import type { ComponentProps } from "react";
import { Command } from "@/components/ui/command";
import { NoMatches } from "@/components/ui/no-matches";
import { AgentTable } from "./agent-table";
import { tabHref } from "./tabs";

interface Props extends ComponentProps<typeof AgentTable> {
  isSearch: boolean;
  /** The command with which an agent asks for a key. */
  registration: string;
}

/** The agents of the organization, or how one registers. */
export function Agents({ isSearch, registration, ...table }: Props) {
  if (table.agents.length > 0) return <AgentTable {...table} />;
  if (isSearch) return <NoMatches noun="agents" allHref={tabHref("agents")} />;
  return (
    <div className="max-w-[46rem] px-4 py-4 sm:px-6">
      <p className="mb-3 text-muted">
        No agent has registered here. An agent that knows your email address can ask for a key of
        this organization with this command. You confirm with the code that we email you.
      </p>
      <Command>{registration}</Command>
    </div>
  );
}
