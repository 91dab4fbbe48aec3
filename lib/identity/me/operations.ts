import { revokeOwnKey, rotateOwnKey } from "@/lib/identity/keys/own-key";
import { clientAddress } from "@/lib/platform/http/address";
import { operation } from "@/lib/platform/http/operation";
import { Me, OVERLAP_SECONDS_DEFAULT, Rotate, RotatedKey } from "./contract";
import { me } from "./service";

export const meOperations = {
  get: operation("GET /api/me", {
    id: "getMe",
    summary: "Get your credential",
    description:
      "Its scopes, organization, expiry and remaining rate limits. Without one, `kind` is `anonymous`.",
    scope: null,
    success: { status: 200, schema: Me },
    handle: ({ caller, request }) => me(caller, request),
  }),
  revokeKey: operation("DELETE /api/me/key", {
    id: "revokeMyKey",
    summary: "Revoke your key",
    description:
      "Any key may revoke itself, even with api.read only. The key it was rotated into or replaced ends too.",
    auth: "required",
    scope: null,
    success: { status: 204 },
    untagged: true,
    handle: ({ caller, request }) => revokeOwnKey(caller, clientAddress(request)),
  }),
  rotateKey: operation("POST /api/me/key/rotate", {
    id: "rotateMyKey",
    summary: "Rotate your key",
    description: `The new key has the same scopes and expiry. The old one works for \`overlap_seconds\` more and cannot be rotated again; until it ends, the new one cannot be either (409 \`old_key_still_valid\`).`,
    auth: "required",
    scope: null,
    body: Rotate,
    bodyOptional: true,
    errors: ["old_key_still_valid"],
    success: { status: 200, schema: RotatedKey },
    handle: ({ caller, body, request, commit }) =>
      rotateOwnKey(
        caller,
        body.overlap_seconds ?? OVERLAP_SECONDS_DEFAULT,
        clientAddress(request),
        commit,
      ),
  }),
};
