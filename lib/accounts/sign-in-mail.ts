import { config } from "@/lib/config/config";
import type { Mail } from "@/lib/mail/send";
import { CODE_SECONDS } from "./otp";

/** The mail with the code by which a human signs in. Holds nothing that a stranger could write. */
export function signInMail(to: string, digits: string, ip: string | null): Mail {
  const { baseUrl } = config();
  return {
    to,
    otp: digits,
    subject: "Your sign-in code for Agent Infrastructure",
    text: `Your code to sign in at ${baseUrl}:

    ${digits}

It is valid for ${CODE_SECONDS / 60} minutes, in the browser in which you asked for it.

Asked for at ${new Date().toUTCString()}${ip === null ? "" : ` from ${ip}`}.
If it was not you, ignore this mail, and give the code to nobody: nothing happens without it.
`,
  };
}
