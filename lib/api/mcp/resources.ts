import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { requestTo } from "@/lib/api/operation-request";
import { perform } from "@/lib/api/perform";
import { newId } from "@/lib/platform/db/ids";
import { reportedError } from "@/lib/platform/http/error-envelope";
import type { Operation } from "@/lib/platform/http/operation";
import { LIMIT_MAX, listOf } from "@/lib/platform/lists/list";
import { Artifact, ListedArtifact } from "@/lib/resources/artifacts/contract";
import { artifactOperations as artifacts } from "@/lib/resources/artifacts/operations";
import { resultOf, type Session } from "./call";

const SCHEME = "artifact://";

export const artifactTemplate = {
  uriTemplate: `${SCHEME}{artifact_id}`,
  name: "artifact",
  title: "Artifact",
  description: "The content of a Markdown or HTML document",
};

const TYPES = { markdown: "text/markdown", html: "text/html" };

/** No ID is longer. */
const CURSOR_CHARACTERS_MAX = 500;

const ArtifactList = listOf(ListedArtifact);

/** A page of the artifacts of the key's organization, newest first; empty without a key. */
export async function listResources(
  session: Session,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const query = new URLSearchParams({ limit: String(LIMIT_MAX) });
  if (cursor !== undefined) query.set("after", cursor.slice(0, CURSOR_CHARACTERS_MAX));
  const found = await run(artifacts.list, {}, String(query), session);
  const { data, next_cursor } = ArtifactList.parse(found);
  return {
    resources: data.map(({ id, name, format, size }) => ({
      uri: SCHEME + id,
      name,
      mimeType: TYPES[format],
      size,
    })),
    ...(next_cursor !== null && { nextCursor: next_cursor }),
  };
}

/** The whole content of an artifact. Throws the protocol's error if there is none. */
export async function readResource(session: Session, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : "";
  if (!/^\w{1,100}$/.test(id)) throw new ResourceNotFoundError(uri.slice(0, 500));
  const found = await run(artifacts.get, { id }, "", session);
  const { content, format } = Artifact.parse(found);
  return { contents: [{ uri, mimeType: TYPES[format], text: content }] };
}

async function run(
  operation: Operation,
  params: Record<string, string>,
  search: string,
  { caller, clientAddress, signal }: Session,
) {
  const asked = { params, search, headers: {} };
  const request = requestTo(operation, asked, { signal, clientAddress });
  try {
    const isCounted = caller.kind === "key";
    return resultOf(await perform(operation, { caller, request, params, isCounted }));
  } catch (thrown) {
    const what = "A resource could not be read.";
    const { error, envelope } = reportedError(thrown, what, newId("req"));
    if (error.status === 404) throw new ResourceNotFoundError(SCHEME + (params.id ?? ""));
    const code =
      error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, error.message, envelope.error);
  }
}
