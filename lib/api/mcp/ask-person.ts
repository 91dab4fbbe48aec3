import {
  inputRequired,
  inputResponse,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { anonymous } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { reportedError, toApiError } from "@/lib/platform/http/error-envelope";
import { WAIT_SECONDS_MAX } from "@/lib/platform/http/fields";
import { isObject } from "@/lib/platform/http/request";
import { announce, isPublished } from "@/lib/platform/wakeups/pubsub";
import { EXPIRES_IN_MAX, type Question, verdicts } from "@/lib/resources/questions/contract";
import { ANSWER_CHARACTERS_MAX } from "@/lib/resources/questions/form";
import { questionOperations } from "@/lib/resources/questions/operations";
import { get } from "@/lib/resources/questions/service";
import { stableTag } from "@/lib/resources/version";
import { callTool, failure, type Session } from "./call";
import { opened, sealed } from "./sealed";
import { asTask, contentOf, isRefusedForNow, POLL_WAIT_SECONDS } from "./tasks";
import { type Arguments, REST, type Tool } from "./tool";

/*
 * A question that the client puts to its user, by the protocol's elicitation. It is a question like
 * any other: if the user declines, the call returns its link, and the first answer wins. What the
 * server has to know of it later is sealed into what the client sends back, so that every server
 * can continue with it.
 */

interface Asked {
  id: string;
  /** The members that only the response to the create has: the link, and what a claim needs. */
  once: Record<string, string>;
  /** The tag of the question as the user sees it; absent if an earlier version of the service asked. */
  tag?: string;
}

/** The parts of a request that the tool reads, and how it sends the client a request of its own. */
export interface Exchange {
  request: ServerContext["mcpReq"];
  /** Undefined in the revision whose results ask for input. */
  send?: (
    request: Pick<JSONRPCRequest, "id" | "method" | "params">,
    during: RequestId,
  ) => Promise<void>;
}

const PURPOSE = "question";
const KEY = "answer";
const SESSION = "mcp_forms_";
/** The tool that waits for the answer. */
const WAIT = "wait";

/** Whether the capabilities of a client include forms. Without a mode, elicitation means them. */
function hasForms(capabilities: unknown): boolean {
  const { elicitation } = Object(capabilities);
  return isObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

/** Whether the client of this message shows its user forms, as the message or its session says. */
export function takesForms(message: unknown, sessionId: string | null): boolean {
  const { _meta } = Object(Object(message).params);
  const declared = Object(_meta)["io.modelcontextprotocol/clientCapabilities"];
  return declared === undefined ? (sessionId?.startsWith(SESSION) ?? false) : hasForms(declared);
}

/**
 * The ID of a session, for a client of the older revision that shows forms. It declares that only
 * once, at the start, so its session ID says it; nothing else is kept.
 */
export function sessionIdFor(message: Record<string, unknown>): string | undefined {
  const { method, params } = message;
  return method === "initialize" && hasForms(Object(params).capabilities)
    ? newId("mcp").replace("mcp_", SESSION)
    : undefined;
}

/** Asks a person: in the client, else by a task, else by a link. */
export async function askPerson(
  tool: Tool,
  args: Arguments,
  session: Session,
  { request, send }: Exchange,
) {
  const state = request.requestState();
  if (typeof state === "string") {
    const asked = opened<Asked>(PURPOSE, state, session.caller);
    if (!asked) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "requestState is not ours.");
    }
    const passed = await answerBy(request.inputResponses, asked, session);
    if (passed && isRefusedForNow(passed)) return withLink(asked, passed);
    return outcomeOf(asked, session);
  }
  const created = await callTool(tool, args, session);
  if ("isError" in created) return created;
  const { id, answer_url, claim_token, claim_url, claim_link, view_url } = contentOf(created);
  const given = { answer_url, claim_token, claim_url, claim_link, view_url };
  const once = JSON.parse(JSON.stringify(given));
  const question = await get(session.caller, String(id)).catch((error: unknown) => {
    reportedError(error, "A new question could not be read:", newId("req"));
    return undefined;
  });
  // Its link is in no later response.
  if (!question) return created;
  const asked: Asked = { id: question.id, once, tag: stableTag(question) };
  // A repeat of a call, by its idempotency key.
  if (question.state !== "open") return outcomeOf(asked, session);
  if (!session.takesForms || question.require_sign_in) return later(asked, created, session);
  const elicitation = elicitationOf(question, String(answer_url));
  const ask = { method: "elicitation/create" as const, params: elicitation };
  const sealedState = sealed(PURPOSE, asked, session.caller);
  if (!send) return inputRequired({ inputRequests: { [KEY]: ask }, requestState: sealedState });
  return outcomeOf(asked, session, () => send({ id: sealedState, ...ask }, request.id));
}

/** Takes the response to a request that `askPerson` sent in the older revision, in any process. */
export async function takeResponse(
  message: Record<string, unknown>,
  session: Omit<Session, "signal">,
): Promise<void> {
  const { id, method, result } = message;
  if (method !== undefined || typeof id !== "string") return;
  const asked = opened<Asked>(PURPOSE, id, session.caller);
  if (!asked) return;
  const { signal } = new AbortController();
  const passed = await answerBy({ [KEY]: result }, asked, { ...session, signal });
  // The waiting call then gives the link.
  if (!passed || "isError" in passed) announce(refusalTopic(asked.id));
}

/**
 * Passes the user's answer on, and returns the result: an error if the question has changed since, or cannot
 * be read now. Undefined if they gave none.
 */
async function answerBy(responses: unknown, { id, once, tag }: Asked, session: Session) {
  const reply = inputResponse(Object(responses), KEY);
  if (reply.kind !== "elicit" || reply.action !== "accept") return undefined;
  const { content = {} } = reply;
  const question = await get(session.caller, id).catch((error: unknown) =>
    [403, 404].includes(toApiError(error).status) ? undefined : failure(error, session),
  );
  if (question && "isError" in question) return question;
  const given = question?.form ? content : content[KEY];
  const answer_token = new URL(once.answer_url ?? "").hash.slice(1);
  const args = { id, answer: given, answer_token };
  // The user answers, not the key that asked.
  const answering = { ...session, caller: anonymous, ifMatch: tag };
  return callTool(ANSWER, args, answering);
}

const ANSWER: Tool = {
  name: "ask_person",
  purpose: "",
  variants: [{ operation: questionOperations.answer }],
  examples: [],
};
const READ: Tool = {
  ...ANSWER,
  variants: [{ operation: questionOperations.get }],
  rest: REST,
};

/**
 * The question once it has ended, else how to continue: by a task or by its link. With `send`, sends the
 * client its request first, and waits until the user has answered or declined.
 */
async function outcomeOf(asked: Asked, session: Session, send?: () => Promise<void>) {
  const over = new AbortController();
  const signal = AbortSignal.any([session.signal, over.signal]);
  const waiting = { milliseconds: WAIT_SECONDS_MAX * 1000, signal };
  if (send) {
    // Before the user can decline.
    void isPublished(refusalTopic(asked.id), waiting).then((refused) => refused && over.abort());
    await send();
  }
  const args = { id: asked.id, wait: send ? WAIT_SECONDS_MAX : 0 };
  const read = await callTool(READ, args, { ...session, signal });
  over.abort();
  if ("isError" in read) return withLink(asked, read);
  if (contentOf(read).state !== "open") return read;
  // Reads it as short as the response to the create, and adds the members that only that has.
  const { id, once } = asked;
  const brief = await callTool({ ...READ, echoes: true }, { id }, { ...session, once });
  return "isError" in brief ? withLink(asked, brief) : later(asked, brief, session);
}

/** Takes a failed call. If a repeat may succeed, adds the link and what else no later response has. */
function withLink({ id, once }: Asked, failed: Awaited<ReturnType<typeof callTool>>) {
  if (!isRefusedForNow(failed)) return failed;
  const text = JSON.stringify({ ...contentOf(failed), id, ...once });
  return { ...failed, content: [{ type: "text" as const, text }] };
}

/** An open question: a task until it is answered, where the client takes tasks, else the result with its link. */
function later<Result>({ id, once }: Asked, result: Result, session: Session) {
  if (!session.takesTasks || !session.tools.has(WAIT)) return result;
  const args = { id, wait: POLL_WAIT_SECONDS };
  const statusMessage = `A person can answer at ${once.answer_url}`;
  const task = { tool: WAIT, args, seconds: EXPIRES_IN_MAX, statusMessage, once };
  return asTask(task, session) ?? result;
}

/** What the protocol's elicitation takes: a message, and a flat JSON Schema. */
function elicitationOf(question: Question, answerUrl: string) {
  const { prompt, context, artifact_id, form } = question;
  const isMore = context !== null || artifact_id !== null;
  const message = `An agent asks, in its own words:\n\n${prompt}${isMore ? `\n\nRead this before you answer: ${answerUrl}` : ""}`;
  if (form) {
    const { type, properties, required } = form;
    // A copy, since TypeScript does not see that each of its fields is one of the SDK's.
    return { message, requestedSchema: JSON.parse(JSON.stringify({ type, properties, required })) };
  }
  const field = { type: "string" as const, title: "Your answer", ...allowedBy(question) };
  const properties = { [KEY]: field };
  return { message, requestedSchema: { type: "object" as const, properties, required: [KEY] } };
}

/** The labels are in `enumNames`: every revision has it, and clients of the first one know nothing else. */
function allowedBy({ kind, options }: Question) {
  if (kind === "approve") return { enum: [...verdicts], enumNames: ["Approve", "Deny"] };
  if (!options) return { minLength: 1, maxLength: ANSWER_CHARACTERS_MAX };
  const [ids, labels] = [options.map(({ id = "" }) => id), options.map(({ label = "" }) => label)];
  return { enum: ids, enumNames: labels };
}

/** Published when a user declines, for the call that waits, perhaps in another process. */
function refusalTopic(id: string): string {
  return `question-refused:${id}`;
}
