import { z } from "zod";
import { claimFields, externalId, resourceFields, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list";

const CONTENT_CHARACTERS_MAX = 1_000_000;
const SHARE_SECONDS_MIN = 60;
const SHARE_SECONDS_MAX = 31_622_400; // 366 days

/** Of a request that carries content: every character may arrive escaped, as a pair of `\uXXXX`. */
export const ARTIFACT_BODY_BYTES_MAX = 13_000_000;

const formats = ["markdown", "html"] as const;
export type Format = (typeof formats)[number];

export const Artifact = z.object({
  id: z.string().describe("Begins with art_"),
  object: z.literal("artifact"),
  name: z.string(),
  size: z.int().describe("Bytes of the content in UTF-8"),
  content: z.string(),
  format: z.enum(formats),
  raw_url: z.string().describe("Serves the content itself; relative to the base URL"),
  ...resourceFields,
});
export type Artifact = z.infer<typeof Artifact>;

export const ListedArtifact = Artifact.omit({ content: true });
export type ListedArtifact = z.infer<typeof ListedArtifact>;

export const CreatedArtifact = Artifact.extend({
  ...claimFields,
  share_url: z
    .string()
    .optional()
    .describe("With `share=true`: shows the artifact to anyone, also after a claim."),
});
export type CreatedArtifact = z.infer<typeof CreatedArtifact>;

const content = text({ max: CONTENT_CHARACTERS_MAX });

export const ArtifactCreate = z.strictObject({
  name: text({ min: 1, max: 200 }),
  content,
  format: z.enum(formats).optional().describe("`markdown` when left out"),
  external_id: externalId.optional(),
});
export type ArtifactCreate = z.infer<typeof ArtifactCreate>;

export const ArtifactCreateQuery = z.object({
  share: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true` also makes a share link: the answer has `share_url`."),
});

export const ArtifactUpdate = z.strictObject({
  name: text({ min: 1, max: 200 }).optional(),
  content: content.optional(),
  format: z.enum(formats).optional(),
});
export type ArtifactUpdate = z.infer<typeof ArtifactUpdate>;

export const ArtifactListQuery = listQuery("art").extend({ external_id: text().optional() });
export type ArtifactListQuery = z.infer<typeof ArtifactListQuery>;

export const RawQuery = z.object({
  download: text().optional().describe("`1` answers an attachment with a file name."),
});

export const ShareCreate = z.strictObject({
  expires_in: z
    .int()
    .min(SHARE_SECONDS_MIN)
    .max(SHARE_SECONDS_MAX)
    .nullable()
    .optional()
    .describe("Seconds until the link ends; left out or null: it ends when it is revoked."),
  claim_token: z
    .string()
    .min(1)
    .optional()
    .describe("From the create response: the link then survives a claim of the artifact."),
});
export type ShareCreate = z.infer<typeof ShareCreate>;

export const ArtifactShare = z.object({
  id: z.string().describe("Begins with shr_"),
  object: z.literal("artifact_share"),
  artifact_id: z.string(),
  url: z.string().describe("Shows the artifact to whoever opens it; shown once"),
  expires_at: z.int().nullable().describe("Unix seconds; null: when it is revoked"),
  created_at: z.int().describe("Unix seconds"),
});
export type ArtifactShare = z.infer<typeof ArtifactShare>;

export const ListedShare = ArtifactShare.omit({ url: true }).extend({
  survived_claim: z
    .boolean()
    .describe("The artifact's creator made the link before an organization claimed the artifact."),
});
export type ListedShare = z.infer<typeof ListedShare>;

export const ShareListQuery = listQuery("shr");
export type ShareListQuery = z.infer<typeof ShareListQuery>;
