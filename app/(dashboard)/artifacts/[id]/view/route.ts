import { ownAnswer } from "@/app/own-route";
import { visitor } from "@/app/session";
import { rawAnswer } from "@/lib/artifacts/raw";
import * as artifacts from "@/lib/artifacts/service";
import { viewAnswer } from "@/lib/artifacts/view";

interface Context {
  params: Promise<{ id: string }>;
}

/** The document in the page's frame; with `?download=1` its source as a file. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await visitor();
    const artifact = await artifacts.get(caller, (await params).id);
    const download = new URL(request.url).searchParams.get("download") === "1";
    return download
      ? rawAnswer(request, artifact, { public: false, download })
      : viewAnswer(request, artifact);
  });
}
