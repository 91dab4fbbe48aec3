import { CODE_SECONDS } from "@/lib/accounts/otp";
import { scopes } from "@/lib/caller";
import { config } from "@/lib/config/config";
import type { Mail } from "@/lib/mail/send";

/** The mail that asks a user to confirm an agent. Nothing in it was written by the agent. */
export function claimMail(to: string, digits: string, ip: string | null): Mail {
  const { baseUrl } = config();
  return {
    to,
    otp: digits,
    subject: "Code to confirm an agent at Agent Infrastructure",
    text: `An agent asks to act for you at ${baseUrl}.

If you started this agent, give it this code:

    ${digits}

With the code the agent gets the permissions ${scopes.join(" and ")}:
it may read, create, change and delete what your organization has there.

The code is valid for ${CODE_SECONDS / 60} minutes.
Asked for at ${new Date().toUTCString()}${ip === null ? "" : ` from ${ip}`}.

Only give this code to an agent that you started yourself.
If it was not you, ignore this mail: nothing happens without the code.
`,
  };
}
