import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type Config, config } from "@/lib/platform/config/config";
import { assertNoTransaction } from "@/lib/platform/db/open-transactions";
import { ApiError, retryAfter } from "@/lib/platform/errors";
import { logError } from "@/lib/platform/telemetry/log";
import { isRefusal, isRefusalOfAddress, sendBySmtp } from "./smtp";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The code in the text, for the file transport only. */
  otp?: string;
  /** A URL that stops such emails: a POST does so at once, a GET opens a page (RFC 8058). */
  stopUrl?: string;
}

export function canSendMail(): boolean {
  return config().mail.transport !== "none";
}

/** Sends a mail and waits until it is accepted. Throws 503 `mail_unavailable` if it is not. */
export async function sendMail(mail: Mail): Promise<void> {
  assertNoTransaction();
  try {
    await transports[config().mail.transport](mail);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "no code";
    logError(`The ${config().mail.transport} transport did not accept an email (${reason}).`);
    throw new ApiError("mail_unavailable", "The email could not be sent. Nothing has changed.", {
      headers: retryAfter(60),
      cause: error,
    });
  }
}

/** Whether a failed `sendMail` surely sent nothing: it may fail after the mail was accepted. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof Error && isRefusal(error.cause);
}

/** Whether a `sendMail` failed for good because of the address. */
export function isAddressRefused(error: unknown): boolean {
  return (
    error instanceof ApiError && error.cause instanceof Error && isRefusalOfAddress(error.cause)
  );
}

const transports: Record<Config["mail"]["transport"], (mail: Mail) => Promise<void>> = {
  smtp: sendBySmtp,

  async file(mail) {
    const line = JSON.stringify({ ...mail, at: Math.floor(Date.now() / 1000) });
    await mkdir(dirname(config().mail.file), { recursive: true });
    await appendFile(config().mail.file, `${line}\n`, { mode: 0o600 });
  },

  async console({ to, subject, text }) {
    console.log(`\nMail to ${to}: ${subject}\n\n${text}\n`);
  },

  async none() {
    throw new Error("No mail transport is configured.");
  },
};
