import * as z from "zod";
import { agentAuthOperations } from "@/lib/agent-auth/operations";
import { artifactOperations } from "@/lib/artifacts/operations";
import { changeOperations } from "@/lib/changes/operations";
import { claimOperations } from "@/lib/claims/operations";
import { config } from "@/lib/config/config";
import { ApiError } from "@/lib/errors";
import { healthOperations } from "@/lib/health/operations";
import { preferredType } from "@/lib/http/accept";
import { DISCOVERY_LINKS } from "@/lib/http/discovery-links";
import { type Operation, operation } from "@/lib/http/operation";
import { HttpResponse } from "@/lib/http/response";
import { inboxOperations } from "@/lib/inboxes/operations";
import { getLimits } from "@/lib/limits/operations";
import { callMcp } from "@/lib/mcp/operations";
import { keyOperations } from "@/lib/me/operations";
import { messageOperations } from "@/lib/messages/operations";
import { getMetrics } from "@/lib/metrics/operations";
import { oauthOperations } from "@/lib/oauth/operations";
import { scheduleOperations } from "@/lib/schedules/operations";
import { subscriptionOperations } from "@/lib/subscriptions/operations";
import { taskOperations } from "@/lib/tasks/operations";
import { upkeepOperations } from "@/lib/upkeep/operations";
import { webhookOperations } from "@/lib/webhooks/operations";
import { agentFileOperations } from "./agent-files";
import { constant, lazy } from "./constant";
import { docsText, getDocs } from "./docs";
import { llmsText } from "./llms";
import { openApiDocument } from "./openapi";
import { slugOf, tags } from "./tags";

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get the OpenAPI 3.1 document",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, schema: z.looseObject({}) },
  conditional: true,
  handle: () => openApi().whole,
});

export const getOpenApiPart = operation({
  id: "getOpenApiPart",
  method: "GET",
  path: "/openapi/{part}",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get the OpenAPI document of one tag",
  description: `One of ${tags.map(({ name }) => `\`${slugOf(name)}.json\``).join(", ")}.`,
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, schema: z.looseObject({}) },
  conditional: true,
  handle({ params }) {
    const { parts } = openApi();
    const found = parts.get(params.part.replace(/\.json$/, ""));
    if (found) return found;
    const names = [...parts.keys()].map((name) => `${name}.json`).join(", ");
    throw new ApiError("resource_not_found", `There is no such part. Available: ${names}.`);
  },
});

export const getLlmsText = operation({
  id: "getLlmsText",
  method: "GET",
  path: "/llms.txt",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get the guide for language models",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, contentType: "text/plain" },
  conditional: true,
  handle({ request }) {
    const type = preferredType(request.headers.get("accept"), ["text/plain", "text/markdown"]);
    const { status, headers, body } = llms();
    const named = {
      "Content-Type": `${type}; charset=utf-8`,
      Vary: "Accept",
      Link: DISCOVERY_LINKS,
    };
    return new HttpResponse(status, { ...headers, ...named }, body);
  },
});

export const getLlmsFullText = operation({
  id: "getLlmsFullText",
  method: "GET",
  path: "/llms-full.txt",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get the whole documentation as one text",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, contentType: "text/plain" },
  conditional: true,
  async handle() {
    return fullText();
  },
});

const fullText = lazy(async () => {
  const type = "text/plain; charset=utf-8";
  return constant(type, `${llmsText(operations)}\n${await docsText()}`);
});

/** Built at the first request; constant for the life of the process. */
const openApi = lazy(() => {
  const documentOf = (described: readonly Operation[], isPart: boolean) =>
    constant(
      "application/json",
      JSON.stringify(openApiDocument(described, operations, config().baseUrl, { isPart })),
    );
  const parts = tags.map(({ name }): [string, HttpResponse] => [
    slugOf(name),
    documentOf(
      operations.filter(({ tag }) => tag === name),
      true,
    ),
  ]);
  return {
    whole: documentOf(
      operations.filter(({ inPartOnly }) => !inPartOnly),
      false,
    ),
    parts: new Map(parts),
  };
});
const llms = lazy(() => constant("text/plain", llmsText(operations)));

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...taskOperations,
  ...artifactOperations,
  ...webhookOperations,
  ...inboxOperations,
  ...messageOperations,
  ...scheduleOperations,
  ...upkeepOperations,
  ...changeOperations,
  ...subscriptionOperations,
  ...claimOperations,
  ...keyOperations,
  ...healthOperations,
  getMetrics,
  getLimits,
  getOpenApi,
  getOpenApiPart,
  getLlmsText,
  getLlmsFullText,
  ...agentFileOperations,
  getDocs,
  callMcp,
  ...agentAuthOperations,
  ...oauthOperations,
];
