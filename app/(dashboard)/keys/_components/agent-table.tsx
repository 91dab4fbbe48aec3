import { CopyText } from "@/components/ui/copy";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AgentSummary } from "@/lib/accounts/activity";

const TONES: Record<AgentSummary["state"], Tone> = {
  claimed: "ok",
  unclaimed: "waiting",
  expired: "quiet",
  revoked: "quiet",
};

const TYPES: Record<AgentSummary["type"], string> = {
  anonymous: "Registered by itself",
  service_auth: "Registered",
  "agent-provider": "Registered by its provider",
};

/** The agents that hold keys of the organization. */
export function AgentTable({ agents }: { agents: AgentSummary[] }) {
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Registered</th>
          <th scope="col">ID</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.id} id={agent.id} className="target:bg-surface">
            <td className="list-main">
              <span className="block truncate">
                <span className="font-medium">{agent.agent_platform ?? "Agent"}</span>{" "}
                <span className="text-small text-muted">
                  {TYPES[agent.type]}
                  {agent.email && ` for ${agent.email}`}
                </span>
              </span>
            </td>
            <td data-label="Registered" className="text-small text-muted tabular-nums">
              <Time unix={agent.created_at} />
            </td>
            <td className="max-sm:hidden">
              <CopyText text={agent.id} shown={`…${agent.id.slice(-6)}`} />
            </td>
            <td>
              <State word={agent.state} tone={TONES[agent.state]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
