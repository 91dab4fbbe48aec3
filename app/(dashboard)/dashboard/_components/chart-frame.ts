import type { Range } from "@/lib/resources/overview/trends";

/** The height of a chart; its width is the number of bars. */
export const HEIGHT = 48;

export const rangeNames: Record<Range, string> = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};
