import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createTransport } from "nodemailer";
import { type Config, config } from "@/lib/platform/config/config";
import { assertNoTransaction } from "@/lib/platform/db/open-transactions";
import { ApiError, retryAfter } from "@/lib/platform/errors";
import { aside } from "@/lib/platform/limits/page-turn";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

/** Callers wait for the mail to be accepted, so a hanging server counts as a refusal. */
const SMTP_TIMEOUT_MS = 10_000;

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
    await aside(() => transports[config().mail.transport](mail));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "no code";
    logError(`The ${config().mail.transport} transport did not accept an email (${reason}).`);
    throw new ApiError("mail_unavailable", "The email could not be sent. Nothing has changed.", {
      headers: retryAfter(60),
      cause: error,
    });
  }
}

/**
 * Whether a failed `sendMail` surely sent nothing, since the server refused the email or could not be
 * reached: it may fail after the mail was accepted.
 */
export function wasNotSent(error: unknown): boolean {
  const failure = smtpErrorOf(error);
  if (!failure) return false;
  const { responseCode, syscall, code = "", message } = failure;
  return (
    responseCode !== undefined ||
    syscall === "connect" ||
    ["EDNS", "EAUTH", "EENVELOPE"].includes(code) ||
    /^(Connection timeout|Greeting never received)/.test(message)
  );
}

/** Whether a `sendMail` failed permanently because of the address: it should not be tried again soon. */
export function isAddressRefused(error: unknown): boolean {
  const { responseCode = 0, command } = smtpErrorOf(error) ?? {};
  return command === "RCPT TO" && responseCode >= 550 && responseCode <= 554;
}

type SmtpError = NodeJS.ErrnoException & { responseCode?: number; command?: string };

/** The SMTP error behind a failed `sendMail`. */
function smtpErrorOf(error: unknown): SmtpError | undefined {
  return error instanceof ApiError && error.cause instanceof Error ? error.cause : undefined;
}

const transports: Record<Config["mail"]["transport"], (mail: Mail) => Promise<void>> = {
  async smtp({ to, subject, text, stopUrl }) {
    await smtpTransport().sendMail({
      from: config().mail.from,
      to: { name: "", address: to },
      subject,
      text,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(stopUrl !== undefined && {
          "List-Unsubscribe": `<${stopUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
    });
  },

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

function smtpTransport() {
  return oncePerProcess("mail.smtp", () =>
    createTransport({
      url: config().mail.smtpUrl,
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
      dnsTimeout: SMTP_TIMEOUT_MS,
      // The content must never be read from a file or URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
}
