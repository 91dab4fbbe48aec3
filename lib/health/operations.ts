import { operation } from "@/lib/http/operation";
import { Health } from "./contract";
import { health } from "./service";

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Discovery",
  summary: "Whether the service, its database and its dispatcher work",
  description:
    "`degraded`, with a `reason`, when messages have been due for 60 seconds and nobody dispatches. 503 when the database cannot be reached.",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, schema: Health },
  handle: health,
});
