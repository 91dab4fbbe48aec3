import type { Output } from "./output.js";
import { printable } from "./printable.js";

/** Writes what was created and, if nobody owns it, how to own it. */
export function writeCreated(output: Output, created: Created, ...lines: string[]): void {
  const link = created.claim_link;
  const claim = link ? [`It is public. Make it yours: ${printable(link)}`] : [];
  output.result(created, [...lines, ...claim].join("\n"));
}

interface Created {
  id: string;
  claim_link?: string | null;
}
