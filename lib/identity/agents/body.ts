import type * as z from "zod";
import { mediaTypeOf } from "@/lib/platform/bodies/content";
import { ApiError } from "@/lib/platform/errors";
import { JSON_VALUES_MAX } from "@/lib/platform/http/bounded-json";
import { type HttpRequest, readBytes, readJsonObject } from "@/lib/platform/http/request";
import { validate } from "@/lib/platform/http/validation";
import { countClaim } from "./limits";

export const JSON_BYTES_MAX = 65_536;
export const TOKEN_LENGTH_MAX = 16_384;

/** Reads a JSON object body, whatever its content type. Throws 400 `invalid_request` otherwise. */
export async function readObject(request: HttpRequest): Promise<Record<string, unknown>> {
  const { document, excessive } = await readJsonObject(request, JSON_BYTES_MAX).catch(
    asInvalidRequest,
  );
  if (excessive) throw invalidRequest(`The request body has more than ${JSON_VALUES_MAX} values.`);
  return document;
}

/** Validates a body. Throws 400 `invalid_request` naming the offending property. */
export function check<Schema extends z.ZodObject>(
  schema: Schema,
  document: Record<string, unknown>,
): z.output<Schema> {
  try {
    return validate(schema, document);
  } catch (error) {
    return asInvalidRequest(error);
  }
}

/** Reads the body of a step of a claim, and counts the request, even one with an invalid body. */
export async function readClaim<Schema extends z.ZodObject>(
  schema: Schema,
  request: HttpRequest,
  step: "start" | "complete",
): Promise<z.output<Schema>> {
  const read = readObject(request).then((document) => check(schema, document));
  await read.catch(() => {});
  await countClaim(request, step);
  return read;
}

/** Reads a body that is one token. Throws 400 if it is empty, too long or of another type. */
export async function readToken(request: HttpRequest, contentType: string): Promise<string> {
  const given = mediaTypeOf(request.headers.get("content-type"));
  if (given !== contentType) throw invalidRequest(`The Content-Type must be ${contentType}.`);
  const bytes = await readBytes(request, TOKEN_LENGTH_MAX).catch(asInvalidRequest);
  const token = Buffer.from(bytes).toString("utf8").trim();
  if (token === "") throw invalidRequest("The request body is empty; send one token.");
  return token;
}

/** An `invalid_request` error; `param` is the offending property. */
export function invalidRequest(message: string, param?: string): ApiError {
  return new ApiError("invalid_request", message, { param });
}

/** Agent auth has one code, `invalid_request`, where the resource API has several for bad input. */
export function asInvalidRequest(error: unknown): never {
  if (!(error instanceof ApiError) || ![400, 413].includes(error.status)) throw error;
  throw invalidRequest(error.message, error.param ?? undefined);
}
