import type * as z from "zod";
import { type ErrorCode, invalidParam } from "@/lib/platform/errors";
import { externalId } from "@/lib/platform/http/fields";
import { type Operation, operation } from "@/lib/platform/http/operation";
import { type HttpRequest, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { type Upserting, upsert } from "./upsert";
import { changed, createdTag } from "./version";

interface Definition<Body extends z.ZodObject> extends Upserting<z.output<Body>, { id: string }> {
  id: string;
  /** The body of a create. */
  body: Body;
  bodyBytesMax?: number;
  schema: z.ZodType;
  minimal?: readonly string[];
  errors?: readonly ErrorCode[];
}

/** Defines `PUT …/external/{external_id}` for a kind of resource. */
export function upsertOperation<Body extends z.ZodObject>(definition: Definition<Body>): Operation {
  const { id, kind, body, bodyBytesMax, schema, minimal = [], errors = [] } = definition;
  const collection = `/api/${kind.name}` as const;
  return operation(`PUT ${collection}/external/{external_id}`, {
    id,
    summary: "Create or update by external ID",
    auth: "required",
    withoutKey: `Without one, POST ${collection} creates a public resource.`,
    body,
    ...(bodyBytesMax !== undefined && { bodyBytesMax }),
    success: { status: 200, schema, orCreated: true },
    minimal,
    errors: [...errors, "external_id_ambiguous"],
    failures: [412],
    async handle({ caller, body, request, precondition }) {
      const { external_id: given, ...input } = body;
      const wanted = externalIdOf(request);
      if (given !== undefined && given !== wanted) {
        throw invalidParam("external_id", "external_id must be omitted or match the path.");
      }
      const upserted = await upsert(definition, caller, wanted, input, precondition);
      if (!upserted.created) return changed(upserted.resource);
      const location = `${collection}/${upserted.resource.id}`;
      const json = JSON.stringify(upserted.resource);
      const ETag = createdTag(upserted.resource, json);
      const headers = { "Content-Type": "application/json", ETag, Location: location };
      return new HttpResponse(201, headers, json);
    },
  });
}

/** Decodes the last path segment. Unlike an ID, an external ID may be any text. */
function externalIdOf(request: HttpRequest): string {
  const segment = splitUrl(request.url).path.replace(/\/$/, "").split("/").at(-1) ?? "";
  try {
    return externalId.unwrap().parse(decodeURIComponent(segment));
  } catch {
    throw invalidParam(
      "external_id",
      "external_id must be text in percent-encoded UTF-8, without U+0000.",
    );
  }
}
