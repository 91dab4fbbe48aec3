import * as z from "zod";
import { RECORDED_HEADERS_MAX } from "./recorded-headers";

/** The fields of a recorded body or request, in responses. */
export const bodyEncoding = z
  .enum(["utf8", "base64"])
  .nullable()
  .describe("`base64` if `body` holds bytes that are not UTF-8; null without a body.");
export const recordedText = z
  .string()
  .nullable()
  .describe("Its body as text, or in base64 (see `body_encoding`); null if it is empty.");
export const parsedBody = z.unknown().describe("The value of a JSON body, otherwise null.");
export const queryParams = z
  .record(z.string(), z.string())
  .describe("Its query by name; of a repeated name, the last value.");
export const sourceIp = z.string().nullable().describe("The sender's address; null if unknown.");
export const headersTruncated = z
  .boolean()
  .describe(`Whether only the first ${RECORDED_HEADERS_MAX} headers were kept.`);
