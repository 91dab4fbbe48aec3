import type { Artifact } from "@/lib/artifacts/contract";

/** The rendered document, in a sandbox with an opaque origin. */
export function ArtifactFrame({ artifact }: { artifact: Artifact }) {
  return (
    <iframe
      src={`/artifacts/${artifact.id}/view`}
      title={artifact.name}
      sandbox={
        artifact.format === "html" ? "allow-scripts" : "allow-popups allow-popups-to-escape-sandbox"
      }
      referrerPolicy="no-referrer"
      className="block h-[70dvh] w-full border-0 sm:h-[calc(100dvh-7.5rem)]"
    />
  );
}
