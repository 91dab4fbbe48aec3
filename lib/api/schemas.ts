import * as z from "zod";
import * as agents from "@/lib/identity/agents/contract";
import { AuthorizationServer, ProtectedResource } from "@/lib/identity/agents/discovery";
import * as me from "@/lib/identity/me/contract";
import * as oauth from "@/lib/identity/oauth/contract";
import { ErrorEnvelope } from "@/lib/platform/http/error-envelope";
import { Claimable, Stored } from "@/lib/platform/http/fields";
import { Page } from "@/lib/platform/lists/list";
import * as artifacts from "@/lib/resources/artifacts/contract";
import * as changes from "@/lib/resources/changes/contract";
import { Claim, ClaimAll, ClaimSet } from "@/lib/resources/claims/contract";
import { ClaimedResource } from "@/lib/resources/claims/operations";
import * as inboxes from "@/lib/resources/inboxes/contract";
import * as consumers from "@/lib/resources/inboxes/events/consumer-contract";
import * as inboxEvents from "@/lib/resources/inboxes/events/contract";
import { InboxReply } from "@/lib/resources/inboxes/replies/contract";
import * as messages from "@/lib/resources/messages/contract";
import { SigningKeys } from "@/lib/resources/messages/signing-keys";
import { SigningSecret } from "@/lib/resources/messages/signing-secret-contract";
import * as schedules from "@/lib/resources/schedules/contract";
import * as subscriptions from "@/lib/resources/subscriptions/contract";
import * as tasks from "@/lib/resources/tasks/contract";
import * as leases from "@/lib/resources/tasks/lease-contract";
import * as notes from "@/lib/resources/tasks/notes-contract";
import * as webhooks from "@/lib/resources/webhooks/contract";
import * as webhookEvents from "@/lib/resources/webhooks/events/contract";
import * as forwards from "@/lib/resources/webhooks/forward/contract";
import * as replays from "@/lib/resources/webhooks/replays/contract";
import * as verifications from "@/lib/resources/webhooks/verification/contract";
import { Health, Liveness, Readiness } from "@/lib/upkeep/health/contract";
import { Limits } from "@/lib/upkeep/limits/contract";
import { SkillsIndex } from "./skill";

/** Property sets that several responses share, written as `allOf`. */
export const sharedSchemas = {
  ListPage: Page,
  StoredResource: Stored,
  ClaimableResource: Claimable,
  AgentCredential: agents.AgentCredential,
  ArtifactShareFields: artifacts.ShareFields,
  InboxEventFields: inboxEvents.EventFields,
  AgentClaimable: agents.AgentClaimable,
};

/**
 * The schemas named in the OpenAPI document, and so types in generated clients. Lists are named
 * after their items: `TaskList`.
 */
const named = {
  Error: ErrorEnvelope,
  ...sharedSchemas,

  Task: tasks.Task,
  TaskCreate: tasks.TaskCreate,
  TaskUpdate: tasks.TaskUpdate,
  CreatedTask: tasks.CreatedTask,
  TaskLabelsChange: tasks.LabelsChange,
  TaskLease: leases.TaskLease,
  TaskLeaseTake: leases.LeaseTake,
  TaskLeaseNext: leases.LeaseNext,
  TaskLeaseRelease: leases.LeaseRelease,
  TaskLeaseResult: leases.TaskLeaseResult,
  TaskCompletion: notes.TaskCompletion,
  TaskNote: notes.TaskNote,
  TaskNoteCreate: notes.NoteCreate,

  Artifact: artifacts.Artifact,
  ArtifactCreate: artifacts.ArtifactCreate,
  ArtifactUpdate: artifacts.ArtifactUpdate,
  CreatedArtifact: artifacts.CreatedArtifact,
  ListedArtifact: artifacts.ListedArtifact,
  ArtifactVersion: artifacts.ArtifactVersion,
  ArtifactShare: artifacts.ArtifactShare,
  ArtifactShareCreate: artifacts.ShareCreate,
  ListedArtifactShare: artifacts.ListedShare,

  WebhookEndpoint: webhooks.WebhookEndpoint,
  WebhookEndpointCreate: webhooks.WebhookEndpointCreate,
  WebhookEndpointUpdate: webhooks.WebhookEndpointUpdate,
  CreatedWebhookEndpoint: webhooks.CreatedWebhookEndpoint,
  WebhookEvent: webhookEvents.WebhookEvent,
  WebhookReplay: webhookEvents.WebhookReplay,
  WebhookEventReplay: replays.EventReplay,
  WebhookBulkReplay: replays.BulkReplay,
  WebhookBulkReplayCreate: replays.BulkReplayCreate,
  Capture: webhookEvents.Capture,
  WebhookVerification: verifications.WebhookVerification,
  WebhookVerificationPut: verifications.WebhookVerificationPut,
  WebhookForward: forwards.WebhookForward,
  WebhookForwardPut: forwards.WebhookForwardPut,

  ScheduledMessage: messages.Message,
  ScheduledMessageCreate: messages.MessageCreate,
  ScheduledMessageUpdate: messages.MessageUpdate,
  CreatedScheduledMessage: messages.CreatedMessage,
  MessageAttempt: messages.MessageAttempt,
  DispatchResult: messages.DispatchResult,
  SigningKeys,
  SigningSecret,

  Inbox: inboxes.Inbox,
  InboxCreate: inboxes.InboxCreate,
  InboxUpdate: inboxes.InboxUpdate,
  CreatedInbox: inboxes.CreatedInbox,
  InboxStats: inboxes.InboxStats,
  InboxEvent: inboxEvents.InboxEvent,
  LeasedInboxEvent: inboxEvents.LeasedEvent,
  InboxEventReceipt: inboxEvents.Receipt,
  InboxReceive: consumers.Receive,
  InboxReceived: consumers.Received,
  InboxAck: consumers.AckOne,
  InboxNack: consumers.NackOne,
  InboxReply,
  InboxAckItem: consumers.Ack,
  InboxAckOutcome: consumers.AckOutcome,
  InboxExtend: consumers.Extend,
  InboxRedrive: consumers.RedriveAll,
  InboxRedriven: consumers.Redriven,
  InboxSettle: consumers.Settle,
  InboxSettled: consumers.Settled,

  Change: changes.Change,
  Subscription: subscriptions.Subscription,
  SubscriptionCreate: subscriptions.SubscriptionCreate,

  Schedule: schedules.Schedule,
  ScheduleCreate: schedules.ScheduleCreate,
  ScheduleUpdate: schedules.ScheduleUpdate,
  ScheduleTarget: schedules.ScheduleTarget,
  CreatedSchedule: schedules.CreatedSchedule,
  ScheduleRun: schedules.ScheduleRun,

  Claim,
  ClaimedResource,
  ClaimAll,
  ClaimSet,
  SkillsIndex,

  AgentRegistration: agents.Registration,
  AgentRegistered: agents.Registered,
  AgentRegisteredAnonymous: agents.AnonymousRegistered,
  AgentRegisteredByUser: agents.ServiceAuthRegistered,
  AgentRegisteredByProvider: agents.ProviderRegistered,
  AgentClaimStart: agents.ClaimStart,
  AgentClaimStarted: agents.ClaimStarted,
  AgentClaimComplete: agents.ClaimComplete,
  AgentClaimed: agents.Claimed,
  AgentClaimedAnonymous: agents.AgentClaimed,
  AgentClaimedByUser: agents.AgentClaimedWithCredential,
  AgentRevoked: agents.Revoked,
  ProtectedResource,
  AuthorizationServer,

  OAuthClientMetadata: oauth.ClientMetadata,
  OAuthClient: oauth.RegisteredClient,
  OAuthTokenRequest: oauth.TokenRequest,
  OAuthTokens: oauth.TokenResponse,
  OAuthRevocation: oauth.RevocationRequest,
  OAuthError: oauth.OAuthFailure,

  Health,

  Liveness,

  Readiness,
  Limits,

  Me: me.Me,
  KeyRotate: me.Rotate,
  RotatedKey: me.RotatedKey,
};

for (const [id, schema] of Object.entries(named)) nameSchema(schema, id);

/** Names a list after its items, if they are named. */
export function nameList(schema: z.ZodType) {
  if (!(schema instanceof z.ZodObject) || nameOf(schema) !== undefined) return;
  const { data } = schema.shape;
  const item = data instanceof z.ZodArray ? nameOf(data.element) : undefined;
  if (item !== undefined) nameSchema(schema, `${item}List`);
}

function nameSchema(schema: z.core.$ZodType, id: string) {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
}

/** The schema's name in the document, if any. */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}
