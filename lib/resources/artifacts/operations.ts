import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { listOf, listQuery, resourceListQuery } from "@/lib/platform/lists/list";
import { provenBy } from "@/lib/resources/claim-token";
import { standardOperations } from "@/lib/resources/standard-operations";
import * as contract from "./contract";
import { artifactKind } from "./kind";
import { rawResponse } from "./raw";
import { creation, get, list, remove, update } from "./service";
import * as shares from "./shares";
import * as versions from "./versions";

/** The members that the caller of a write already has. */
const minimal = ["content"];

export const artifactOperations = {
  ...standardOperations({
    kind: artifactKind,
    id: "Artifact",
    nouns: ["an artifact", "artifacts"],
    schemas: {
      resource: contract.Artifact,
      created: contract.CreatedArtifact,
      listed: contract.ListedArtifact,
      query: resourceListQuery(artifactKind.prefix),
      create: contract.ArtifactCreate,
      update: contract.ArtifactUpdate,
    },
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    minimal,
    service: { list, creation: (caller, input) => creation(caller, input), get, update, remove },
    create: {
      description:
        "A Markdown or HTML document. `share=true` also creates a share link, which survives a claim.",
      query: contract.ArtifactCreateQuery,
      creation: (caller, input, { share }) =>
        creation(caller, input, { isShared: share === "true" }),
    },
  }),
  getRaw: operation("GET /api/artifacts/{id}/raw", {
    id: "getRawArtifact",
    summary: "Get the raw content",
    query: contract.RawQuery,
    success: { status: 200, contentType: "text/*" },
    ranges: true,
    async handle({ caller, params, query, request }) {
      const artifact = await get(caller, params.id);
      const isPublic = artifact.organization_id === null;
      return rawResponse(request, artifact, { public: isPublic, ...query });
    },
  }),
  listVersions: operation("GET /api/artifacts/{id}/versions", {
    id: "listArtifactVersions",
    summary: "List the versions of an artifact",
    description: "Newest first. The first one is the current version.",
    query: listQuery("ver"),
    success: { status: 200, schema: listOf(contract.ArtifactVersion) },
    handle: ({ caller, params, query }) => versions.listVersions(caller, params.id, query),
  }),
  getRawVersion: operation("GET /api/artifacts/{id}/versions/{n}/raw", {
    id: "getRawArtifactVersion",
    summary: "Get the raw content of a version of an artifact",
    description: "404 when the content is no longer kept.",
    query: contract.RawQuery,
    success: { status: 200, contentType: "text/*" },
    ranges: true,
    async handle({ caller, params, query, request }) {
      const version = await versions.getVersion(caller, params.id, params.n);
      return rawResponse(request, version, { public: version.isPublic, ...query });
    },
  }),
  share: operation("POST /api/artifacts/{id}/share", {
    id: "shareArtifact",
    summary: "Create a share link",
    description:
      "Anyone with the link sees the artifact's current content. A claim ends the link unless it was made with the claim token.",
    takesClaimToken: true,
    body: contract.ShareCreate,
    bodyOptional: true,
    success: { status: 200, schema: contract.ArtifactShare },
    errors: ["resource_not_claimable", "invalid_claim_token"],
    handle: ({ caller, params, body, request, commit }) =>
      shares.share(provenBy(body.claim_token, caller, request), params.id, body, commit),
  }),
  revokeShares: operation("DELETE /api/artifacts/{id}/share", {
    id: "revokeArtifactShares",
    summary: "Revoke all share links of an artifact",
    success: { status: 204 },
    untagged: true,
    deletesAll: true,
    handle: ({ caller, params }) => shares.revokeAll(caller, params.id),
  }),
  listShares: operation("GET /api/artifacts/{id}/shares", {
    id: "listArtifactShares",
    summary: "List the share links of an artifact",
    description: "Active links only, without their URLs.",
    query: listQuery("shr"),
    success: { status: 200, schema: listOf(contract.ListedShare) },
    handle: ({ caller, params, query }) => shares.listShares(caller, params.id, query),
  }),
  revokeShare: operation("DELETE /api/artifacts/{id}/shares/{shareId}", {
    id: "revokeArtifactShare",
    summary: "Revoke a share link of an artifact",
    success: { status: 204 },
    untagged: true,
    handle: ({ caller, params }) => shares.revokeShare(caller, params.id, params.shareId),
  }),
};
