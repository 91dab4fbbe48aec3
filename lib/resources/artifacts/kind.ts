import type { KindDescription } from "@/lib/resources/kind";

export const artifactKind = {
  name: "artifacts",
  title: "Artifacts",
  noun: "artifact",
  description: "Markdown or HTML documents, and share links to them.",
  icon: "M4 1.8h5.2L12.5 5v9.2H4zM9 1.8V5.2h3.5M6 8.5h4M6 11h4",
  prefix: "art",
  model: "Artifact",
  table: "artifacts",
  madeFor: [],
  parts: [
    {
      model: "ArtifactShare",
      table: "artifact_shares",
      parent: "artifact_id",
      key: "id",
      prefix: "shr",
    },
    {
      model: "ArtifactContent",
      table: "artifact_contents",
      parent: "artifact_id",
      key: "number",
      large: true,
    },
    {
      model: "ArtifactVersion",
      table: "artifact_versions",
      parent: "artifact_id",
      key: "number",
      prefix: "ver",
    },
  ],
  volatile: [],
  onCreates: ["share_url", "url"],
  longText: "content",
  first: {
    title: "Publish documents",
    text: "Markdown or HTML, rendered, and shared by a link that can be revoked.",
    button: "Publish this document",
    body: { name: "Report", content: "# Hello" },
  },
} as const satisfies KindDescription;
