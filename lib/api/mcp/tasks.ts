import { hash } from "node:crypto";
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isObject } from "@/lib/platform/http/request";
import { hasEnded } from "@/lib/resources/messages/wait";
import { callTool, type Session } from "./call";
import { waitOf } from "./progress";
import { opened, sealed } from "./sealed";
import { type Arguments, type Tool, variantFor, waitArgument } from "./tool";

/*
 * Long waits as tasks, by the extension Tasks (SEP-2663). A task's ID is its sealed call: every
 * server can open it, and none has to store it. Nothing runs between polls, so work is leased when
 * the client asks for it, and not while the client sleeps.
 */

const EXTENSION = "io.modelcontextprotocol/tasks";
export const taskCapability = { [EXTENSION]: {} };

export const TASK_SECONDS = 86_400;
const PURPOSE = "task";
const POLL_MS = 2000;
/** How long each poll waits. */
export const POLL_WAIT_SECONDS = 1;
/** The ID is a header of the requests about it. */
const ID_CHARACTERS_MAX = 4000;

interface Task {
  tool: string;
  args: Arguments;
  /** When it began, in milliseconds. */
  at: number;
  /** How long it lasts, if not a day. */
  seconds?: number;
  /** A message for its user. */
  statusMessage?: string;
  /** Members added to its result. */
  once?: Record<string, string>;
}

type Result = Awaited<ReturnType<typeof callTool>>;

/** Whether the client of this message declares the extension, as it does in each of them. */
export function takesTasks(message: unknown): boolean {
  const { params } = Object(message);
  const capabilities = Object(params?._meta)["io.modelcontextprotocol/clientCapabilities"];
  return isObject(capabilities?.extensions) && EXTENSION in capabilities.extensions;
}

/** Calls a tool. A wait that has nothing yet becomes a task, if the client takes tasks. */
export async function callOrTask(tool: Tool, args: Arguments, session: Session) {
  const variant = variantFor(tool, args);
  const name = variant && waitArgument(variant);
  if (!session.takesTasks || name === undefined || waitOf(tool, args) === 0) {
    return callTool(tool, args, session);
  }
  const first = await callTool(tool, { ...args, [name]: 0 }, session);
  const found = foundBy(first);
  if (found !== "nothing") return first;
  // Changes from now on, also those between polls.
  const { next_cursor: now } = contentOf(first);
  const isFromNow = (args.after ?? "latest") === "latest" && /^chg_/.test(String(now));
  const waiting = { ...args, ...(isFromNow && { after: now }), [name]: POLL_WAIT_SECONDS };
  return asTask({ tool: tool.name, args: waiting }, session) ?? callTool(tool, args, session);
}

/** A task that makes this call until it finds something; undefined if it is too long for one. */
export function asTask(call: Omit<Task, "at">, { caller }: Session) {
  const task: Task = { ...call, at: Date.now() };
  const taskId = sealed(PURPOSE, task, caller);
  if (taskId.length > ID_CHARACTERS_MAX) return undefined;
  return { ...shown(taskId, task, "working"), resultType: "task", content: [] };
}

const Named = z.looseObject({ taskId: z.string().max(ID_CHARACTERS_MAX) });

/** Adds the methods of the extension to a server. */
export function addTasks(server: Server, session: Omit<Session, "signal">): void {
  const known = (taskId: string): Task => {
    if (!session.takesTasks) {
      const requiredCapabilities = { extensions: taskCapability };
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
    }
    const task = opened<Task>(PURPOSE, taskId, session.caller);
    if (task && session.tools.has(task.tool)) return task;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no task with this taskId.");
  };
  server.setRequestHandler("tasks/get", { params: Named }, async ({ taskId }, { mcpReq }) =>
    progressOf(taskId, known(taskId), { ...session, signal: mcpReq.signal }),
  );
  // Nothing runs that could be stopped, and no task asks for input: `ask_person` does before.
  for (const method of ["tasks/cancel", "tasks/update"]) {
    server.setRequestHandler(method, { params: Named }, ({ taskId }) => {
      known(taskId);
      return {};
    });
  }
}

async function progressOf(taskId: string, task: Task, session: Session) {
  if (Date.now() > task.at + ttlMs(task)) {
    const error = {
      code: ProtocolErrorCode.InternalError,
      message: "Nothing arrived before the task ended.",
    };
    return { ...shown(taskId, task, "failed"), error };
  }
  const tool = session.tools.get(task.tool);
  if (!tool) throw new Error("The tool of a task was checked before.");
  // A poll repeated with the same key gets the same lease.
  const idempotencyKey = `task-${hash("sha256", taskId, "hex")}`;
  const { once } = task;
  const result = await callTool(tool, task.args, { ...session, idempotencyKey, once });
  const found = foundBy(result);
  if (found !== "something") return shown(taskId, task, "working");
  return { ...shown(taskId, task, "completed"), result };
}

/** Refusals that do not end a wait. */
const LATER = ["idempotency_in_progress", "internal_error", "rate_limited", "service_unavailable"];

/** Whether a call was refused for now: a repeat may succeed. */
export function isRefusedForNow(result: Result): boolean {
  return "isError" in result && LATER.includes(Object(contentOf(result).error).code);
}

/** What a call has found: `later` if it was refused for now. */
function foundBy(result: Result): "something" | "nothing" | "later" {
  if ("isError" in result) return isRefusedForNow(result) ? "later" : "something";
  const content = contentOf(result);
  const { data, has_more, task, replied, object, state } = content;
  // An empty page with more behind it leads on with its position, which no task can keep.
  const isNothing =
    (Array.isArray(data) && data.length === 0 && has_more !== true) ||
    task === null ||
    replied === false ||
    (object === "question" && state === "open") ||
    (object === "scheduled_message" && !hasEnded(Object(content)));
  return isNothing ? "nothing" : "something";
}

/** The structured content of a result. */
export function contentOf({ content }: Result): Record<string, unknown> {
  return JSON.parse(content[0]?.text ?? "{}");
}

function ttlMs({ seconds = TASK_SECONDS }: Task): number {
  return seconds * 1000;
}

function shown(taskId: string, task: Task, status: "working" | "completed" | "failed") {
  const { at, statusMessage } = task;
  return {
    taskId,
    status,
    ...(status === "working" && statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(at).toISOString(),
    lastUpdatedAt: new Date(status === "working" ? at : Date.now()).toISOString(),
    ttlMs: ttlMs(task),
    pollIntervalMs: POLL_MS,
  };
}
