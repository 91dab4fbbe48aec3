import { createHmac } from "node:crypto";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { notFound } from "@/lib/platform/errors";
import { isSharedSecret } from "@/lib/platform/http/shared-secret";
import type { Question } from "./contract";
import { serializeQuestion } from "./serialize";
import { findQuestion, loadQuestion } from "./service";

/** The path of the frame with a question's context, for those who may see the question; null without one. */
export function contextPath({ id, context }: Question): string | null {
  return context === null ? null : `/questions/${id}/context/${signatureOf(id)}/view`;
}

/** The context behind a path of `contextPath`. Throws 404 and 403. */
export async function contextOf(caller: Caller, id: string, signature: string): Promise<string> {
  const row = isSharedSecret(signature, signatureOf(id))
    ? await loadQuestion(id)
    : await findQuestion(caller, id);
  const context = row && serializeQuestion(row).context;
  if (!context) throw notFound("question", id);
  return context;
}

function signatureOf(id: string): string {
  return createHmac("sha256", config().serverSecret)
    .update(`question-context:${id}`)
    .digest("base64url");
}
