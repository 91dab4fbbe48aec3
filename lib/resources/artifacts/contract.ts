import * as z from "zod";
import {
  created,
  createdAt,
  extended,
  externalId,
  idOf,
  NAME,
  objectType,
  provingToken,
  reference,
  resourceFields,
  survivesClaim,
  text,
  timeOrNull,
} from "@/lib/platform/http/fields";
import { artifactKind } from "./kind";

const CONTENT_CHARACTERS_MAX = 1_000_000;
/** Versions kept per artifact; a new one evicts the oldest. */
export const VERSIONS_MAX = 100;
/**
 * The maximum number of UTF-8 bytes of an artifact's earlier contents. The trigger that keeps them
 * has the same limit.
 */
export const EARLIER_CONTENT_BYTES_MAX = 10_000_000;
/** How long a content is kept after it has been replaced. */
export const EARLIER_CONTENT_SECONDS = 90 * 86_400;
/**
 * The maximum number of working share links per artifact. Anyone who knows a public ID can make
 * them, and a claim lists them.
 */
export const SHARES_MAX = 100;
const SHARE_SECONDS_MAX = 31_622_400; // 366 days

const formats = ["markdown", "html"] as const;
export type Format = (typeof formats)[number];

const CONTENT = "The document, as Markdown or HTML.";
const FORMAT = "How the content is written. Default: `markdown`.";
const size = z.int().describe("The length of the content in UTF-8 bytes.");

export const Artifact = z
  .object({
    id: idOf(artifactKind.prefix),
    object: objectType("artifact"),
    name: z.string().describe(NAME),
    size,
    content: z.string().describe(CONTENT),
    format: z.enum(formats).describe(FORMAT),
    raw_url: z.string().describe("Serves the content alone; relative to the base URL."),
    ...resourceFields,
  })
  .meta({
    id: "Artifact",
    examples: [
      {
        name: "Report",
        size: 8,
        content: "# Report",
        raw_url: "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/raw",
      },
    ],
  });
export type Artifact = z.infer<typeof Artifact>;

export const ListedArtifact = Artifact.omit({ content: true }).meta({
  id: "ListedArtifact",
  examples: [
    { name: "Report", size: 8, raw_url: "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/raw" },
  ],
});
export type ListedArtifact = z.infer<typeof ListedArtifact>;

export const CreatedArtifact = created(Artifact, "CreatedArtifact", artifactKind.name, {
  share_url: z.string().optional().describe("With `share=true`: shows it to anyone. Shown once."),
  url: z.string().optional().describe("The same as `share_url`."),
});
export type CreatedArtifact = z.infer<typeof CreatedArtifact>;

const content = text({ max: CONTENT_CHARACTERS_MAX }).describe(CONTENT);

export const ArtifactCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).describe(NAME),
    content,
    format: z.enum(formats).optional().describe(FORMAT),
    external_id: externalId.optional(),
  })
  .meta({ id: "ArtifactCreate", examples: [{ name: "Report", content: "# Report" }] });
export type ArtifactCreate = z.infer<typeof ArtifactCreate>;

export const ArtifactCreateQuery = z.object({
  share: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true` also makes a share link, `share_url`.")
    .meta({ query: { type: "boolean", default: false } }),
});

export const ArtifactUpdate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).optional().describe(NAME),
    content: content.optional(),
    format: z.enum(formats).optional().describe(FORMAT),
  })
  .meta({ id: "ArtifactUpdate", examples: [{ content: "# Report, revised" }] });
export type ArtifactUpdate = z.infer<typeof ArtifactUpdate>;

export const RawQuery = z.object({
  download: text().optional().describe("`1` makes it an attachment with a file name."),
});

export const ShareCreate = z
  .strictObject({
    expires_in: z
      .int()
      .min(1)
      .max(SHARE_SECONDS_MAX)
      .nullable()
      .optional()
      .describe("Seconds until the link expires; without it or with null, it works until revoked."),
    claim_token: provingToken,
  })
  .meta({ id: "ArtifactShareCreate", examples: [{ expires_in: 86_400 }] });
export type ShareCreate = z.infer<typeof ShareCreate>;

const ARTIFACT_ID = reference("art", "The artifact that it shows.");

/** The fields of a share link, on creation and in the list. */
const ShareFields = z
  .object({
    id: idOf("shr"),
    object: objectType("artifact_share"),
    artifact_id: ARTIFACT_ID,
    survives_claim: survivesClaim,
    expires_at: timeOrNull("When the link ends, in Unix seconds; null if never."),
    created_at: createdAt,
  })
  .meta({
    examples: [
      {
        id: "shr_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "artifact_share",
        artifact_id: "art_034gLHnnT5MH2Sbz6VPrmYvR1q",
        survives_claim: true,
        expires_at: null,
        created_at: 1_767_225_600,
      },
    ],
  });

const SHARE_URL =
  "https://agents.acme.dev/a/034gLHnnT5MH2Sbz6VPrmYvR1q9f86d081884c7d659a2feaa0c55ad015";

export const ArtifactShare = extended(
  ShareFields,
  "ArtifactShare",
  {
    url: z.string().describe("Shows the artifact to anyone. Shown once."),
    share_url: z.string().describe("The same as `url`."),
  },
  () => ({ url: SHARE_URL, share_url: SHARE_URL }),
);
export type ArtifactShare = z.infer<typeof ArtifactShare>;

export const ListedShare = extended(
  ShareFields,
  "ListedArtifactShare",
  {
    survived_claim: z
      .boolean()
      .describe("Whether the artifact's creator made it before a claim, which kept it."),
  },
  () => ({ survived_claim: false }),
);
export type ListedShare = z.infer<typeof ListedShare>;

export const ArtifactVersion = z
  .object({
    id: idOf("ver"),
    object: objectType("artifact_version"),
    artifact_id: reference("art", "The artifact that had it."),
    number: z.int().describe("Counts from 1, the first version."),
    name: z.string().describe("The artifact's name in this version."),
    format: z.enum(formats).describe("The artifact's format in this version."),
    size,
    author: z
      .string()
      .nullable()
      .describe("The key's name or the person's address; null if public, unknown or hidden."),
    raw_url: z
      .string()
      .nullable()
      .describe("Serves the content, relative to the base URL; null if it is no longer kept."),
    created_at: createdAt,
  })
  .meta({
    id: "ArtifactVersion",
    examples: [
      {
        id: "ver_034gLHnnT5MH2Sbz6VPrmYvR1q_2",
        number: 2,
        name: "Report",
        size: 17,
        author: "writer-1",
        raw_url: "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/versions/2/raw",
        created_at: 1_767_225_900,
      },
    ],
  });
export type ArtifactVersion = z.infer<typeof ArtifactVersion>;
