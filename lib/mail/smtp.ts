import { createTransport } from "nodemailer";
import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";

/** Callers wait for the mail to be accepted, so a hanging server counts as a refusal. */
const TIMEOUT_MS = 10_000;

/** Sends through the configured SMTP server; rejects when the server does not accept the mail. */
export async function sendBySmtp(mail: {
  to: string;
  subject: string;
  text: string;
}): Promise<void> {
  const { to, subject, text } = mail;
  await transport().sendMail({
    from: config().mail.from,
    to: { name: "", address: to },
    subject,
    text,
    headers: { "Auto-Submitted": "auto-generated" },
  });
}

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
