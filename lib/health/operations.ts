import { z } from "zod";
import { queryOne, sql } from "@/lib/db/sql";
import { operation } from "@/lib/http/operation";
import service from "@/package.json" with { type: "json" };

const Health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  database: z.literal("ok"),
  last_dispatch_at: z.int().nullable().describe("Unix seconds; null before the first dispatch"),
});

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Discovery",
  summary: "Whether the service and its database work",
  description: "503 when the database cannot be reached.",
  auth: "ignored",
  success: { status: 200, schema: Health },
  async handle(): Promise<z.infer<typeof Health>> {
    const state = await queryOne<{ last_dispatch_at: number | null }>(
      sql`SELECT last_dispatch_at FROM dispatch_state`,
    );
    const lastDispatchAt = state?.last_dispatch_at ?? null;
    return {
      status: "ok",
      version: service.version,
      database: "ok",
      last_dispatch_at: lastDispatchAt,
    };
  },
});
