import { shareRun, submissionKey } from "@/lib/api/forms/once";
import { requestTo } from "@/lib/api/operation-request";
import { assertAccount, assertScope, perform } from "@/lib/api/perform";
import { CHECKED_MS } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";
import { assertSignedInAs, requireAccount, visitor, visitorAddress } from "./session";

export interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** By lower-case name. */
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** A body that is not a JSON object. */
  text?: string;
  /** The version of the resource that the form shows. */
  tag?: string | undefined;
  /** The ID of the rendered form. Sent twice with the same input, it acts once. */
  form?: string;
  /** The caller, if it is not the visitor. */
  as?: Caller;
}

/**
 * Performs an API operation for the visitor of a page, with the operation's scope, validation,
 * limits, idempotency and precondition. Returns the body of the response. Throws the API's errors.
 */
export async function act<Result>(operation: Operation, asked: Asked = {}): Promise<Result> {
  const perform = await actor<Result>(operation, asked.as);
  return perform(asked);
}

/** `act` for many calls of an operation, until the session ends. Throws what refuses all of them at once. */
export async function actor<Result>(
  operation: Operation,
  as?: Caller,
): Promise<(asked: Asked) => Promise<Result>> {
  const { account, ...visiting } = await visitor();
  const caller = as ?? visiting.caller;
  const address = await visitorAddress();
  const inWords = (error: unknown) => inWordsOfAForm(error, operation);
  try {
    assertAccount(operation, caller);
    assertScope(operation, caller);
  } catch (error) {
    throw inWords(error);
  }
  const checked = eachSecond(() => assertSignedInAs(caller));
  return async ({ params = {}, query = {}, headers = {}, body = {}, text, tag, form }) => {
    await checked();
    const key = form ? submissionKey(form, body, headers) : undefined;
    const request = requestTo(
      operation,
      {
        params,
        search: new URLSearchParams(query).toString(),
        headers: { ...headers, "if-match": tag, "idempotency-key": key },
        body: text === undefined ? null : new Blob([text]).stream(),
      },
      { signal: new AbortController().signal, clientAddress: address },
    );
    const json = { document: body, excessive: false };
    const work = () =>
      // A session's submissions count as forms.
      perform(operation, { caller, request, params, json, isCounted: account !== null });
    const who = account?.sessionId ?? address;
    const run = key ? shareRun([who, request.method, request.url, key], work) : work();
    const response = await run.catch((error) => {
      throw inWords(error);
    });
    return JSON.parse(String(response.body ?? "null"));
  };
}

/** Returns a function that runs the check when the last is older than `CHECKED_MS`. Calls in between share its outcome. */
function eachSecond(check: () => Promise<void>): () => Promise<void> | undefined {
  let since = performance.now();
  let latest: Promise<void> | undefined;
  return () => {
    if (performance.now() - since > CHECKED_MS) {
      since = performance.now();
      latest = check();
    }
    return latest;
  };
}

/** Creates a resource for a signed-in visitor, once per form. Throws 401 if they are signed out. */
export async function create(
  operation: Operation,
  data: FormData,
  body: Record<string, unknown>,
): Promise<string> {
  await requireAccount();
  const { id } = await act<{ id: string }>(operation, {
    body,
    form: String(data.get("form") ?? ""),
  });
  return id;
}

function inWordsOfAForm(error: unknown, { scope }: Operation): unknown {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === "precondition_failed") {
    return new ApiError(
      code,
      "This has changed since the page loaded. Reload to see the current version.",
      {
        param: "tag",
      },
    );
  }
  if (code === "insufficient_scope") {
    return new ApiError(code, `This session’s key does not have ${scope}.`);
  }
  return error;
}
