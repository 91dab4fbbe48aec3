import type { Pool } from "pg";
import { tagOf } from "@/lib/api/tags";
import { makeOrganization, type Organization } from "../support/accounts";
import { actionNamed, callAction, everyAction, formBody, resultOf } from "../support/actions";
import { expect, test } from "../support/fixtures";
import { fieldsIn, formOf, post } from "../support/forms";
import { type Api, jsonOf } from "../support/http";
import { everyOperation } from "../support/operations";
import { cookieOf, keyCookieOf, makePerson } from "../support/people";
import { validRequests } from "../support/requests";
import type { Resource } from "../support/resources";
import { makeSchedule, type Run } from "../support/schedules";

/**
 * The access matrix of forms: who may do what with the server actions of the pages. An action performs
 * an operation of the API, which refuses what its own row of the access matrix refuses.
 *
 * | cell    | answer                                                  |
 * | ---     | ---                                                     |
 * | done    | no error; in a session of another organization, this one is unchanged |
 * | scope   | the session's key does not have `api.write`             |
 * | foreign | the resource belongs to another organization            |
 * | sign in | the visitor is signed out                               |
 */
type Cell = "done" | "scope" | "foreign" | "sign in";
type Row = Record<"read-only session" | "foreign session" | "signed out" | "own session", Cell>;

/** Changes a resource of the organization. */
const CHANGE: Row = {
  "read-only session": "scope",
  "foreign session": "foreign",
  "signed out": "sign in",
  "own session": "done",
};
/** Changes what it finds of the session's own organization, and nothing else. */
const CHANGE_OWN: Row = { ...CHANGE, "foreign session": "done" };
/** Creates a resource, for the organization of the session. */
const CREATE: Row = { ...CHANGE, "foreign session": "done" };
/** Sends a request to a capture or ingest URL, which is open to everybody who may see the resource. */
const SEND: Row = { ...CHANGE, "read-only session": "done" };

interface Form {
  /** The operation, for the resource that its valid request acts on. */
  operation: string;
  fields: (resource: Resource) => Record<string, string>;
  /** The arguments of an action that takes no form. */
  args?: (resource: Resource) => unknown[];
  row: Row;
}

const change = (operation: string, fields: Form["fields"] = () => ({})): Form => ({
  operation,
  fields: (resource) => ({ id: resource.params.id ?? "", tag: "*", ...fields(resource) }),
  row: CHANGE,
});
const create = (operation: string, fields: Record<string, string>): Form => ({
  operation,
  fields: () => ({ form: crypto.randomUUID(), ...fields }),
  row: CREATE,
});
/** What the field of a message's time sends. */
const at = (time: string) => ({ scheduled_at: time, scheduled_at_before: "" });
const named = () => ({ name: "Changed" });
const typed = () => ({ typed: "Original" });
const event = ({ params }: Resource) => ({ event: params.eventId ?? "" });
const hook = { url: "https://example.com/hook" };

/** For operations that act on no resource. */
const NONE: Resource = { params: {}, path: "", proof: {} };

/** By the name of the action. One with two operations has two rows. */
const FORMS: Record<string, Form[]> = {
  createTask: [create("createTask", { name: "New" })],
  updateTask: [change("updateTask", named)],
  moveTask: [change("changeTaskLabels", () => ({ progress: "done" }))],
  releaseLease: [change("releaseTaskLease", ({ proof }) => ({ lease_id: String(proof.lease_id) }))],
  addNoteTo: [change("addTaskNote", () => ({ body: "New" }))],
  addBlockerTo: [change("addTaskBlocker", ({ params }) => ({ blocker: params.blockerId ?? "" }))],
  removeBlockerOf: [
    change("removeTaskBlocker", ({ params }) => ({ blocker: params.blockerId ?? "" })),
  ],
  deleteTask: [change("deleteTask")],
  deleteTasks: [
    { ...change("deleteTask", ({ params }) => ({ ids: params.id ?? "" })), row: CHANGE_OWN },
  ],
  applyToTasks: [
    {
      ...change("updateTask"),
      args: ({ params }) => [{ ids: [params.id], priority: "critical" }],
      row: CHANGE_OWN,
    },
  ],
  undoChanges: [
    {
      ...change("updateTask"),
      args: ({ params }) => [[{ id: params.id, tag: "*", before: { priority: "critical" } }]],
      row: CHANGE_OWN,
    },
  ],

  createArtifact: [create("createArtifact", { name: "New", format: "markdown", content: "" })],
  updateArtifact: [change("updateArtifact", () => ({ name: "Changed", format: "html" }))],
  restoreArtifact: [change("updateArtifact", () => ({ number: "1", over: "1" }))],
  deleteArtifact: [change("deleteArtifact")],
  shareArtifact: [change("shareArtifact")],
  revokeShares: [
    change("revokeArtifactShares"),
    change("revokeArtifactShare", ({ params }) => ({ share: params.shareId ?? "" })),
  ],

  createEndpoint: [create("createWebhook", { name: "New" })],
  updateEndpoint: [change("updateWebhook", named)],
  deleteEndpoint: [change("deleteWebhook", typed)],
  setVerification: [
    change("putWebhookVerification", () => ({
      tag: "",
      scheme: "github",
      secret: "A shared secret",
    })),
  ],
  removeVerification: [change("deleteWebhookVerification")],
  setForward: [change("putWebhookForward", () => ({ tag: "", url: hook.url }))],
  removeForward: [change("deleteWebhookForward")],
  purgeEvents: [change("purgeWebhookEvents", typed)],
  deleteEvent: [change("deleteWebhookEvent", event)],
  replayEvent: [change("replayWebhookEvent", (one) => ({ ...event(one), ...hook, form: "1" }))],
  replayEvents: [change("createWebhookReplay", () => ({ ...hook, form: "1" }))],
  cancelReplay: [
    change("cancelWebhookReplay", ({ params }) => ({ replay: params.replayId ?? "" })),
  ],
  sendTest: [{ ...change("capturePost", () => ({ method: "POST", body: "x" })), row: SEND }],

  createInbox: [create("createInbox", { name: "New" })],
  updateInbox: [change("updateInbox", named)],
  deleteInbox: [change("deleteInbox", typed)],
  purgeInbox: [change("purgeInboxEvents", typed)],
  deleteInboxEvent: [change("deleteInboxEvent", event)],
  redriveEvent: [change("redriveInboxEvent", event)],
  redriveAllEvents: [change("redriveInboxEvents")],
  sendEvent: [{ ...change("ingestInboxEvent", () => ({ body: "x" })), row: SEND }],

  createMessage: [
    create("createMessage", { ...hook, ...at(""), method: "POST", delay: "1", unit: "d" }),
  ],
  updateMessage: [
    change("updateMessage", () => ({ ...hook, ...at("2100-01-01T00:00"), method: "PUT" })),
  ],
  actOnMessage: [
    change("cancelMessage", () => ({ act: "cancel" })),
    change("retryMessage", () => ({ act: "retry" })),
  ],
  deleteMessage: [change("deleteMessage")],
  retryFailedMessages: [{ ...change("retryMessage"), row: CHANGE_OWN }],
  retryHost: [{ ...change("retryMessage"), row: CHANGE_OWN }],
  stopHost: [{ ...change("cancelMessage"), row: CHANGE_OWN }],
  retryReplay: [{ ...change("retryMessage", () => ({ replay: "wrp_0" })), row: CHANGE_OWN }],

  createSchedule: [
    create("createSchedule", {
      every_seconds: "3600",
      catch_up: "skip",
      "target.task.name": "New",
    }),
  ],
  updateSchedule: [
    change("updateSchedule", () => ({
      every_seconds: "60",
      catch_up: "once",
      "target.task.name": "New",
    })),
  ],
  actOnSchedule: [
    change("runSchedule", () => ({ act: "run" })),
    change("updateSchedule", () => ({ act: "pause" })),
  ],
  deleteSchedule: [change("deleteSchedule")],

  createQuestion: [create("createQuestion", { prompt: "New?", kind: "approve" })],
  updateQuestion: [change("updateQuestion", () => ({ prompt: "Changed?" }))],
  answerQuestion: [change("answerQuestion", () => ({ answer: "approve" }))],
  withdrawQuestion: [change("withdrawQuestion")],
  deleteQuestion: [change("deleteQuestion")],

  // Every kind is made in the same way.
  createFirst: [create("createTask", { kind: "tasks" })],
  createSubscription: [create("createSubscription", { target: hook.url })],
  deleteSubscription: [change("deleteSubscription")],
  showSigningSecret: [create("getSigningSecret", {})],
  rotateSecret: [create("rotateSigningSecret", {})],
};

/**
 * Actions on accounts, sessions and keys, which perform no operation, claims of what has no owner, and
 * answers with the token of a link.
 */
const OTHERS = [
  ...["answer", "changeRoleOf", "chooseNoticesOf", "chooseTheme", "createOrganization"],
  ...["endEverySession", "endOneSession", "inviteMember", "removeAccount", "removeMemberOf"],
  ...["removeOrganization", "renameOrganization", "signOut", "switchOrganization"],
  ...["withdrawInvitation", "decide", "switchAccount", "stop"],
  ...["enterCode", "enterKey", "otherAddress", "sendCode"],
  ...["createKey", "revokeAgentOf", "revokeKeyOf"],
  ...["claimBatch", "claimResource", "listCovered", "openOrAnswer"],
];

test("Every action of a page has a row here, or performs no operation", () => {
  const names = new Set(everyAction().map(({ name }) => name));
  expect([...Object.keys(FORMS), ...OTHERS].sort()).toEqual([...names].sort());
});

/** Of this worker. */
let foreign: Promise<string> | undefined;

for (const [name, forms] of Object.entries(FORMS)) {
  for (const form of forms) {
    test(`The action ${name} lets only permitted sessions perform ${form.operation}, and a refusal changes nothing`, async ({
      api,
      baseUrl,
      db,
      organization,
    }) => {
      foreign ??= makeOrganization(db).then((other) => memberOf(db, other));
      const cookies: Record<keyof Row, string> = {
        "read-only session": await keyCookieOf(db, organization.readKey),
        "foreign session": await foreign,
        "signed out": "",
        "own session": await memberOf(db, organization),
      };
      const { key } = organization;
      const resource = await validRequests[form.operation]?.kind?.({ api, db, key });
      const action = actionNamed(name);
      const call = async (caller: keyof Row) => {
        const acted = resource ?? NONE;
        const body = form.args ? JSON.stringify(form.args(acted)) : formBody(form.fields(acted));
        const at = { cookie: cookies[caller], segment: resource?.params.id };
        return cellOf(await callAction(baseUrl, action, body, at));
      };
      const callers = Object.keys(form.row) as (keyof Row)[];
      const changers = callers.filter((caller) => mayChange(caller, form.row));
      const found: Partial<Row> = {};
      const before = await snapshot(api, key, form.operation, resource);
      for (const caller of callers.filter((one) => !changers.includes(one))) {
        found[caller] = await call(caller);
      }
      expect(await snapshot(api, key, form.operation, resource)).toEqual(before);
      for (const caller of changers) found[caller] = await call(caller);
      expect(found).toEqual(form.row);
    });
  }
}

test("The claim form claims only what it has shown, and only for the person's organization or the session key's", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  const other = await makeOrganization(db);
  const cookie = await memberOf(db, organization);
  const { id, claim_token } = (await api("POST", "/api/tasks", { body: { name: "Public" } })).body;
  const action = actionNamed("claimResource");
  const claim = async (values: Record<string, string>, as = cookie) => {
    const options = { cookie: as, segment: values.id };
    return resultOf(await callAction(baseUrl, action, formBody({ seen: "", ...values }), options));
  };
  const claimFor = (owner: string, as?: string) =>
    claim({ id, claim_token, organization: owner }, as);

  const refused = Object(await claimFor(other.id));
  expect(refused.message).toBe("You are not a member of this organization.");
  // Another tab has signed in with a key since the page was opened.
  const late = Object(await claimFor(organization.id, await keyCookieOf(db, other.key)));
  expect(late.message).toBe("This session’s key belongs to another organization.");
  expect((await api("GET", `/api/tasks/${id}`)).body.organization_id).toBeNull();

  expect(await claimFor(organization.id)).toBeNull();
  const claimed = await api("GET", `/api/tasks/${id}`, { key: organization.key });
  expect(claimed.body.organization_id).toBe(organization.id);

  // A task shares the token of the schedule that made it.
  const made = await makeSchedule(api, undefined);
  const run = jsonOf<Run>(await api("POST", `/api/schedules/${made.id}/run`));
  const [task, token] = [String(run.resource_id), String(made.claim_token)];
  const asked = { id: task, claim_token: token, organization: organization.id };
  const { covered } = Object(await claim(asked));
  expect(JSON.parse(covered).data).toContainEqual(expect.objectContaining({ id: made.id }));
  expect((await api("GET", `/api/schedules/${made.id}`)).body.organization_id).toBeNull();
});

test("Claims of more than a thousand resources work without scripts", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  const cookie = await memberOf(db, organization);
  const make = async () => (await api("POST", "/api/tasks", { body: { name: "Public" } })).body;
  const tasks = [await make(), await make()];
  for (const { id } of tasks) {
    await db.query(
      `INSERT INTO tasks (id, name, claim_token_digest)
       SELECT left(id, -4) || lpad(n::text, 4, '0'), name, claim_token_digest
       FROM tasks, generate_series(1, 700) AS n WHERE id = $1`,
      [id],
    );
  }
  const pasted = tasks.map(({ id, claim_token }) => `${id} ${claim_token}`).join("\n");
  const typed = { pasted, organization: organization.id };
  const list = await formOf(baseUrl, "/claim", cookie, "pasted");
  const claim = { ...fieldsIn((await list(typed)).body, "pasted"), ...typed };
  expect((await post(baseUrl, "/claim", claim, { cookie, origin: baseUrl })).status).toBe(200);
  const owned = "SELECT FROM tasks WHERE organization_id = $1";
  expect((await db.query(owned, [organization.id])).rowCount).toBe(1402);
});

test("A switch of the organization in a session that has ended asks to sign in", async ({
  baseUrl,
}) => {
  const action = actionNamed("switchOrganization");
  const response = await callAction(baseUrl, action, formBody({ organization: "org_0" }), {});
  expect(await cellOf(response)).toBe("sign in");
});

/** The cookie of a person in this organization. */
async function memberOf(db: Pool, { id }: Organization): Promise<string> {
  return await cookieOf(db, (await makePerson(db, id)).id);
}

/** Whether this caller acts on the organization of the resource. */
function mayChange(caller: keyof Row, row: Row): boolean {
  return caller === "own session" || (caller === "read-only session" && row[caller] === "done");
}

/** Every list and single read of the operation's kind, as the organization sees them. */
async function snapshot(
  api: Api,
  key: string,
  operation: string,
  resource: Resource | undefined,
): Promise<string[]> {
  const start = resource?.path ?? everyOperation.find(({ id }) => id === operation)?.path ?? "";
  const root = start.split("/", 3).join("/");
  const reads = everyOperation
    .filter((one) => one.method === "GET" && tagOf(one) !== "Operators")
    .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (all, name) => resource?.params[name] ?? all))
    .filter((path) => path.startsWith(root) && !/\{|stream$/.test(path));
  expect(reads.length).toBeGreaterThan(0);
  return Promise.all(
    reads.map(async (path) => {
      const { text } = await api("GET", path, { key });
      return `${path} ${text.replace(/"request_id":"\w+"|"oldest_ready_age_seconds":\d+/, "")}`;
    }),
  );
}

async function cellOf(response: Response): Promise<Cell> {
  expect([200, 303]).toContain(response.status);
  const result = Object(await resultOf(response));
  if (result.signedOut) return "sign in";
  if (result.message === undefined) return "done";
  if (result.message === "This session’s key does not have api.write.") return "scope";
  if (result.message === "This resource belongs to another organization.") return "foreign";
  throw new Error(result.message);
}
