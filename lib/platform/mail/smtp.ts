import { createTransport } from "nodemailer";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";

/** Callers wait for the mail to be accepted, so a hanging server counts as a refusal. */
const TIMEOUT_MS = 10_000;

/** Sends through the configured SMTP server; rejects when the server does not accept the mail. */
export async function sendBySmtp(mail: {
  to: string;
  subject: string;
  text: string;
  stopUrl?: string;
}): Promise<void> {
  const { to, subject, text, stopUrl } = mail;
  await transport().sendMail({
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
}

/** Whether the server refused the email or could not be reached, so that nothing was sent. */
export function isRefusal(error: Error): boolean {
  const { responseCode, syscall, code } = error as SmtpError;
  return (
    responseCode !== undefined ||
    syscall === "connect" ||
    ["EDNS", "EAUTH", "EENVELOPE"].includes(code ?? "") ||
    /^(Connection timeout|Greeting never received)/.test(error.message)
  );
}

/** Whether the server refused the address for good: it should not be tried again soon. */
export function isRefusalOfAddress(error: Error): boolean {
  const { responseCode = 0, command } = error as SmtpError;
  return command === "RCPT TO" && responseCode >= 550 && responseCode <= 554;
}

type SmtpError = NodeJS.ErrnoException & { responseCode?: number; command?: string };

function transport() {
  return oncePerProcess("mail.smtp", () => {
    const url = new URL(config().mail.smtpUrl ?? "");
    return createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port) || (url.protocol === "smtps:" ? 465 : 587),
      secure: url.protocol === "smtps:",
      ...(url.username !== "" && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      // The content must never be read from a file or URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
}
