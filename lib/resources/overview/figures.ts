import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { countCaptured } from "./captured";
import { type Figure, HOURS, toFigure } from "./hours";

export interface Figures {
  /** The start of the first hour, in Unix seconds. */
  since: number;
  captured: Figure;
  /** Attempts with a 2xx response, and others. */
  delivered: Figure;
  failed: Figure;
}

/** An organization's captures and deliveries in the last 24 hours. */
export async function loadFigures(organizationId: string): Promise<Figures> {
  const [{ first, counts }, attempts] = await Promise.all([
    countCaptured(organizationId),
    queryShown<{ hour: number; delivered: number; failed: number }>(sql`
      SELECT hour, delivered, failed FROM delivery_hours
      WHERE organization_id = ${hiddenFromPlanner(organizationId)}
      ORDER BY hour DESC LIMIT ${HOURS}`),
  ]);
  const figureOf = (of: "delivered" | "failed") =>
    toFigure(attempts.map((row) => ({ hour: row.hour - first, count: row[of] })));
  return {
    since: first * 3600,
    captured: toFigure(counts),
    delivered: figureOf("delivered"),
    failed: figureOf("failed"),
  };
}
