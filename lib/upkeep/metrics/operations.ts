import { Registry } from "prom-client";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { isNearby } from "@/lib/platform/http/nearby";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { isBearer } from "@/lib/platform/secrets";
import { serverMetrics } from "./server-metrics";

export const getMetrics = operation("GET /metrics", {
  ...publicDocument,
  id: "getMetrics",
  summary: "Get the server's metrics",
  description:
    "For Prometheus. Needs METRICS_TOKEN as a bearer token; without one configured, only programs on the machine or in the private network of a server in local mode get it.",
  failures: [401, 404],
  success: { status: 200, contentType: "text/plain" },
  async handle({ request }) {
    assertAllowed(request);
    const headers = { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE };
    return new HttpResponse(200, headers, await serverMetrics());
  },
});

/** Throws 401 for a wrong token, and 404 if metrics are off for this client. */
function assertAllowed(request: HttpRequest) {
  const { metricsToken } = config();
  if (metricsToken === undefined) {
    if (isNearby(request)) return;
    throw new ApiError("route_not_found", "Metrics are off. Set METRICS_TOKEN to a secret.");
  }
  if (isBearer(request, metricsToken)) return;
  throw new ApiError("unauthorized", "Send METRICS_TOKEN as Authorization: Bearer ….");
}
