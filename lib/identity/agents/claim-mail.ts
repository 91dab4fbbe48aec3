import { CODE_SECONDS } from "@/lib/identity/people/prepare-code";
import { scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { Mail } from "@/lib/platform/mail/send";

/** Asks a user to confirm an agent. Contains no text chosen by the agent. */
export function claimMail(to: string, digits: string, ip: string | null): Mail {
  const { baseUrl } = config();
  return {
    to,
    otp: digits,
    subject: "Code to confirm an agent at Agent Infrastructure",
    text: `An agent is asking to act for you at ${baseUrl}.

If you started this agent, give it this code:

    ${digits}

The code gives the agent the scopes ${scopes.join(" and ")}:
it can read, create, change and delete your organization's data there.

The code is valid for ${CODE_SECONDS / 60} minutes.
Requested at ${new Date().toUTCString()}${ip === null ? "" : ` from ${ip}`}.

Only give this code to an agent that you started yourself.
If this was not you, ignore this email: nothing happens without the code.
`,
  };
}
