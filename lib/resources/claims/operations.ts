import * as z from "zod";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { operation } from "@/lib/platform/http/operation";
import { HttpResponse } from "@/lib/platform/http/response";
import { resources } from "@/lib/resources/registry";
import { Claim, ClaimAll, ClaimSet } from "./contract";
import * as claims from "./service";
import { claimSet, listClaimSet } from "./set";

const withoutKey = "Any key will do, even the read-only one that /auth.md gets you at once.";

const ClaimedResource = z
  .union(resources.map(({ schema }) => schema))
  .meta({ id: "ClaimedResource" });

export const claimOperations = {
  claim: operation("POST /api/claim/{id}", {
    id: "claimResource",
    summary: "Claim a public resource",
    description:
      "Moves the resource, and what it created, to your key's organization. Any key will do. What others set without the token ends.",
    auth: "required",
    scope: null,
    withoutKey,
    body: Claim,
    success: { status: 200, schema: ClaimedResource },
    errors: ["resource_already_claimed", "invalid_claim_token"],
    handle: ({ caller, params, body, commit }) =>
      claims.claim(caller, params.id, body.claim_token, commit),
  }),
  /** Sends a person who opens a claim URL in a browser to the claim page. */
  openPage: operation("GET /api/claim/{id}", {
    id: "openClaimPage",
    inPartOnly: true,
    summary: "Redirect to the claim page",
    description:
      "Redirects browsers (`Accept: text/html`) to `/claim/{id}`. Other clients get 405: claim with POST, or give `claim_link` to a person.",
    auth: "ignored",
    anyQuery: true,
    failures: [405],
    success: { status: 303 },
    handle({ params, request }) {
      const page = `${config().baseUrl}/claim/${encodeURIComponent(params.id)}`;
      if (!request.headers.get("accept")?.includes("text/html")) {
        throw new ApiError(
          "method_not_allowed",
          `Claim with POST, an API key and the body {"claim_token": "clm_…"}. A person can claim in a browser: ${page}.`,
          { headers: { Allow: "POST, OPTIONS" } },
        );
      }
      return new HttpResponse(303, { Location: page }, null);
    },
  }),
  claimAll: operation("POST /api/claims", {
    id: "claimResources",
    summary: "Claim everything at once",
    description:
      "All or nothing: what was created with this token or joined it with `Claim-With`, and what that made. What others set without it ends; `dry_run` lists it. Any key will do.",
    auth: "required",
    scope: null,
    withoutKey,
    body: ClaimAll,
    success: { status: 200, schema: ClaimSet },
    errors: ["resource_already_claimed", "invalid_claim_token"],
    handle: ({ caller, body: { claim_token, dry_run = false }, commit }) =>
      dry_run ? listClaimSet(caller, claim_token) : claimSet(caller, claim_token, commit),
  }),
};
