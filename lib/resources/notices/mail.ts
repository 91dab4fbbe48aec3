import { config } from "@/lib/platform/config/config";
import type { Mail } from "@/lib/platform/mail/send";
import { signedId } from "@/lib/platform/signed-id";
import { errorClass } from "@/lib/resources/messages/outcome";
import type { Digest } from "./digest";
import { QUESTION_MAILS_MAX, type QuestionNews } from "./question-notices";
import { STOP_NOTICES } from "./settings";

const NAME_CHARACTERS_MAX = 100;
const INBOXES_LISTED_MAX = 10;
const PROMPT_CHARACTERS_MAX = 300;

/** A digest email; `full` are the inboxes to report. */
export function noticeMail(
  settingId: string,
  to: string,
  news: Digest,
  full: Digest["full"],
): Mail {
  const { baseUrl } = config();
  const { failed_count: failed, waiting_agents: agents } = news;
  const summary = [
    failed > 0 && `${count(failed, "message")} failed`,
    full.length > 0 && `${count(full.length, "inbox", "inboxes")} nearly full`,
    agents > 0 && `${count(agents, "agent")} waiting to be claimed`,
  ].filter((part) => part !== false);
  const parts = [
    failed > 0 && failedPart(news, baseUrl),
    full.length > 0 && fullPart(full, baseUrl),
    agents > 0 &&
      `${count(agents, "agent")} ${agents === 1 ? "has" : "have"} registered and can be claimed:\n\n    ${baseUrl}/keys?tab=agents\n`,
  ].filter((part) => part !== false);
  return mailOf(settingId, to, {
    subject: summary.join(", "),
    text: `Digest of the organization ${line(news.organization_name, NAME_CHARACTERS_MAX)}:

${parts.join("\n")}
You get at most one of these emails an hour.`,
  });
}

/** An email about questions that wait for a person. */
export function questionMail(to: string, news: QuestionNews): Mail {
  const { id, organization_name, count: all, questions } = news;
  const { baseUrl } = config();
  const lines = questions.map(
    (one) => `    ${line(one.prompt, PROMPT_CHARACTERS_MAX)}\n    ${baseUrl}/questions/${one.id}\n`,
  );
  const more = all > questions.length ? `\n    All of them: ${baseUrl}/questions?state=open\n` : "";
  return mailOf(id, to, {
    subject: `${count(all, "question")} ${all === 1 ? "waits" : "wait"} for you`,
    text: `Agents of the organization ${line(organization_name, NAME_CHARACTERS_MAX)} ask, in their own words:

${lines.join("\n")}${more}
Sign in there to answer. The first answer is final. You get at most ${QUESTION_MAILS_MAX} of these emails an hour.`,
  });
}

/** An email that says how to stop it. Its subject has no names, through which a stranger could choose it. */
function mailOf(
  settingId: string,
  to: string,
  { subject, text }: { subject: string; text: string },
): Mail {
  const { baseUrl } = config();
  const token = signedId(STOP_NOTICES, settingId);
  return {
    to,
    subject: `${subject} on Agent Infrastructure`,
    text: `${text} Choose which emails you get:
${baseUrl}/settings?tab=notices

Stop them with one click, without signing in:
${baseUrl}/notices/${token}
`,
    stopUrl: `${baseUrl}/notices/${token}/stop`,
  };
}

function failedPart({ failed_count: all, failed }: Digest, baseUrl: string): string {
  // Only the host and the kind of error: paths and queries may contain secrets, and an error may quote a
  // redirect's.
  const lines = failed.map(
    ({ id, method, host, last_error }) =>
      `    ${method} to ${line(host, NAME_CHARACTERS_MAX)}: ${errorClass(last_error ?? "no response")}\n    ${baseUrl}/messages/${id}\n`,
  );
  const more = all > failed.length ? `    All of them: ${baseUrl}/messages?status=failed\n` : "";
  return `${count(all, "message")} failed and will not be retried:\n\n${lines.join("\n")}${more && `\n${more}`}`;
}

function fullPart(full: Digest["full"], baseUrl: string): string {
  const lines = full
    .slice(0, INBOXES_LISTED_MAX)
    .map(
      ({ id, name, pending, max_events }) =>
        `    ${line(name, NAME_CHARACTERS_MAX)}: ${pending.toLocaleString("en")} of ${max_events.toLocaleString("en")} events\n    ${baseUrl}/inboxes/${id}\n`,
    );
  const more = full.length > lines.length ? `\n    All inboxes: ${baseUrl}/inboxes\n` : "";
  const verb = full.length === 1 ? "is" : "are";
  return `${count(full.length, "inbox", "inboxes")} ${verb} nearly full. A full inbox rejects new events:\n\n${lines.join("\n")}${more}`;
}

/** Counts stop at a thousand. */
function count(number: number, one: string, many = `${one}s`): string {
  const shown = number > 1000 ? "More than 1,000" : number.toLocaleString("en");
  return `${shown} ${number === 1 ? one : many}`;
}

/** Untrusted text on one line, so that it cannot look like another part of the email. */
function line(text: string, charactersMax: number): string {
  const flat = Array.from(text.replaceAll(/[\p{C}\s]+/gu, " ").trim());
  return flat.length > charactersMax ? `${flat.slice(0, charactersMax).join("")}…` : flat.join("");
}
