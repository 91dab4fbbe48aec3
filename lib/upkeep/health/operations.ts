import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { Health, Liveness, Readiness } from "./contract";
import { TIMEOUT_MS } from "./database";
import { health, LATE_SECONDS, liveness, readiness } from "./service";

export const healthOperations = {
  get: operation("GET /api/health", {
    id: "getHealth",
    summary: "Check the service",
    description: `\`degraded\` when messages are ${LATE_SECONDS} seconds late, or dispatch is off after a restore. 503 without a writable database.`,
    auth: "ignored",
    failures: [503],
    anyQuery: true,
    success: { status: 200, schema: Health },
    handle: health,
  }),
  getLiveness: operation("GET /livez", {
    ...publicDocument,
    id: "getLiveness",
    summary: "Check that the process answers",
    description: "For a supervisor, which restarts a process that does not answer.",
    success: { status: 200, schema: Liveness },
    handle: liveness,
  }),
  getReadiness: operation("GET /readyz", {
    ...publicDocument,
    id: "getReadiness",
    summary: "Check that the server takes requests",
    description: `For a load balancer. 503 while the server is stopping, and when the database is read-only, lacks a migration or does not answer within ${TIMEOUT_MS / 1000} seconds.`,
    failures: [503],
    success: { status: 200, schema: Readiness },
    handle: readiness,
  }),
};
