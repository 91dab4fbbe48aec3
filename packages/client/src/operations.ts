// Written by `npm run docs`.

export const VERSION = "0.1.0";

/** The paths of the pages of resources, by the prefix of their IDs. */
export const pages = {
  tsk: "tasks",
  wh: "webhooks",
  art: "artifacts",
  msg: "messages",
  inbox: "inboxes",
  sch: "schedules",
  qst: "questions",
} as const;

/** Each operation as its method, its path, and what the function takes after the IDs, or returns. */
export const operations = {
  tasks: {
    /** List tasks. */
    list: "GET /api/tasks list",
    /** Create a task. */
    create: "POST /api/tasks body",
    /** Get a task. */
    get: "GET /api/tasks/{id} none",
    /** Update a task. */
    update: "PATCH /api/tasks/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/tasks/external/{external_id} body",
    /** Delete a task. */
    delete: "DELETE /api/tasks/{id} none",
    labels: {
      /** Add and remove labels. */
      change: "POST /api/tasks/{id}/labels body",
    },
    /** Lease the next task. */
    leaseNext: "POST /api/tasks/lease-next body",
    lease: {
      /** Lease a task, or renew its lease. */
      take: "POST /api/tasks/{id}/lease body",
      /** Get the lease of a task. */
      get: "GET /api/tasks/{id}/lease none",
      /** Release a task. */
      release: "DELETE /api/tasks/{id}/lease body",
    },
    /** Complete a task. */
    complete: "POST /api/tasks/{id}/complete body",
    notes: {
      /** List the notes of a task. */
      list: "GET /api/tasks/{id}/notes list",
      /** Add a note to a task. */
      add: "POST /api/tasks/{id}/notes body",
    },
    blockers: {
      /** List the blockers of a task. */
      list: "GET /api/tasks/{id}/blockers list",
      /** Block a task by another, or by a question. */
      add: "PUT /api/tasks/{id}/blockers/{blockerId} none",
      /** Remove a blocker from a task. */
      remove: "DELETE /api/tasks/{id}/blockers/{blockerId} none",
    },
  },
  webhooks: {
    /** List webhook endpoints. */
    list: "GET /api/webhooks list",
    /** Create a webhook endpoint. */
    create: "POST /api/webhooks body",
    /** Get a webhook endpoint. */
    get: "GET /api/webhooks/{id} none",
    /** Update a webhook endpoint. */
    update: "PATCH /api/webhooks/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/webhooks/external/{external_id} body",
    /** Delete a webhook endpoint and its events. */
    delete: "DELETE /api/webhooks/{id} none",
    verification: {
      /** Verify signatures of captured events. */
      put: "PUT /api/webhooks/{id}/verification body",
      /** Get how events are verified. */
      get: "GET /api/webhooks/{id}/verification none",
      /** Stop verifying events. */
      delete: "DELETE /api/webhooks/{id}/verification none",
    },
    forward: {
      /** Forward captured events. */
      put: "PUT /api/webhooks/{id}/forward body",
      /** Get where events are forwarded. */
      get: "GET /api/webhooks/{id}/forward none",
      /** Stop forwarding events. */
      delete: "DELETE /api/webhooks/{id}/forward none",
    },
    events: {
      /** List captured events. */
      list: "GET /api/webhooks/{id}/events list",
      /** Delete all events of a webhook endpoint. */
      purge: "DELETE /api/webhooks/{id}/events none",
      /** Get a captured event. */
      get: "GET /api/webhooks/{id}/events/{eventId} none",
      /** Delete a captured event. */
      delete: "DELETE /api/webhooks/{id}/events/{eventId} none",
      /** Get the raw body of an event. */
      getRaw: "GET /api/webhooks/{id}/events/{eventId}/raw bytes",
      /** Replay a captured request. */
      replay: "POST /api/webhooks/{id}/events/{eventId}/replay body",
      replays: {
        /** List the replays of an event, with their responses. */
        list: "GET /api/webhooks/{id}/events/{eventId}/replays list",
      },
    },
    replays: {
      /** List bulk replays. */
      list: "GET /api/webhooks/{id}/replays list",
    },
  },
  artifacts: {
    /** List artifacts. */
    list: "GET /api/artifacts list",
    /** Create an artifact. */
    create: "POST /api/artifacts body",
    /** Get an artifact. */
    get: "GET /api/artifacts/{id} none",
    /** Update an artifact. */
    update: "PATCH /api/artifacts/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/artifacts/external/{external_id} body",
    /** Delete an artifact. */
    delete: "DELETE /api/artifacts/{id} none",
    /** Get the raw content. */
    getRaw: "GET /api/artifacts/{id}/raw bytes",
    versions: {
      /** List the versions of an artifact. */
      list: "GET /api/artifacts/{id}/versions list",
      /** Get the raw content of a version of an artifact. */
      getRaw: "GET /api/artifacts/{id}/versions/{n}/raw bytes",
    },
    /** Create a share link. */
    share: "POST /api/artifacts/{id}/share body",
    shares: {
      /** Revoke all share links of an artifact. */
      revokeAll: "DELETE /api/artifacts/{id}/share none",
      /** List the share links of an artifact. */
      list: "GET /api/artifacts/{id}/shares list",
      /** Revoke a share link of an artifact. */
      revoke: "DELETE /api/artifacts/{id}/shares/{shareId} none",
    },
  },
  messages: {
    /** List scheduled messages. */
    list: "GET /api/messages list",
    /** Schedule a message. */
    create: "POST /api/messages body",
    /** Get a scheduled message. */
    get: "GET /api/messages/{id} query",
    /** Edit or reschedule a message. */
    update: "PATCH /api/messages/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/messages/external/{external_id} body",
    /** Delete a message. */
    delete: "DELETE /api/messages/{id} none",
    /** Cancel a message. */
    cancel: "POST /api/messages/{id}/cancel none",
    /** Send a message again. */
    retry: "POST /api/messages/{id}/retry none",
    attempts: {
      /** List delivery attempts. */
      list: "GET /api/messages/{id}/attempts list",
    },
  },
  signingSecret: {
    /** Get your signing secret. */
    get: "GET /api/signing-secret none",
    /** Rotate your signing secret. */
    rotate: "POST /api/signing-secret/rotate none",
  },
  inboxes: {
    /** List inboxes. */
    list: "GET /api/inboxes list",
    /** Create an inbox. */
    create: "POST /api/inboxes body",
    /** Get an inbox. */
    get: "GET /api/inboxes/{id} none",
    /** Update an inbox. */
    update: "PATCH /api/inboxes/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/inboxes/external/{external_id} body",
    /** Delete an inbox and its events. */
    delete: "DELETE /api/inboxes/{id} none",
    stats: {
      /** Get event counts of an inbox. */
      get: "GET /api/inboxes/{id}/stats none",
    },
    events: {
      /** Send an event to an inbox. */
      ingest: "POST /api/inboxes/{id}/events body",
      /** List the events of an inbox. */
      list: "GET /api/inboxes/{id}/events list",
      /** Delete the events of an inbox. */
      purge: "DELETE /api/inboxes/{id}/events query",
      /** Get an event of an inbox. */
      get: "GET /api/inboxes/{id}/events/{eventId} none",
      /** Delete an event without a lease. */
      delete: "DELETE /api/inboxes/{id}/events/{eventId} none",
      /** Get the raw body of an event. */
      getRaw: "GET /api/inboxes/{id}/events/{eventId}/raw bytes",
      /** Receive events. */
      receive: "POST /api/inboxes/{id}/events/receive body",
      /** Acknowledge and nack many events. */
      settle: "POST /api/inboxes/{id}/events/ack body",
      /** Redrive dead events. */
      redriveAll: "POST /api/inboxes/{id}/events/redrive body",
      /** Acknowledge an event. */
      ack: "POST /api/inboxes/{id}/events/{eventId}/ack body",
      /** Return an event for redelivery. */
      nack: "POST /api/inboxes/{id}/events/{eventId}/nack body",
      /** Extend the lease of an event. */
      extend: "POST /api/inboxes/{id}/events/{eventId}/extend body",
      /** Redrive a dead event. */
      redrive: "POST /api/inboxes/{id}/events/{eventId}/redrive none",
      /** Reply to the sender of an event. */
      reply: "POST /api/inboxes/{id}/events/{eventId}/reply body",
    },
    replies: {
      /** Read the reply to an event. */
      read: "GET /api/inboxes/{id}/events/{eventId}/reply/{secret} bytes",
      /** List the replies of an inbox. */
      list: "GET /api/inboxes/{id}/replies list",
    },
  },
  schedules: {
    /** List schedules. */
    list: "GET /api/schedules list",
    /** Create a schedule. */
    create: "POST /api/schedules body",
    /** Get a schedule. */
    get: "GET /api/schedules/{id} none",
    /** Update, pause or resume a schedule. */
    update: "PATCH /api/schedules/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/schedules/external/{external_id} body",
    /** Delete a schedule. */
    delete: "DELETE /api/schedules/{id} none",
    /** Run a schedule now. */
    run: "POST /api/schedules/{id}/run none",
    runs: {
      /** List the runs of a schedule. */
      list: "GET /api/schedules/{id}/runs list",
    },
  },
  questions: {
    /** List questions. */
    list: "GET /api/questions list",
    /** Ask a person. */
    create: "POST /api/questions body",
    /** Get a question, or wait for its answer. */
    get: "GET /api/questions/{id} query",
    /** Update a question. */
    update: "PATCH /api/questions/{id} body",
    /** Create or update by external ID. */
    upsert: "PUT /api/questions/external/{external_id} body",
    /** Delete a question. */
    delete: "DELETE /api/questions/{id} none",
    /** Withdraw a question. */
    withdraw: "POST /api/questions/{id}/withdraw none",
  },
  batch: {
    /** Create and delete many resources. */
    run: "POST /api/batch body",
  },
  changes: {
    /** List changes to your resources. */
    list: "GET /api/changes list",
  },
  subscriptions: {
    /** List subscriptions. */
    list: "GET /api/subscriptions list",
    /** Push changes to a URL or an inbox. */
    create: "POST /api/subscriptions body",
    /** Get a subscription. */
    get: "GET /api/subscriptions/{id} none",
    /** Delete a subscription. */
    delete: "DELETE /api/subscriptions/{id} none",
  },
  claims: {
    /** Claim a public resource. */
    claim: "POST /api/claim/{id} body",
    /** Claim everything at once. */
    claimAll: "POST /api/claims body",
  },
  me: {
    /** Get your credential. */
    get: "GET /api/me none",
    key: {
      /** Revoke your key. */
      revoke: "DELETE /api/me/key none",
      /** Rotate your key. */
      rotate: "POST /api/me/key/rotate body",
    },
  },
  health: {
    /** Check the service. */
    get: "GET /api/health none",
  },
  limits: {
    /** List all limits. */
    get: "GET /api/limits none",
  },
  agent: {
    /** Register an agent. */
    register: "POST /api/agent/auth body",
    claim: {
      /** Start or resend the claim of an agent. */
      start: "POST /api/agent/auth/claim body",
      /** Complete the claim of an agent. */
      complete: "POST /api/agent/auth/claim/complete body",
    },
  },
} as const;
