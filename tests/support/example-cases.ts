import type { Pool } from "pg";
import { tagOf } from "@/lib/api/tags";
import { exampleRequest } from "@/lib/docs/example-requests";
import type { Operation } from "@/lib/platform/http/operation";
import { makeOrganization } from "./accounts";
import { type Agents, freshEmail, STATIC } from "./agents";
import { expectStatus } from "./expectations";
import { randomText } from "./keys";
import { OAuth } from "./oauth";
import { makePerson, openSession } from "./people";
import { validRequests } from "./requests";
import {
  heldTask,
  inbox,
  inboxEvent,
  leasedEvent,
  type Make,
  question,
  type Resource,
  task,
  webhook,
  webhookEvent,
} from "./resources";

/** What an example needs: a key, and the IDs that take the place of its sample IDs. */
export interface ExampleCase {
  operation: Operation;
  key: string;
  /** The text of an example, with the IDs of resources that exist. */
  filled(text: string): string;
}

/** Makes what the example of an operation needs, in an organization of its own. */
export async function exampleCase(
  operation: Operation,
  agents: Agents,
  db: Pool,
): Promise<ExampleCase> {
  const { api } = agents;
  const { key } = await makeOrganization(db);
  const kind = kinds[operation.id] ?? validRequests[operation.id]?.kind;
  const owner = tagOf(operation) === "Claims" ? undefined : key;
  const resource = await kind?.({ api, db, key: owner });
  const samples = Object.entries(exampleRequest(operation).params).map(
    ([name, sample]): [string, string] => [sample, resource?.params[name] ?? sample],
  );
  const values = [...samples, ...proofs(resource), ...(await secretValues(operation, agents, db))];
  return {
    operation,
    key,
    filled: (text) => values.reduce((filled, [from, to]) => filled.replaceAll(from, to), text),
  };
}

/** Where an example needs more than any valid request does. */
const kinds: Record<string, Make> = {
  async leaseNextTask(making) {
    const resource = await task(making);
    await making.api("POST", `${resource.path}/labels`, {
      key: making.key,
      body: { add: ["docs"] },
    });
    return resource;
  },
  changeTaskLabels: heldTask,
  /** Its example waits for the answer. */
  async getQuestion(making) {
    const resource = await question(making);
    const body = { answer: "approve", answer_token: resource.proof.answer_token };
    expectStatus(await making.api("POST", `${resource.path}/answer`, { body }), 200);
    return resource;
  },
  listWebhookEvents: webhookEvent,
  async putWebhookForward(making) {
    const { params } = await inbox(making);
    const resource = await webhook(making);
    return { ...resource, params: { ...resource.params, inbox_id: params.id ?? "" } };
  },
  receiveInboxEvents: inboxEvent,
  settleInboxEvents: leasedEvent,
  streamWebhookEvents: webhookEvent,
};

const LEASE = "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x";
const EVENT = "iev_034gLHnnT5MH2Sbz6VPrmYvR1q";
const INBOX = "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q";
const CLAIM_TOKEN = "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9";
const AGENT_CLAIM_TOKEN = "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cL";
const ANSWER_TOKEN = "ans_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9";

function proofs(resource: Resource | undefined): [string, string][] {
  const { lease_id, claim_token, answer_token } = resource?.proof ?? {};
  const values: [string, unknown][] = [
    [LEASE, lease_id],
    [CLAIM_TOKEN, claim_token],
    [ANSWER_TOKEN, answer_token],
    [EVENT, resource?.params.eventId],
    [INBOX, resource?.params.inbox_id],
  ];
  return values.flatMap(([sample, value]): [string, string][] =>
    typeof value === "string" ? [[sample, value]] : [],
  );
}

/** Tokens and codes that only people and providers have. */
async function secretValues(
  { id }: Operation,
  agents: Agents,
  db: Pool,
): Promise<[string, string][]> {
  if (id === "startAgentClaim") {
    const { claim_token } = await agents.anonymous();
    return [
      [AGENT_CLAIM_TOKEN, claim_token],
      ["ada@example.com", freshEmail()],
    ];
  }
  if (id === "completeAgentClaim") {
    const { agent, otp } = await agents.claiming();
    return [
      [AGENT_CLAIM_TOKEN, agent.claim_token],
      ["402817", otp],
    ];
  }
  if (id === "exchangeToken" || id === "revokeToken") {
    const { api, baseUrl } = agents;
    const organization = await makeOrganization(db);
    const person = await makePerson(db, organization.id);
    const session = await openSession(db, person.id);
    const oauth = new OAuth({ api, baseUrl, db }, { person, session, organization });
    const client = await oauth.register();
    const { refresh_token } = await oauth.signIn(client);
    return [
      ["oac_034gLHnnT5MH2Sbz6VPrmYvR1q", client],
      ["svc_ort_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9", refresh_token],
    ];
  }
  if (id === "revokeAgent") {
    const sub = `user-${randomText(12)}`;
    await agents.assert(agents.claims({ iss: STATIC, sub }));
    return [["eyJhbGciOiJFUzI1NiJ9.e30.c2ln", await agents.logoutToken(sub)]];
  }
  return [];
}
