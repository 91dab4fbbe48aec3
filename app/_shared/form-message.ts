import type { ApiError } from "@/lib/platform/errors";

/** A service error in a form's words. The form shows it at the field. */
export function formMessage({ code, message, param }: ApiError): string {
  if (code === "url_not_allowed") return "Private addresses cannot be reached. Use a public URL.";
  const name = JSON.stringify(param);
  if (param === null || !message.startsWith(`${name} `)) return message;
  const label = labelOf(param);
  const rest = message.slice(name.length + 1);
  const tooLong = /^must have (?:(\d+) to |at most )(\d+) characters; it has (\d+)\.$/.exec(rest);
  if (!tooLong) return `${label} ${rest}`;
  const [, min, max, length] = tooLong;
  const bounds = min === undefined ? `up to ${grouped(max)}` : `${grouped(min)}–${grouped(max)}`;
  return `${label}: ${bounds} characters (yours has ${grouped(length)})`;
}

/** "default_ttl_seconds" as "Default ttl seconds". */
function labelOf(param: string): string {
  const words = param.replace(/^answer\./, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function grouped(digits = ""): string {
  return Number(digits).toLocaleString("en");
}
