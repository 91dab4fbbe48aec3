import { networkOf } from "@/lib/platform/addresses";
import type { Caller } from "@/lib/platform/caller";

/** A caller without a credential at this address. */
export function fromNetwork(address: string | null): Caller {
  return { kind: "anonymous", network: networkOf(address, 48) };
}

/** The network of an anonymous caller, stored with what the caller creates. */
export function creatorNetwork(caller: Caller): string | null {
  return caller.kind === "anonymous" ? (caller.network ?? null) : null;
}
