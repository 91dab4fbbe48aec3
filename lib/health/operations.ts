import { operation } from "@/lib/http/operation";
import { Health } from "./contract";
import { health } from "./service";

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Discovery",
  summary: "Check the service",
  description: "`degraded` when messages have been due for 60 seconds. 503 without a database.",
  auth: "ignored",
  failures: [503],
  anyQuery: true,
  success: { status: 200, schema: Health },
  handle: health,
});
