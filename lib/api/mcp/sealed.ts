import type { Caller } from "@/lib/platform/caller";
import { seal, unseal } from "@/lib/platform/encryption";

/*
 * State that clients keep for the server, so that any process can continue and none has to store
 * it.
 */

const BYTES_MIN = 50;

/** The text that only callers of the same organization open again, for the same purpose. */
export function sealed(purpose: string, state: object, caller: Caller): string {
  const bytes = seal(ownerOf(purpose, caller), JSON.stringify(state));
  return Buffer.from(bytes).toString("base64url");
}

/** The state in the text; undefined if it is of another organization. */
export function opened<State>(purpose: string, text: string, caller: Caller): State | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < BYTES_MIN || bytes.toString("base64url") !== text) return undefined;
  const state = unseal(ownerOf(purpose, caller), bytes);
  return state === undefined ? undefined : JSON.parse(state);
}

function ownerOf(purpose: string, caller: Caller): string {
  return `mcp-${purpose} ${caller.kind === "anonymous" ? "" : caller.organizationId}`;
}
