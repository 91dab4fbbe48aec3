import type { Audience, Scope } from "@/lib/platform/caller";

/**
 * The values of text columns with few values and of JSON columns, by model, and the lists that may
 * be NULL. Prisma's schema cannot state either, and the database does not enforce them.
 */
export interface ValueSets {
  AgentRegistration: {
    type: "anonymous" | "service_auth" | "agent-provider";
    requested_credential_type: "api_key" | "access_token";
  };
  ApiKey: { kind: "api_key" | "access_token" | "oauth_grant"; scopes: Scope[] };
  Artifact: { format: Format };
  ArtifactVersion: { format: Format };
  Change: { kind: Kind; action: Action };
  Invitation: { role: Role };
  Member: { role: Role };
  MessageAttempt: { response_headers: Record<string, string> | null };
  NoticeSetting: { kinds: ("messages" | "inboxes" | "agents")[] };
  OAuthAccessToken: { audience: Audience; scopes: Scope[] };
  OAuthCode: { audience: Audience; scopes: Scope[] };
  OAuthDeviceCode: { audience: Audience; scopes: Scope[] };
  OAuthGrant: { audience: Audience };
  Schedule: { catch_up: "skip" | "once" };
  ScheduleRun: {
    reason:
      | "inbox_full"
      | "inbox_deleted"
      | "other_owner"
      | "forbidden"
      | "public_limit"
      | "internal_error"
      | null;
  };
  ScheduledMessage: {
    headers: Record<string, string>;
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    status: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
  };
  Subscription: {
    kinds: Kind[];
    actions: Action[];
    obstacle: "inbox_full" | "too_many_pending" | null;
  };
  Task: { priority: "low" | "medium" | "high" | "critical" };
  WebhookEvent: { forward_status: "held" | "forwarded" | "skipped" | "failed" | null };
  WebhookForward: {
    methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | null;
    obstacle: "inbox_full" | "other_owner" | "too_many_pending" | null;
  };
  WebhookReplay: { status: "running" | "completed" | "canceled" };
  WebhookVerification: {
    scheme: "github" | "stripe" | "slack" | "shopify" | "standard_webhooks" | "hmac";
    encoding: "hex" | "base64" | null;
  };
}

type Role = "owner" | "member";

type Format = "markdown" | "html";

type Kind = "tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules";

type Action =
  | "created"
  | "updated"
  | "deleted"
  | "claimed"
  | "leased"
  | "released"
  | "completed"
  | "note_added"
  | "blocker_added"
  | "blocker_removed"
  | "shared"
  | "unshared"
  | "canceled"
  | "retried"
  | "delivered"
  | "failed"
  | "event_dead";
