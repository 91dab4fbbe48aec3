import { type Config, config } from "@/lib/platform/config/config";
import { placeOfData } from "@/lib/platform/db/place-of-data";

/** The startup message: what the server offers, and where. */
export function startupBanner(processes: number): string {
  const { baseUrl, hosts, port, mail, localMode } = config();
  const listening = `listening on ${hosts[0]}:${port}${processes > 1 ? `, ${processes} processes` : ""}`;
  const rows = [
    ["API", `curl ${baseUrl}/api/tasks -d '{"name": "Say hello"}'`],
    ["Dashboard", `${baseUrl}/dashboard (${SIGN_IN[mail.transport]})`],
    ["Docs", `${baseUrl}/docs`],
    ["MCP", `${baseUrl}/mcp`],
    ["API key", "npm run create-key -- --organization NAME"],
    ...(localMode ? [["Sample data", "npm run seed -- --email you@example.com"]] : []),
    ["Data", placeOfData()],
  ];
  const lines = rows.map(([name = "", text]) => `  ${name.padEnd(13)}${text}\n`);
  return `
Agent Infrastructure is ready at ${baseUrl} (${listening})

${lines.join("")}`;
}

const SIGN_IN: Record<Config["mail"]["transport"], string> = {
  console: "sign in with any address; the code appears here",
  file: "sign in with any address; the code is in MAIL_FILE",
  smtp: "sign in with your email address",
  none: "sign-in needs MAIL_TRANSPORT",
};
