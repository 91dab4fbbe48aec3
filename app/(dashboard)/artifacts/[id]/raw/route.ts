import { artifactAnswer } from "@/app/artifact-answer";
import { rawAnswer } from "@/lib/artifacts/raw";

type Context = { params: Promise<{ id: string }> };

/** The content itself, as a file or in a sandbox of its own. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { id } = await params;
  const download = new URL(request.url).searchParams.get("download") === "1";
  return artifactAnswer(id, (artifact) =>
    rawAnswer(request, artifact, { public: false, download }),
  );
}
