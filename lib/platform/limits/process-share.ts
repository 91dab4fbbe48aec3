import { config } from "@/lib/platform/config/config";

/** This process's part of a limit that all clients share. */
export function shareOfTotal(limit: number): number {
  return Math.ceil(limit / config().processes);
}

/**
 * This process's part of a limit on one client: twice an even part, because a client's connections
 * are spread unevenly over the processes.
 */
export function shareOfClient(limit: number): number {
  return Math.min(Math.ceil((2 * limit) / config().processes), limit);
}
