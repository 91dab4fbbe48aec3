import { digestOf } from "@/lib/identity/keys/key-format";
import { config } from "@/lib/platform/config/config";
import { randomBase62 } from "@/lib/platform/db/ids";
import { RANDOM_LENGTH } from "@/lib/resources/claim-token";

/** A new token of a question's link: the digest to store, and the URL that has it. */
export function newAnswerUrl(id: string): { digest: string; answer_url: string } {
  const token = `ans_${randomBase62(RANDOM_LENGTH)}`;
  // In the fragment, which is never sent to a server or logged.
  return { digest: digestOf(token), answer_url: `${config().baseUrl}/answer/${id}#${token}` };
}
