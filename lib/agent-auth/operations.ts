import { z } from "zod";
import { scopes } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { Answer, operation } from "@/lib/http/operation";

const ProtectedResource = z.object({
  resource: z.url(),
  resource_name: z.string(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(z.enum(scopes)),
  bearer_methods_supported: z.array(z.literal("header")),
  resource_documentation: z.url(),
});

export const getProtectedResource = operation({
  id: "getProtectedResource",
  method: "GET",
  path: "/.well-known/oauth-protected-resource",
  tag: "Discovery",
  summary: "Protected-resource metadata (RFC 9728)",
  auth: "ignored",
  success: { status: 200, schema: ProtectedResource },
  handle() {
    const { baseUrl } = config();
    const metadata: z.infer<typeof ProtectedResource> = {
      resource: `${baseUrl}/`,
      resource_name: "Agent Infrastructure Service",
      authorization_servers: [baseUrl],
      scopes_supported: [...scopes],
      bearer_methods_supported: ["header"],
      resource_documentation: `${baseUrl}/auth.md`,
    };
    return new Answer(
      200,
      { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" },
      JSON.stringify(metadata),
    );
  },
});
