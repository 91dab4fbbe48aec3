import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { FormAction, FormResult } from "@/components/ui/action-form";
import type { FormError } from "@/components/ui/form-error-message";
import { capitalized, labelOf } from "@/components/ui/label-of";
import type { Account } from "@/lib/identity/sessions/visitor";
import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { assertNoMessage, markRelayed } from "@/lib/platform/http/relayed";
import { countByNetwork, countRecentUse } from "@/lib/platform/limits/sliding-window";
import { logError } from "@/lib/platform/telemetry/log";
import { ownerOf, requireAccount, signedInAs, visitor, visitorAddress } from "./session";

/** More than a person would send. */
const FORMS = { limit: 120, windowSeconds: 60 };

/**
 * Runs a form's action. Service errors, including rate limits, become the form's error. Refuses a
 * form from a page whose `owner` is not that of the visitor's session. A form that names its
 * organization itself sends only the person or key.
 */
export async function runAction(work: () => Promise<void>, owner?: unknown): Promise<FormResult>;
/** Runs an action whose result the form shows. */
export async function runAction<Done>(
  work: () => Promise<Done>,
  owner?: unknown,
): Promise<FormResult | Done>;
export async function runAction<Done>(
  work: () => Promise<Done>,
  owner?: unknown,
): Promise<FormResult | Done> {
  try {
    const now = await visitor();
    const { account } = now;
    assertNoMessage(markRelayed(now.caller, await headers()), "invalid_request");
    await countForm(account?.sessionId);
    if (account && typeof owner === "string" && ![ownerOf(now), signedInAs(now)].includes(owner)) {
      return {
        message:
          "This page belongs to another organization or account than the one you are in now. Switch back to send this, or reload, which loses what you typed.",
        param: null,
        otherOwner: true,
      };
    }
    return (await work()) ?? null;
  } catch (thrown) {
    // `redirect()` throws.
    unstable_rethrow(thrown);
    const error = toApiError(thrown);
    if (error.code === "internal_error") logError("A form failed.", thrown);
    if (await isSignedOut(error.code)) {
      return {
        message: "You are signed out. Sign in, then try again.",
        param: null,
        signedOut: true,
      };
    }
    return formErrorOf(error);
  }
}

const LENGTH = /\b\d{4,}(?= characters|\.$)/g;

/** A service error in a form's words. */
function formErrorOf({ code, message, param }: ApiError): FormError {
  if (code === "url_not_allowed") {
    return { message: "Private addresses cannot be reached. Use a public URL.", param };
  }
  const name = `${JSON.stringify(param)} `;
  if (param === null || !message.startsWith(name)) return { message, param };
  const rest = message
    .slice(name.length)
    .replaceAll(LENGTH, (digits) => Number(digits).toLocaleString("en"));
  // What follows the field's name is as the person wrote it, such as a path or a header.
  const [field = "", ...inside] = param.replace(/^answer\./, "").split(".");
  const label = [labelOf(field), ...inside].join(".");
  const isWhole = inside.length === 0;
  return {
    message: `${label} ${rest}`,
    param,
    ...(isWhole && { messageAtField: capitalized(rest) }),
  };
}

/** Counts a form submission per session or, if signed out, per network. Throws 429. */
async function countForm(sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined) await countRecentUse(`form:${sessionId}`, FORMS);
  else await countByNetwork("form", await visitorAddress(), FORMS);
}

/** The action of a form. A script may call an action with anything. */
export function formAction(work: (data: FormData) => Promise<void>): FormAction;
export function formAction<Done>(
  work: (data: FormData) => Promise<FormResult | Done>,
): FormAction<Done>;
export function formAction<Done>(work: (data: FormData) => Promise<Done>): FormAction<Done> {
  return async (_, data) => {
    const run = async (): Promise<Done> => {
      if (data instanceof FormData) return work(data);
      throw new ApiError(
        "invalid_param",
        "This action takes a form. Reload the page and try again.",
      );
    };
    return runAction(run, formOf(data).get("owner"));
  };
}

/** The form passed to an action; empty if a script passed anything else. */
export function formOf(data: unknown): FormData {
  return data instanceof FormData ? data : new FormData();
}

/** Whether the error came from a session that ended after the page loaded. */
async function isSignedOut(code: string): Promise<boolean> {
  if (code !== "unauthorized" && code !== "forbidden") return false;
  return (await visitor()).account === null;
}

/** The action of a form of the account, after which the pages below `path` are read again. */
export function accountAction(
  path: string,
  work: (signedIn: { caller: Caller; account: Account }, data: FormData) => Promise<unknown>,
): FormAction {
  return formAction(async (data) => {
    await work(await requireAccount(), data);
    if (path === "/") revalidatePath(path, "layout");
    else revalidatePath(path);
  });
}
