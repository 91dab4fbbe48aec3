import type { Message } from "@/lib/resources/messages/contract";

/** A message as its form shows it. A binary body cannot be edited as text, so its field is empty. */
export function shownMessage(message: Message): object {
  return {
    ...message,
    headers: Object.entries(message.headers)
      .map((header) => header.join(": "))
      .join("\n"),
    body: isBinary(message) ? null : message.body,
  };
}

export function isBinary({ body_encoding }: Message): boolean {
  return body_encoding === "base64";
}
