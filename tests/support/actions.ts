import { readFileSync } from "node:fs";
import path from "node:path";

/** A server action of the pages. */
interface Action {
  id: string;
  name: string;
  /** The file that exports it. */
  file: string;
  /** The path of a page that has it, such as `/tasks/[id]`. */
  page: string;
}

interface Manifest {
  exportedName: string;
  filename: string;
  workers: object;
}

/** All of them, by the build's manifest. */
export function everyAction(): Action[] {
  const file = path.join(process.cwd(), ".next/server/server-reference-manifest.json");
  const { node } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries<Manifest>(node).map(([id, action]) => {
    const [worker = ""] = Object.keys(action.workers);
    const parts = worker.split("/").slice(1, -1);
    return {
      id,
      name: action.exportedName,
      file: action.filename,
      page: `/${parts.filter((part) => !/^[(@]/.test(part)).join("/")}`,
    };
  });
}

/** The action with this name. Throws if no page has it. */
export function actionNamed(name: string): Action {
  const action = everyAction().find((one) => one.name === name);
  if (!action) throw new Error(`There is no action ${name}.`);
  return action;
}

/** Calls an action with this body, as the scripts of its page do. */
export function callAction(
  baseUrl: string,
  { id, page }: Action,
  body: string | FormData,
  {
    cookie = "",
    segment = "x",
    headers = {},
  }: { cookie?: string; segment?: string | undefined; headers?: Record<string, string> },
): Promise<Response> {
  const type = typeof body === "string" && { "content-type": "text/plain;charset=UTF-8" };
  return fetch(new URL(page.replaceAll(/\[[^\]]+\]/g, segment), baseUrl), {
    method: "POST",
    redirect: "manual",
    headers: { "next-action": id, origin: baseUrl, cookie, ...type, ...headers },
    body,
  });
}

/** The body of a call of a form's action: its earlier result, and the form (React's `encodeReply`). */
export function formBody(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(`_1_${name}`, value);
  body.set("0", '[null,"$K1"]');
  return body;
}

/** What an action returned, of a response in React's format; null after a redirect. */
export async function resultOf(response: Response): Promise<unknown> {
  const text = await response.text();
  // It has the page that follows.
  if (response.headers.has("x-action-redirect")) return null;
  return JSON.parse(/^1:(.*)$/m.exec(text)?.[1] ?? "null");
}
