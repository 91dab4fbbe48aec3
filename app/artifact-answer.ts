import type { Artifact } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import type { Answer } from "@/lib/http/operation";
import { refusal } from "./refusal";
import { visitor } from "./session";

/** Answers with an artifact's content, for whom the page of the artifact opens too. */
export async function artifactAnswer(
  id: string,
  answer: (artifact: Artifact) => Answer | Promise<Answer>,
): Promise<Response> {
  try {
    const { caller } = await visitor();
    const { status, headers, body } = await answer(await artifacts.get(caller, id));
    return new Response(body, {
      status,
      headers: { "X-Content-Type-Options": "nosniff", ...headers },
    });
  } catch (error) {
    return refusal(error);
  }
}
