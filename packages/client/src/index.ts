export { ApiError, ConnectionError } from "./api-error.js";
export type { Call, CallOptions, Result } from "./calls.js";
export { type Client, createClient } from "./client.js";
export type { ClientOptions } from "./connection.js";
export type { EventOptions, WebhookEvent } from "./events.js";
export { rawBody } from "./raw-body.js";
export type { components, operations, paths } from "./schema.js";
