import { Command } from "@/components/ui/command";
import { Confirm } from "@/components/ui/confirm";
import { ACTIONS, idColumn, TargetTable, timeColumn } from "@/components/ui/list-table";
import { NoMatches } from "@/components/ui/no-matches";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AgentList, AgentSummary } from "@/lib/identity/audit/activity";
import { revokeAgentOf } from "../actions";
import { Others } from "./others";
import { tabHref } from "./tabs";

const TONES: Record<AgentSummary["state"], Tone> = {
  claimed: "ok",
  unclaimed: "waiting",
  asking: "waiting",
  expired: "quiet",
  revoked: "quiet",
};

const STATES: Record<AgentSummary["state"], string> = {
  claimed: "claimed",
  unclaimed: "not claimed",
  asking: "waiting for you",
  expired: "expired",
  revoked: "revoked",
};

const TYPES: Record<AgentSummary["type"], string> = {
  anonymous: "Self-registered",
  service_auth: "Registered",
  "agent-provider": "Registered by its provider",
};

interface Props extends AgentList {
  canRevoke: boolean;
  isSearch: boolean;
  /** The command with which an agent asks for a key. */
  registration: string;
}

/** The agents that hold keys of the organization, or request one; or how one registers. */
export function Agents(props: Props) {
  const { data, others, canRevoke, isSearch, registration } = props;
  if (data.length === 0 && isSearch) {
    return <NoMatches noun="agents" allHref={tabHref("agents")} />;
  }
  if (data.length === 0) {
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
  return (
    <>
      <TargetTable
        columns={[
          {
            name: "Agent",
            look: "list-main",
            cell: (agent) => (
              <>
                <span className="block truncate">
                  <span className="font-medium">{agent.agent_platform ?? "Agent"}</span>{" "}
                  <span className="text-small text-muted">
                    {TYPES[agent.type]}
                    {agent.email && ` for ${agent.email}`}
                  </span>
                </span>
                <Hint agent={agent} />
              </>
            ),
          },
          timeColumn("Registered", "created_at"),
          idColumn(),
          {
            name: "State",
            look: "",
            cell: ({ state }) => <State word={STATES[state]} tone={TONES[state]} />,
          },
          canRevoke && {
            ...ACTIONS,
            cell: (agent) =>
              agent.state !== "revoked" && (
                <Confirm
                  {...(agent.state === "asking" ? DECLINE : REVOKE)}
                  className="button-text text-failed"
                  action={revokeAgentOf}
                  fields={{ id: agent.id }}
                />
              ),
          },
        ]}
        rows={data}
      />
      <Others count={others} />
    </>
  );
}

const DECLINE = {
  label: "Decline",
  title: "Decline this agent?",
  consequence: "Its code stops working. The agent can register again.",
  confirm: "Decline agent",
};

const REVOKE = {
  label: "Revoke",
  title: "Revoke this agent?",
  consequence: "Its keys stop working at once. The resources it created are kept.",
  confirm: "Revoke agent",
};

/** Tells a person what to do about a waiting agent. */
function Hint({ agent }: { agent: AgentSummary }) {
  const ends = <Time unix={agent.claim_ends_at} />;
  if (agent.state === "asking") {
    return (
      <span className="block text-small whitespace-normal text-muted">
        Asks for a key. Give it the code from the email. The request expires {ends}
      </span>
    );
  }
  if (agent.state !== "unclaimed") return null;
  return (
    <span className="block text-small whitespace-normal text-muted">
      To claim it, give the agent your email address and then the code that we email you. The claim
      expires {ends}
    </span>
  );
}
