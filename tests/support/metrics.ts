import type { Api } from "./http";

/** The samples of Prometheus' text format, by name with labels, in the order of the text. */
export function samplesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** How many requests hold their connection now. */
export async function waitingRequests(api: Api, kind: "poll" | "stream"): Promise<number> {
  const { text } = await api("GET", "/metrics");
  return samplesOf(text).get(`waiting_requests{kind="${kind}"}`) ?? 0;
}
