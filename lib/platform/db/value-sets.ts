import type { Scope } from "@/lib/platform/caller";
import type { ChangeAction, ResourceKind } from "./generated/client";

/**
 * The values of JSON columns, of lists and of one set with a value that is not an identifier, by
 * model, and the lists that may be NULL. Prisma's schema cannot state them. See docs/decisions.md.
 */
export interface ValueSets {
  AgentRegistration: { type: "anonymous" | "service_auth" | "agent-provider" };
  ApiKey: { scopes: Scope[] };
  MessageAttempt: { response_headers: Record<string, string> | null };
  NoticeSetting: { kinds: ("messages" | "inboxes" | "agents" | "questions")[] };
  OAuthAccessToken: { scopes: Scope[] };
  OAuthCode: { scopes: Scope[] };
  OAuthDeviceCode: { scopes: Scope[] };
  ScheduledMessage: { headers: Record<string, string> };
  Subscription: { kinds: ResourceKind[]; actions: ChangeAction[] };
  WebhookForward: {
    methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | null;
  };
}
