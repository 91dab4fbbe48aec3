export { ApiError, ConnectionError } from "./api-error.js";
export type { Call, CallOptions, Result } from "./calls.js";
export { type Client, createClient } from "./client.js";
export type { EventOptions } from "./events.js";
export type { HeldTask, NextTaskOptions } from "./next-task.js";
export type { ClientOptions } from "./options.js";
export { type Page, PagePromise } from "./pages.js";
export { rawBody } from "./raw-body.js";
export type { RequestOptions, Resources } from "./resources.js";
export type * from "./schema.js";
export type { ClientVerifyOptions } from "./signing-keys.js";
export {
  type ReceivedRequest,
  SignatureError,
  type Verified,
  type VerifyOptions,
  verifySignature,
} from "./verify-signature.js";
export type { InboxHandler, WorkOptions } from "./work.js";
