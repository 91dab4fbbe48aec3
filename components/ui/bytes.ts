import { counted } from "@/lib/platform/counted";
/** A size in bytes, in readable units. */
export function bytes(size: number | null): string {
  if (size === null) return "";
  if (size < 1000) return counted(size, "byte");
  return size < 1_000_000
    ? `${(size / 1000).toFixed(1)} kB`
    : `${(size / 1_000_000).toFixed(1)} MB`;
}
