import { config } from "@/lib/platform/config/config";
import type { Mail } from "@/lib/platform/mail/send";
import { CODE_SECONDS } from "./prepare-code";

/** The email with a sign-in code. Contains no text that a third party could choose. */
export function signInMail(to: string, digits: string, ip: string | null): Mail {
  const { baseUrl } = config();
  return {
    to,
    otp: digits,
    subject: "Your sign-in code for Agent Infrastructure",
    text: `Your code to sign in at ${baseUrl}:

    ${digits}

It is valid for ${CODE_SECONDS / 60} minutes, in the browser that requested it.

Requested at ${new Date().toUTCString()}${ip === null ? "" : ` from ${ip}`}.
If this was not you, ignore this email and do not share the code.
`,
  };
}
