import { artifactAnswer } from "@/app/artifact-answer";
import { renderedAnswer } from "@/lib/artifacts/raw";

type Context = { params: Promise<{ id: string }> };

/** What stands in the frame of an artifact's page. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { id } = await params;
  return artifactAnswer(id, (artifact) => renderedAnswer(request, artifact));
}
