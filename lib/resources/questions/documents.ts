import type { Caller } from "@/lib/platform/caller";
import { notFound } from "@/lib/platform/errors";
import { isSameSecret } from "@/lib/platform/secrets";
import { signatureOf } from "@/lib/platform/signed-id";
import type { Artifact } from "@/lib/resources/artifacts/contract";
import { artifacts } from "@/lib/resources/artifacts/service";
import { tasks } from "@/lib/resources/tasks/service";
import type { Question } from "./contract";
import { serializeQuestion, shownQuestion } from "./serialize";
import { findQuestion, loadForLink } from "./service";

type Document = Pick<Artifact, "name" | "format" | "content">;

/** What a person reads with a question. */
export interface About {
  /** The frames to show, for those who may see the question. */
  documents: { title: string; format: Artifact["format"]; path: string }[];
  task: { id: string; name: string } | undefined;
}

/**
 * Stands for the signature in the path of a frame that checks its reader's access instead, which a
 * claim can end.
 */
const UNSIGNED = "unsigned";

/**
 * The task and the artifact of a question as its reader sees them, if they still have the question's owner. Frames
 * for the holder of its link are signed, since the link never expires.
 */
export async function aboutOf(
  question: Question,
  { forLink }: { forLink: boolean },
): Promise<About> {
  const { id } = question;
  const [task, artifact] = await Promise.all([ownTask(question), ownArtifact(question)]);
  const path = (part: string) =>
    `/questions/${id}/${part}/${forLink ? signatureOf(`question-${part}`, id) : UNSIGNED}/view`;
  const context = { title: "Context", format: "markdown", path: path("context") } as const;
  return {
    documents: [
      ...(question.context === null ? [] : [context]),
      ...(artifact
        ? [{ title: artifact.name, format: artifact.format, path: path("artifact") }]
        : []),
    ],
    task: task && { id: task.id, name: task.name },
  };
}

/** The document behind a path of `aboutOf`. Throws 404 and 403. */
export async function documentOf(
  caller: Caller,
  id: string,
  part: string,
  signature: string,
): Promise<Document> {
  const forLink = isSameSecret(signature, signatureOf(`question-${part}`, id));
  const row = forLink ? await loadForLink(id) : await findQuestion(caller, id);
  if (!row) throw notFound("question", id);
  const question = serializeQuestion(row);
  const artifact =
    part === "artifact"
      ? await ownArtifact(forLink ? shownQuestion(question) : question)
      : undefined;
  if (artifact) return artifact;
  if (part !== "context" || question.context === null) throw notFound("question", id);
  return { name: "Context", format: "markdown", content: question.context };
}

type Owned = Pick<Question, "organization_id" | "task_id" | "artifact_id">;

async function ownTask({ organization_id, task_id }: Owned) {
  const task = task_id === null ? undefined : await tasks.load(task_id);
  return task?.organization_id === organization_id ? task : undefined;
}

async function ownArtifact({ organization_id, artifact_id }: Owned) {
  const artifact = artifact_id === null ? undefined : await artifacts.load(artifact_id);
  return artifact?.organization_id === organization_id ? artifact : undefined;
}
