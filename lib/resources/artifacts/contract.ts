import * as z from "zod";
import {
  claimFields,
  externalId,
  provingToken,
  resourceFields,
  survivesClaim,
  text,
} from "@/lib/platform/http/fields";
import { listQuery } from "@/lib/platform/lists/list";
import { artifactKind } from "./kind";

const CONTENT_CHARACTERS_MAX = 1_000_000;
/** Versions kept per artifact; a new one evicts the oldest. */
export const VERSIONS_MAX = 100;
/** The UTF-8 bytes of an artifact's earlier contents, as in the trigger that keeps them. */
export const EARLIER_CONTENT_BYTES_MAX = 10_000_000;
/** How long a content is kept after it has been replaced. */
export const EARLIER_CONTENT_SECONDS = 90 * 86_400;
const SHARE_SECONDS_MIN = 60;
const SHARE_SECONDS_MAX = 31_622_400; // 366 days

const formats = ["markdown", "html"] as const;
export type Format = (typeof formats)[number];

export const Artifact = z
  .object({
    id: z.string(),
    object: z.literal("artifact"),
    name: z.string(),
    size: z.int().describe("Size of the content in UTF-8 bytes"),
    content: z.string(),
    format: z.enum(formats),
    raw_url: z.string().describe("Serves the content; relative to the base URL"),
    ...resourceFields,
  })
  .meta({
    id: "Artifact",
    examples: [
      {
        id: "art_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "artifact",
        name: "Report",
        size: 8,
        content: "# Report",
        format: "markdown",
        raw_url: "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/raw",
        organization_id: null,
        external_id: "crm-4711",
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export type Artifact = z.infer<typeof Artifact>;

export const ListedArtifact = Artifact.omit({ content: true }).meta({
  id: "ListedArtifact",
  examples: [
    {
      id: "art_034gLHnnT5MH2Sbz6VPrmYvR1q",
      object: "artifact",
      name: "Report",
      size: 8,
      format: "markdown",
      raw_url: "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/raw",
      organization_id: null,
      external_id: "crm-4711",
      created_at: 1_767_225_600,
      updated_at: 1_767_225_600,
    },
  ],
});
export type ListedArtifact = z.infer<typeof ListedArtifact>;

export const CreatedArtifact = Artifact.extend({
  ...claimFields,
  share_url: z.string().optional().describe("With `share=true`"),
  url: z.string().optional().describe("The same as `share_url`"),
}).meta({ id: "CreatedArtifact" });
export type CreatedArtifact = z.infer<typeof CreatedArtifact>;

const content = text({ max: CONTENT_CHARACTERS_MAX });

export const ArtifactCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }),
    content,
    format: z.enum(formats).optional().describe("Default: `markdown`"),
    external_id: externalId.optional(),
  })
  .meta({ id: "ArtifactCreate", examples: [{ name: "Report", content: "# Report" }] });
export type ArtifactCreate = z.infer<typeof ArtifactCreate>;

export const ArtifactCreateQuery = z.object({
  share: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true` also makes a share link.")
    .meta({ query: { type: "boolean", default: false } }),
});

export const ArtifactUpdate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).optional(),
    content: content.optional(),
    format: z.enum(formats).optional(),
  })
  .meta({ id: "ArtifactUpdate", examples: [{ content: "# Report, revised" }] });
export type ArtifactUpdate = z.infer<typeof ArtifactUpdate>;

export const ArtifactListQuery = listQuery(artifactKind.prefix).extend({
  external_id: text().optional(),
});
export type ArtifactListQuery = z.infer<typeof ArtifactListQuery>;

export const RawQuery = z.object({
  download: text().optional().describe("`1`: as an attachment."),
});

export const ShareCreate = z
  .strictObject({
    expires_in: z
      .int()
      .min(SHARE_SECONDS_MIN)
      .max(SHARE_SECONDS_MAX)
      .nullable()
      .optional()
      .describe("Seconds until the link expires; without it, the link lasts until revoked"),
    claim_token: provingToken,
  })
  .meta({ id: "ArtifactShareCreate", examples: [{ expires_in: 86_400 }] });
export type ShareCreate = z.infer<typeof ShareCreate>;

/** The fields of a share link, on creation and in the list. */
export const ShareFields = z
  .object({
    id: z.string(),
    object: z.literal("artifact_share"),
    artifact_id: z.string(),
    survives_claim: survivesClaim,
    expires_at: z.int().nullable().describe("Unix seconds; null: never"),
    created_at: z.int(),
  })
  .meta({
    id: "ArtifactShareFields",
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

const shareUrl = z.string().meta({
  examples: [
    "https://agents.acme.dev/a/034gLHnnT5MH2Sbz6VPrmYvR1q9f86d081884c7d659a2feaa0c55ad015",
  ],
});

export const ArtifactShare = ShareFields.extend({
  url: shareUrl.describe("Shows the artifact to anyone; shown once"),
  share_url: shareUrl.describe("The same as `url`"),
}).meta({ id: "ArtifactShare" });
export type ArtifactShare = z.infer<typeof ArtifactShare>;

export const ListedShare = ShareFields.extend({
  survived_claim: z
    .boolean()
    .describe("Created before a claim by the artifact's creator")
    .meta({ examples: [false] }),
}).meta({ id: "ListedArtifactShare" });
export type ListedShare = z.infer<typeof ListedShare>;

export const ShareListQuery = listQuery("shr");
export type ShareListQuery = z.infer<typeof ShareListQuery>;

export const ArtifactVersion = z
  .object({
    id: z.string(),
    object: z.literal("artifact_version"),
    artifact_id: z.string(),
    number: z.int().describe("Counts from 1"),
    name: z.string(),
    format: z.enum(formats),
    size: z.int().describe("Size of the content in UTF-8 bytes"),
    author: z
      .string()
      .nullable()
      .describe("The key's name or the person's address; null: public or unknown"),
    raw_url: z.string().nullable().describe("Serves the content; null: no longer kept"),
    created_at: z.int().describe("Unix seconds"),
  })
  .meta({
    id: "ArtifactVersion",
    examples: [
      {
        id: "ver_034gLHnnT5MH2Sbz6VPrmYvR1q_2",
        object: "artifact_version",
        artifact_id: "art_034gLHnnT5MH2Sbz6VPrmYvR1q",
        number: 2,
        name: "Report",
        format: "markdown",
        size: 17,
        author: "writer-1",
        raw_url: "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/versions/2/raw",
        created_at: 1_767_225_900,
      },
    ],
  });
export type ArtifactVersion = z.infer<typeof ArtifactVersion>;

export const VersionListQuery = listQuery("ver");
export type VersionListQuery = z.infer<typeof VersionListQuery>;
