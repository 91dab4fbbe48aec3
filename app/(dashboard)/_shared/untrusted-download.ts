import { Answer } from "@/lib/http/answer";

/** A download of bytes from an untrusted sender. No browser may render or run them on our origin. */
export function untrustedDownload(bytes: Uint8Array, name: string): Answer {
  return new Answer(
    200,
    {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Content-Security-Policy": "sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "private, no-store",
    },
    new Uint8Array(bytes),
  );
}
