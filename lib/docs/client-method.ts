import { isList } from "@/lib/api/export";
import type { Operation } from "@/lib/platform/http/operation";

/** How the client calls an operation: `client.webhooks.events.list(id, query)`. */
export interface ClientMethod {
  /** Its place in the client, such as `webhooks.events.list`. */
  name: string;
  /** What it takes after the IDs of the path, or how it returns the response. */
  input: "body" | "query" | "list" | "bytes" | "none";
}

/** What senders, schedulers and identity providers call, and documents. */
const OTHERS = /^\/api\/(?:catch\/|messages\/dispatch$|agent\/auth\/revoke$)|^\/(?!api\/)/;

/** Names that the rule below would repeat or cannot derive. */
const NAMES: Record<string, string> = {
  claimResource: "claims.claim",
  claimResources: "claims.claimAll",
  readInboxReply: "inboxes.replies.read",
  redriveInboxEvents: "inboxes.events.redriveAll",
  replyToInboxEvent: "inboxes.events.reply",
  revokeArtifactShares: "artifacts.shares.revokeAll",
  revokeMyKey: "me.key.revoke",
  rotateMyKey: "me.key.rotate",
};

/** The client's method for an operation. Undefined if the client has none. */
export function clientMethod(operation: Operation): ClientMethod | undefined {
  const { inPartOnly, path, success, body, rawBody, query } = operation;
  const isStream = success.contentType === "text/event-stream";
  if (inPartOnly || isStream || OTHERS.test(path)) return undefined;
  const name = NAMES[operation.id] ?? nameOf(operation);
  if (success.contentType) return { name, input: "bytes" };
  if (isList(operation)) return { name, input: "list" };
  if (body || rawBody) return { name, input: "body" };
  return { name, input: query ? "query" : "none" };
}

/** The name: the segments of the path that occur in the operation's ID, then the rest of the ID. */
function nameOf({ id, path }: Operation): string {
  let left = id;
  const groups = path.split("/").slice(2).map(camelCase);
  const named = groups.filter((group) => {
    const noun = group.charAt(0).toUpperCase() + group.slice(1);
    const found = [noun, singular(noun)].find((form) => left.includes(form));
    if (found === undefined || group === "raw") return false;
    left = left.replace(found, "");
    return true;
  });
  return [...named, left].join(".");
}

function camelCase(part: string): string {
  return part.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function singular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/(?<=x)es$|s$/, "");
}
