import { printable } from "./printable.js";

/** The line that says how to own what was created without a key. None if it has an owner. */
export function claimLines({ claim_link }: Created): string[] {
  return claim_link ? [`It is public. Make it yours: ${printable(claim_link)}`] : [];
}

interface Created {
  id: string;
  claim_link?: string | null;
}
