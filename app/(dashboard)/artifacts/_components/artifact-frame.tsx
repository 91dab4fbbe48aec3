import type { Artifact } from "@/lib/artifacts/contract";

/** The document as a reader sees it. Whatever it holds, it runs in an origin that is nobody's. */
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
