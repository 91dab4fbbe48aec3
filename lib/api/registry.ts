import * as z from "zod";
import { callMcp } from "@/lib/api/mcp/operations";
import { openApiDocument } from "@/lib/api/openapi/document";
import { agentAuthOperations } from "@/lib/identity/agents/operations";
import { meOperations } from "@/lib/identity/me/operations";
import { oauthOperations } from "@/lib/identity/oauth/operations";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { preferredType } from "@/lib/platform/http/accept";
import { DISCOVERY_LINKS } from "@/lib/platform/http/discovery-links";
import { type Operation, operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { HttpResponse } from "@/lib/platform/http/response";
import { changeOperations } from "@/lib/resources/changes/operations";
import { claimOperations } from "@/lib/resources/claims/operations";
import { resourceOperations } from "@/lib/resources/registry";
import { subscriptionOperations } from "@/lib/resources/subscriptions/operations";
import { healthOperations } from "@/lib/upkeep/health/operations";
import { getLimits } from "@/lib/upkeep/limits/operations";
import { getMetrics } from "@/lib/upkeep/metrics/operations";
import { upkeepOperations } from "@/lib/upkeep/operations";
import { agentFileOperations } from "./agent-files";
import { runBatch } from "./batch";
import { getClientPackage } from "./client-package";
import { docsText, getDocs } from "./docs";
import { llmsText } from "./llms";
import { constant, lazy } from "./public-text";
import { slugOf, tagOf, tags } from "./tags";

export const getOpenApi = operation("GET /openapi.json", {
  ...publicDocument,
  id: "getOpenApi",
  summary: "Get the OpenAPI 3.1 document",
  success: { status: 200, schema: z.looseObject({}) },
  conditional: true,
  handle: () => openApi().whole,
});

export const getOpenApiPart = operation("GET /openapi/{part}", {
  ...publicDocument,
  id: "getOpenApiPart",
  summary: "Get the OpenAPI document of one tag",
  description: `One of ${tags.map(({ name }) => `\`${slugOf(name)}.json\``).join(", ")}.`,
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

export const getLlmsText = operation("GET /llms.txt", {
  ...publicDocument,
  id: "getLlmsText",
  summary: "Get the guide for language models",
  success: { status: 200, contentType: "text/plain" },
  conditional: true,
  handle({ request }) {
    const type = preferredType(request.headers.get("accept"), ["text/plain", "text/markdown"]);
    const { status, headers, body } = llms();
    const named = {
      "Content-Type": `${type}; charset=utf-8`,
      // It is the home page too, unless HTML is asked for (`readsText`). Next sets that of the HTML, which no cache keeps.
      Vary: "Accept, Sec-Fetch-Site",
      Link: DISCOVERY_LINKS,
    };
    return new HttpResponse(status, { ...headers, ...named }, body);
  },
});

export const getLlmsFullText = operation("GET /llms-full.txt", {
  ...publicDocument,
  id: "getLlmsFullText",
  summary: "Get the whole documentation as one text",
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

/** Built on the first request; constant for the life of the process. */
const openApi = lazy(() => {
  const documentOf = (described: readonly Operation[], isPart: boolean) =>
    constant(
      "application/json",
      JSON.stringify(openApiDocument(described, operations, config().baseUrl, { isPart })),
    );
  const parts = tags.map(({ name }): [string, HttpResponse] => [
    slugOf(name),
    documentOf(
      operations.filter((one) => tagOf(one) === name),
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
  ...resourceOperations,
  runBatch,
  ...Object.values(upkeepOperations),
  ...Object.values(changeOperations),
  ...Object.values(subscriptionOperations),
  ...Object.values(claimOperations),
  ...Object.values(meOperations),
  ...Object.values(healthOperations),
  getMetrics,
  getLimits,
  getOpenApi,
  getOpenApiPart,
  getLlmsText,
  getLlmsFullText,
  ...Object.values(agentFileOperations),
  getClientPackage,
  getDocs,
  callMcp,
  ...Object.values(agentAuthOperations),
  ...Object.values(oauthOperations),
];
