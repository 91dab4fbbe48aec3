import { curl, shellWord } from "@/components/ui/curl";
import { REDACTED } from "@/lib/http/recorded-headers";
import type { WebhookEvent } from "@/lib/webhooks/events/contract";
import { pathBelowCaptureUrl } from "./event-preview";

/** Longer bodies are fetched by the command instead of standing in it. */
const INLINE_CHARACTERS_MAX = 20_000;
/** curl sends these itself. */
const OWN_HEADERS = /^(?:host|content-length|connection|transfer-encoding|expect)$/;

/** A command that sends a captured request to the capture URL again, byte for byte. */
export function resendCommand(event: WebhookEvent, captureUrl: string, apiUrl: string): string {
  const url = captureUrl + pathBelowCaptureUrl(event);
  const headers = Object.entries(event.headers)
    .filter(([name, value]) => !OWN_HEADERS.test(name) && !value.includes(REDACTED))
    .map(([name, value]) => `-H ${shellWord(value === "" ? `${name};` : `${name}: ${value}`)}`);
  const send = ["curl -g -X", shellWord(event.method), shellWord(url), ...headers];
  if (event.body === null) return send.join(" ");
  const fits = event.body_encoding === "utf8" && event.body.length <= INLINE_CHARACTERS_MAX;
  if (fits) return [...send, "--data-raw", shellWord(event.body)].join(" ");
  const read = curl(`${apiUrl}/raw`, { key: event.organization_id !== null });
  return `${read} | ${[...send, "--data-binary @-"].join(" ")}`;
}
