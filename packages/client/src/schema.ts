// Written by `npm run docs`.

export interface paths {
    "/api/tasks": {
        /** List tasks */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those with all of these labels. Repeatable. */
                    label?: string[];
                    /** Only those with none of these labels. Repeatable. */
                    not_label?: string[];
                    /** Only those with one of these priorities. Repeatable. */
                    priority?: ("low" | "medium" | "high" | "critical")[];
                    /** Only those due earlier, in Unix seconds, not milliseconds. */
                    due_before?: number;
                    /** Only those due later, in Unix seconds, not milliseconds. */
                    due_after?: number;
                    /** Whether they have a blocker that is not done. */
                    blocked?: "true" | "false";
                    /** Text in the name or the description, ignoring case. */
                    q?: string;
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskList"];
                    };
                };
            };
        };
        /** Create a task */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskCreate"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedTask"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}": {
        /** Get a task */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: components["responses"]["Task"];
            };
        };
        /** Delete a task */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /** Update a task */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskUpdate"];
                };
            };
            responses: {
                200: components["responses"]["Task"];
            };
        };
    };
    "/api/tasks/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskCreate"];
                };
            };
            responses: {
                200: components["responses"]["Task"];
                201: {
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/labels": {
        /**
         * Add and remove labels
         * Other labels are kept; PATCH replaces the whole list.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLabelsChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
    };
    "/api/tasks/lease-next": {
        /**
         * Lease the next task
         * Your organization's next free task with matching labels and no open blocker, by priority, due date, then age. `task` and `lease` are null if there is none.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLeaseNext"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskLeaseResult"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/lease": {
        /** Get the lease of a task */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskLease"];
                    };
                };
            };
        };
        /**
         * Lease a task, or renew its lease
         * 409 `lease_held` names the holder. Send your `lease_id` to renew; 409 `lease_lost` if it is not the current one.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLeaseTake"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskLease"];
                    };
                };
            };
        };
        /**
         * Release a task
         * 409 `lease_lost` when the task has been leased again since.
         */
        delete: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLeaseRelease"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/tasks/{id}/complete": {
        /**
         * Complete a task
         * Adds `done`, removes `in-progress` and ends the lease. Safe to repeat. 409 `lease_lost` if it was released or replaced since.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["TaskCompletion"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/notes": {
        /** List the notes of a task */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskNoteList"];
                    };
                };
            };
        };
        /** Add a note to a task */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskNoteCreate"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskNote"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/blockers": {
        /**
         * List the blockers of a task
         * Tasks, then questions. Done ones too, until they are removed or deleted.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BlockerList"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/blockers/{blockerId}": {
        /**
         * Block a task by another, or by a question
         * `lease-next` skips a task until its blockers are done, answered (approved, if that is asked) or deleted. 409 `blocker_cycle` if the task blocks the other.
         */
        put: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /** Remove a blocker from a task */
        delete: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks": {
        /** List webhook endpoints */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookEndpointList"];
                    };
                };
            };
        };
        /** Create a webhook endpoint */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreate"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}": {
        /** Get a webhook endpoint */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: components["responses"]["WebhookEndpoint"];
            };
        };
        /** Delete a webhook endpoint and its events */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update a webhook endpoint
         * A lower `max_events` deletes the oldest events at once.
         */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointUpdate"];
                };
            };
            responses: {
                200: components["responses"]["WebhookEndpoint"];
            };
        };
    };
    "/api/webhooks/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreate"];
                };
            };
            responses: {
                200: components["responses"]["WebhookEndpoint"];
                201: {
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/verification": {
        /** Get how events are verified */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookVerification"];
                    };
                };
            };
        };
        /**
         * Verify signatures of captured events
         * Later events get `verified` and a reason, by the exact bytes; the sender gets 200 either way. The secret is never shown again. A replaced secret stays valid for 24 hours.
         */
        put: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookVerificationPut"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookVerification"];
                    };
                };
            };
        };
        /**
         * Stop verifying events
         * Also forgets the previous secret at once.
         */
        delete: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/forward": {
        /** Get where events are forwarded */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookForward"];
                    };
                };
            };
        };
        /**
         * Forward captured events
         * Later events go to an inbox, within the capture, or as messages to a URL; `forward` of an event says where. Events that fail verification stay. A full inbox holds events back.
         */
        put: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookForwardPut"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookForward"];
                    };
                };
            };
        };
        /**
         * Stop forwarding events
         * Events that are held back stay in the endpoint.
         */
        delete: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/events": {
        /**
         * List captured events
         * Newest first. With `since`, only newer events, oldest first; with `wait`, waits until there is one.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only requests with this HTTP method. */
                    method?: string;
                    /** Only those with this text in body, path or query. Case matters. */
                    q?: string;
                    /** Only those with this text in a header, or with `name: text`. Case is ignored. */
                    header?: string;
                    /** Only events after the one with this ID, oldest first. `wev_0` precedes all. */
                    since?: string;
                    /** With `since`, how many seconds to wait for an event. */
                    wait?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookEventList"];
                    };
                };
            };
        };
        /** Delete all events of a webhook endpoint */
        delete: {
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/events/stream": {
        /**
         * Stream events as they are captured
         * Server-sent events: `id` is the event's ID, `data` the event. Begins after `Last-Event-ID`, `since`, or now.
         */
        get: {
            parameters: {
                query?: {
                    /** Only requests with this HTTP method. */
                    method?: string;
                    /** Only those with this text in body, path or query. Case matters. */
                    q?: string;
                    /** Only those with this text in a header, or with `name: text`. Case is ignored. */
                    header?: string;
                    /** Only events after the one with this ID, oldest first. `wev_0` precedes all. */
                    since?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/events/{eventId}": {
        /** Get a captured event */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookEvent"];
                    };
                };
            };
        };
        /** Delete a captured event */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/events/{eventId}/raw": {
        /**
         * Get the raw body of an event
         * `Body-Truncated: true` means that only the first part was kept.
         */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/octet-stream": string;
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/events/{eventId}/replay": {
        /**
         * Replay a captured request
         * Sends the request at once, as a message with one attempt; `Replay-Retry: true` retries failures. The sender's headers are kept but for `authorization` and `cookie`: to send credentials, set `headers`.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            responses: {
                201: components["responses"]["CreatedScheduledMessage"];
            };
        };
    };
    "/api/catch/{id}": {
        /**
         * Capture a POST request
         * Records the request, with any body, here and at all paths below.
         */
        post: {
            requestBody?: {
                content: {
                    "*/*": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Capture"];
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/events/{eventId}/replays": {
        /** List the replays of an event, with their responses */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookEventReplayList"];
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/replays": {
        /** List bulk replays */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookBulkReplayList"];
                    };
                };
            };
        };
    };
    "/api/artifacts": {
        /** List artifacts */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ListedArtifactList"];
                    };
                };
            };
        };
        /**
         * Create an artifact
         * A Markdown or HTML document. `share=true` also creates a share link, which survives a claim.
         */
        post: {
            parameters: {
                query?: {
                    /** `true` also makes a share link, `share_url`. */
                    share?: boolean;
                };
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** `return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArtifactCreate"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedArtifact"];
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}": {
        /** Get an artifact */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Artifact"];
                    };
                };
            };
        };
        /** Delete an artifact */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /** Update an artifact */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                    /** `return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArtifactUpdate"];
                };
            };
            responses: {
                200: components["responses"]["Artifact"];
            };
        };
    };
    "/api/artifacts/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                    /** `return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArtifactCreate"];
                };
            };
            responses: {
                200: components["responses"]["Artifact"];
                201: {
                    content: {
                        "application/json": components["schemas"]["Artifact"];
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}/raw": {
        /** Get the raw content */
        get: {
            parameters: {
                query?: {
                    /** `1` makes it an attachment with a file name. */
                    download?: string;
                };
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                    /** A byte range, such as `bytes=0-99`. */
                    Range?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "text/*": string;
                    };
                };
                /** The requested range. */
                206: {
                    content: {
                        "text/*": string;
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}/versions": {
        /**
         * List the versions of an artifact
         * Newest first. The first one is the current version.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ArtifactVersionList"];
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}/versions/{n}/raw": {
        /**
         * Get the raw content of a version of an artifact
         * 404 when the content is no longer kept.
         */
        get: {
            parameters: {
                query?: {
                    /** `1` makes it an attachment with a file name. */
                    download?: string;
                };
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                    /** A byte range, such as `bytes=0-99`. */
                    Range?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "text/*": string;
                    };
                };
                /** The requested range. */
                206: {
                    content: {
                        "text/*": string;
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}/share": {
        /**
         * Create a share link
         * Anyone with the link sees the artifact's current content. A claim ends the link unless it was made with the claim token.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ArtifactShareCreate"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ArtifactShare"];
                    };
                };
            };
        };
        /** Revoke all share links of an artifact */
        delete: {
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/artifacts/{id}/shares": {
        /**
         * List the share links of an artifact
         * Active links only, without their URLs.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ListedArtifactShareList"];
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}/shares/{shareId}": {
        /** Revoke a share link of an artifact */
        delete: {
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/messages": {
        /** List scheduled messages */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those with this status. */
                    status?: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduledMessageList"];
                    };
                };
            };
        };
        /**
         * Schedule a message
         * An HTTP request, delivered at least once at `scheduled_at` or after `delay_seconds`. Transient failures are retried.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduledMessageCreate"];
                };
            };
            responses: {
                201: components["responses"]["CreatedScheduledMessage"];
            };
        };
    };
    "/api/messages/{id}": {
        /** Get a scheduled message */
        get: {
            parameters: {
                query?: {
                    /** How many seconds to wait until no attempt will follow. Default: 0. */
                    wait?: number;
                };
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: components["responses"]["ScheduledMessage"];
            };
        };
        /** Delete a message */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Edit or reschedule a message
         * Only while its status is `scheduled`.
         */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduledMessageUpdate"];
                };
            };
            responses: {
                200: components["responses"]["ScheduledMessage"];
            };
        };
    };
    "/api/messages/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduledMessageCreate"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CreatedScheduledMessage"];
                    };
                };
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedScheduledMessage"];
                    };
                };
            };
        };
    };
    "/api/messages/{id}/cancel": {
        /**
         * Cancel a message
         * If it is scheduled or waiting for a retry. Idempotent.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduledMessage"];
                    };
                };
            };
        };
    };
    "/api/messages/{id}/retry": {
        /**
         * Send a message again
         * Only a failed or canceled message.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduledMessage"];
                    };
                };
            };
        };
    };
    "/api/messages/{id}/attempts": {
        /** List delivery attempts */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["MessageAttemptList"];
                    };
                };
            };
        };
    };
    "/api/signing-secret": {
        /**
         * Get your signing secret
         * It verifies the `v1` signatures of your organization's deliveries with any Standard Webhooks library.
         */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SigningSecret"];
                    };
                };
            };
        };
    };
    "/api/signing-secret/rotate": {
        /**
         * Rotate your signing secret
         * For 24 hours the old secret signs too. Until they are over, 409 `secret_already_rotated`.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SigningSecret"];
                    };
                };
            };
        };
    };
    "/api/inboxes": {
        /** List inboxes */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxList"];
                    };
                };
            };
        };
        /**
         * Create an inbox
         * A durable queue: anyone can send events to `ingest_url`, and consumers receive them.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxCreate"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedInbox"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}": {
        /** Get an inbox */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: components["responses"]["Inbox"];
            };
        };
        /** Delete an inbox and its events */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update an inbox
         * A lower `max_events` removes nothing.
         */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxUpdate"];
                };
            };
            responses: {
                200: components["responses"]["Inbox"];
            };
        };
    };
    "/api/inboxes/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxCreate"];
                };
            };
            responses: {
                200: components["responses"]["Inbox"];
                201: {
                    content: {
                        "application/json": components["schemas"]["Inbox"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/stats": {
        /** Get event counts of an inbox */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxStats"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events": {
        /**
         * List the events of an inbox
         * Oldest first.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only events in this state. */
                    state?: "ready" | "delayed" | "leased" | "dead";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxEventList"];
                    };
                };
            };
        };
        /**
         * Send an event to an inbox
         * The body is the event. Its lifetime is `ttl_seconds`, the header `Inbox-TTL-Seconds`, a JSON object's `ttl_seconds` or the inbox's default, in this order. An `Idempotency-Key` adds it once while the key is kept, a `dedup_id` once while it is pending; a repeat gets 200. GET the `Reply-Url` for the reply. A full inbox: 429 `inbox_full`.
         */
        post: {
            parameters: {
                query?: {
                    /** How long the event lives, in seconds. Default: that of the inbox. */
                    ttl_seconds?: number;
                    /** Seconds until it can be received: less than its TTL. Default: 0. */
                    delay_seconds?: number;
                    /** Adds nothing while an event with this ID is pending. */
                    dedup_id?: string;
                };
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody?: {
                content: {
                    "*/*": string;
                };
            };
            responses: {
                /** Already received. */
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxEventReceipt"];
                    };
                };
                201: {
                    content: {
                        "application/json": components["schemas"]["InboxEventReceipt"];
                    };
                };
            };
        };
        /** Delete the events of an inbox */
        delete: {
            parameters: {
                query?: {
                    /** Deletes only events in this state. */
                    state?: "ready" | "delayed" | "leased" | "dead";
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}": {
        /** Get an event of an inbox */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxEvent"];
                    };
                };
            };
        };
        /** Delete an event without a lease */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/raw": {
        /** Get the raw body of an event */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/octet-stream": string;
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events/receive": {
        /**
         * Receive events
         * Leases the events that have been ready longest. Acknowledge each with its `lease_id` before the lease ends, or it is redelivered; after too many deliveries it is dead.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["InboxReceive"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxReceived"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events/ack": {
        /** Acknowledge and nack many events */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxSettle"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxSettled"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events/redrive": {
        /**
         * Redrive dead events
         * Oldest first, as many as there is room for; 429 when there is none.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["InboxRedrive"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxRedriven"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/ack": {
        /**
         * Acknowledge an event
         * An expired lease is accepted until the event is delivered again; then 409 `lease_lost`.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxAck"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/nack": {
        /**
         * Return an event for redelivery
         * With `dead: true` it is not redelivered until it is redriven.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** `return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxNack"];
                };
            };
            responses: {
                200: components["responses"]["InboxEvent"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/extend": {
        /** Extend the lease of an event */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** `return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxExtend"];
                };
            };
            responses: {
                200: components["responses"]["InboxEvent"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/redrive": {
        /**
         * Redrive a dead event
         * Makes it ready again. 400 when it is not dead; 429 when the inbox is full.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** `return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: string;
                };
            };
            responses: {
                200: components["responses"]["InboxEvent"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/reply": {
        /**
         * Reply to the sender of an event
         * Stores the body and its Content-Type, and acknowledges the event. The sender reads it at `Reply-Url`.
         */
        post: {
            parameters: {
                query: {
                    /** The `lease_id` that the event was received with. */
                    lease_id: string;
                };
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody?: {
                content: {
                    "*/*": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxReply"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}/reply/{secret}": {
        /**
         * Read the reply to an event
         * The `Reply-Url` of the sent event. 204 while there is no reply.
         */
        get: {
            parameters: {
                query?: {
                    /** How long to wait for the reply, in seconds. Default: 0. */
                    wait?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "*/*": string;
                    };
                };
                204: components["responses"]["204"];
            };
        };
    };
    "/api/inboxes/{id}/replies": {
        /**
         * List the replies of an inbox
         * Replies to the newest events first.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxReplyList"];
                    };
                };
            };
        };
    };
    "/api/schedules": {
        /** List schedules */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduleList"];
                    };
                };
            };
        };
        /**
         * Create a schedule
         * Creates the target at each time of `cron`, or every `every_seconds`. A GET of the result returns the headers `Schedule-Id` and `Schedule-Time`.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduleCreate"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedSchedule"];
                    };
                };
            };
        };
    };
    "/api/schedules/{id}": {
        /** Get a schedule */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: components["responses"]["Schedule"];
            };
        };
        /**
         * Delete a schedule
         * Keeps what its runs created.
         */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update, pause or resume a schedule
         * `cron` and `every_seconds` replace each other. Times missed while it is paused are not caught up on.
         */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduleUpdate"];
                };
            };
            responses: {
                200: components["responses"]["Schedule"];
            };
        };
    };
    "/api/schedules/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduleCreate"];
                };
            };
            responses: {
                200: components["responses"]["Schedule"];
                201: {
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
            };
        };
    };
    "/api/schedules/{id}/run": {
        /**
         * Run a schedule now
         * Also while it is paused. Its next times do not change.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduleRun"];
                    };
                };
            };
        };
    };
    "/api/schedules/{id}/runs": {
        /**
         * List the runs of a schedule
         * The newest 100.
         */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduleRunList"];
                    };
                };
            };
        };
    };
    "/api/questions": {
        /** List questions */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                    /** Only those in this state. */
                    state?: "open" | "answered" | "expired" | "withdrawn";
                    /** Only those with this external ID. */
                    external_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["QuestionList"];
                    };
                };
            };
        };
        /**
         * Ask a person
         * Give `answer_url` to the person, then GET the question with `wait`.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QuestionCreate"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedQuestion"];
                    };
                };
            };
        };
    };
    "/api/questions/{id}": {
        /** Get a question, or wait for its answer */
        get: {
            parameters: {
                query?: {
                    /** How many seconds to wait until it is no longer open. Default: 0. */
                    wait?: number;
                };
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: components["responses"]["Question"];
            };
        };
        /** Delete a question */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update a question
         * Only while it is open.
         */
        patch: {
            parameters: {
                header?: {
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QuestionUpdate"];
                };
            };
            responses: {
                200: components["responses"]["Question"];
            };
        };
    };
    "/api/questions/external/{external_id}": {
        /** Create or update by external ID */
        put: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QuestionCreate"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CreatedQuestion"];
                    };
                };
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedQuestion"];
                    };
                };
            };
        };
    };
    "/api/questions/{id}/withdraw": {
        /**
         * Withdraw a question
         * It takes no more answers. Idempotent.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Question"];
                    };
                };
            };
        };
    };
    "/api/batch": {
        /**
         * Create and delete many resources
         * They run in order; each succeeds or fails alone and counts as a request. After 401, 429 or 503 the rest is not tried: send it as a new batch. Without a key, one token claims all it creates.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                    /** The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BatchResult"];
                    };
                };
            };
        };
    };
    "/api/changes": {
        /**
         * List changes to your resources
         * Oldest first, without gaps. `next_cursor` is always present: send it as `after`, with `wait` to wait for more.
         */
        get: {
            parameters: {
                query?: {
                    /** Only resources of this kind. Repeatable. */
                    kind?: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules" | "questions")[];
                    /** Only these actions. Repeatable. */
                    action?: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead" | "answered" | "withdrawn" | "expired")[];
                    /** Only changes after this `next_cursor` or ID. `latest` means now. */
                    after?: string;
                    /** How many seconds to wait for a change. */
                    wait?: number;
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangeList"];
                    };
                };
            };
        };
    };
    "/api/changes/stream": {
        /**
         * Stream changes as they are made
         * Server-sent events: `id` is the change's ID, `data` the change. Begins after `Last-Event-ID`, `after`, or now.
         */
        get: {
            parameters: {
                query?: {
                    /** Only resources of this kind. Repeatable. */
                    kind?: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules" | "questions")[];
                    /** Only these actions. Repeatable. */
                    action?: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead" | "answered" | "withdrawn" | "expired")[];
                    /** Only changes after this `next_cursor` or ID. Default: `latest`. */
                    after?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
    };
    "/api/subscriptions": {
        /** List subscriptions */
        get: {
            parameters: {
                query?: {
                    /** The number of items, clamped to the bounds. */
                    limit?: number;
                    /** The ID of the previous page's last item. It may have been deleted. */
                    after?: string;
                    /** `total_count` adds the total number of items; slow for long lists. */
                    include?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SubscriptionList"];
                    };
                };
            };
        };
        /**
         * Push changes to a URL or an inbox
         * From now on, once each, in their order: `{"type": "tasks.completed", "data": {…the change…}}`, as a signed message or as an inbox event.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionCreate"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
    };
    "/api/subscriptions/{id}": {
        /** Get a subscription */
        get: {
            parameters: {
                header?: {
                    /** An ETag: 304 if unchanged. */
                    "If-None-Match"?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
        /** Delete a subscription */
        delete: {
            parameters: {
                header?: {
                    /** An ETag: 412 if the resource has changed. */
                    "If-Match"?: string;
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/claim/{id}": {
        /**
         * Claim a public resource
         * Moves the resource, and what it created, to your key's organization. Any key will do. What others set without the token ends.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimedResource"];
                    };
                };
            };
        };
    };
    "/api/claims": {
        /**
         * Claim everything at once
         * All or nothing: what was created with this token or joined it with `Claim-With`, and what that made. What others set without it ends; `dry_run` lists it. Any key will do.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimAll"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimSet"];
                    };
                };
            };
        };
    };
    "/api/me": {
        /**
         * Get your credential
         * Its scopes, organization, expiry and remaining rate limits. Without one, `kind` is `anonymous`.
         */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
    };
    "/api/me/key": {
        /**
         * Revoke your key
         * Any key may revoke itself, even with api.read only. The key it was rotated into or replaced ends too.
         */
        delete: {
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/me/key/rotate": {
        /**
         * Rotate your key
         * The new key has the same scopes and expiry. The old one works for `overlap_seconds` more and cannot be rotated again; until it ends, the new one cannot be either (409 `old_key_still_valid`).
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["KeyRotate"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RotatedKey"];
                    };
                };
            };
        };
    };
    "/api/health": {
        /**
         * Check the service
         * `degraded` when messages are 60 seconds late, or dispatch is off after a restore. 503 without a writable database.
         */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
            };
        };
    };
    "/api/limits": {
        /**
         * List all limits
         * `/api/me` shows what remains of yours.
         */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Limits"];
                    };
                };
            };
        };
    };
    "/api/agent/auth": {
        /**
         * Register an agent
         * `anonymous`: a read-only key at once. `service_auth`: the user confirms by email. `identity_assertion`: a trusted provider vouches for the user.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentRegistration"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["AgentRegistered"];
                    };
                };
            };
        };
    };
    "/api/agent/auth/claim": {
        /**
         * Start or resend the claim of an agent
         * Emails the user a code. A new attempt replaces the previous one.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentClaimStart"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AgentClaimStarted"];
                    };
                };
            };
        };
    };
    "/api/agent/auth/claim/complete": {
        /**
         * Complete the claim of an agent
         * With the user's code. An anonymous agent's key gets both scopes; a service_auth agent gets its credential.
         */
        post: {
            parameters: {
                header?: {
                    /** A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentClaimComplete"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AgentClaimed"];
                    };
                };
            };
        };
    };
}
export interface components {
    schemas: {
        TaskList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Task"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "name": "Write the release notes",
         *       "priority": "high",
         *       "labels": [
         *         "docs"
         *       ],
         *       "external_id": "crm-4711"
         *     }
         */
        TaskCreate: {
            /** What is to be done. It need not be unique. */
            name: string;
            /** More about it, or null. */
            description?: string | null;
            /** How urgent it is. `lease-next` takes the most urgent first. Default: `low`. */
            priority?: "low" | "medium" | "high" | "critical";
            /**
             * When it is due, in Unix seconds, not milliseconds, or null.
             * @example 1767225600
             */
            due_at?: number | null;
            /** Any words. `in-progress` and `done` say how far it is. */
            labels?: string[];
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        CreatedTask: {
            /** Its ID, which begins with `tsk_`. */
            id: string;
            /** The object's type. */
            object: "task";
            /** What is to be done. It need not be unique. */
            name: string;
            /** More about it, or null. */
            description: string | null;
            /** How urgent it is. `lease-next` takes the most urgent first. Default: `low`. */
            priority: "low" | "medium" | "high" | "critical";
            /** When it is due, in Unix seconds, not milliseconds, or null. */
            due_at: number | null;
            /** Any words. `in-progress` and `done` say how far it is. */
            labels: string[];
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
        };
        /**
         * @example {
         *       "priority": "low",
         *       "due_at": null
         *     }
         */
        TaskUpdate: {
            /** What is to be done. It need not be unique. */
            name?: string;
            /** More about it, or null. */
            description?: string | null;
            /** How urgent it is. `lease-next` takes the most urgent first. Default: `low`. */
            priority?: "low" | "medium" | "high" | "critical";
            /**
             * When it is due, in Unix seconds, not milliseconds, or null.
             * @example 1767225600
             */
            due_at?: number | null;
            /** The new list, instead of the present one; null removes all. */
            labels?: string[] | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        Task: {
            /** Its ID, which begins with `tsk_`. */
            id: string;
            /** The object's type. */
            object: "task";
            /** What is to be done. It need not be unique. */
            name: string;
            /** More about it, or null. */
            description: string | null;
            /** How urgent it is. `lease-next` takes the most urgent first. Default: `low`. */
            priority: "low" | "medium" | "high" | "critical";
            /** When it is due, in Unix seconds, not milliseconds, or null. */
            due_at: number | null;
            /** Any words. `in-progress` and `done` say how far it is. */
            labels: string[];
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        /**
         * @example {
         *       "add": [
         *         "done"
         *       ],
         *       "remove": [
         *         "in-progress"
         *       ]
         *     }
         */
        TaskLabelsChange: {
            /** Labels to add, unless it has them. */
            add?: string[];
            /** Labels to remove, if it has them. */
            remove?: string[];
        };
        /**
         * @example {
         *       "holder": "writer-1",
         *       "labels": [
         *         "docs"
         *       ],
         *       "wait_seconds": 20
         *     }
         */
        TaskLeaseNext: {
            /** The name of the worker that holds the task. */
            holder: string;
            /** How long the lease lasts, in seconds. Default: 900. */
            lease_seconds?: number;
            /** Only a task with all of these. One labelled `done` must have `done` listed. */
            labels?: string[];
            /** Only a task with none of these. */
            not_labels?: string[];
            /** How long to wait for a task, in seconds. Default: 0. */
            wait_seconds?: number;
        };
        TaskLeaseResult: {
            /** The object's type. */
            object: "task_lease_result";
            /** The leased task; null if none is free. */
            task: components["schemas"]["Task"] | null;
            /** Its lease; null if no task is free. */
            lease: components["schemas"]["TaskLease"] | null;
        };
        /**
         * @example {
         *       "holder": "writer-1",
         *       "lease_seconds": 900
         *     }
         */
        TaskLeaseTake: {
            /** The name of the worker that holds the task. */
            holder: string;
            /** How long the lease lasts, in seconds. Default: 900. */
            lease_seconds?: number;
            /** Your current lease, to renew it. */
            lease_id?: string;
        };
        TaskLease: {
            /** The object's type. */
            object: "task_lease";
            /** The leased task. */
            task_id: string;
            /** Renews, releases and completes. Readers see it too. */
            lease_id: string;
            /** The name of the worker that holds the task. */
            holder: string;
            /** Rises with each lease of the task, not with renewals: refuse writes with less. */
            fencing_token: number;
            /** When it ends unless it is renewed, in Unix seconds. */
            expires_at: number;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x"
         *     }
         */
        TaskLeaseRelease: {
            /** The `lease_id` of your lease. */
            lease_id: string;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "note": "Published as version 2."
         *     }
         */
        TaskCompletion: {
            /** Your lease. 409 `lease_lost` if it was released or replaced since. */
            lease_id?: string;
            /** A note to add to it. */
            note?: string;
        };
        TaskNoteList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["TaskNote"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "body": "Published as version 2."
         *     }
         */
        TaskNoteCreate: {
            /** What the note says, as plain text. */
            body: string;
        };
        TaskNote: {
            /** Its ID, which begins with `note_`. */
            id: string;
            /** The object's type. */
            object: "task_note";
            /** The task that has it. */
            task_id: string;
            /** The key's name or the person's address; null if none or hidden. */
            author: string | null;
            /** What the note says, as plain text. */
            body: string;
            /** When it was created. */
            created_at: number;
        };
        BlockerList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Blocker"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        WebhookEndpointList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "name": "Payments"
         *     }
         */
        WebhookEndpointCreate: {
            /** A name for people. It need not be unique. */
            name: string;
            /** A description, or null. */
            description?: string | null;
            /** How many of the newest events are kept. Default, also for null: 100. */
            max_events?: number | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        CreatedWebhookEndpoint: {
            /** Its ID, which begins with `wh_`. */
            id: string;
            /** The object's type. */
            object: "webhook_endpoint";
            /** A name for people. It need not be unique. */
            name: string;
            /** A description, or null. */
            description: string | null;
            /** Captures every request to it or a path below it, without a key. */
            url: string;
            /** How many of the newest events are kept. */
            max_events: number;
            /** How many events it has. Lists leave it out. */
            event_count?: number;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
        };
        /**
         * @example {
         *       "max_events": 500
         *     }
         */
        WebhookEndpointUpdate: {
            /** A name for people. It need not be unique. */
            name?: string;
            /** A description, or null. */
            description?: string | null;
            /** How many of the newest events are kept. Default, also for null: 100. */
            max_events?: number | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        WebhookEndpoint: {
            /** Its ID, which begins with `wh_`. */
            id: string;
            /** The object's type. */
            object: "webhook_endpoint";
            /** A name for people. It need not be unique. */
            name: string;
            /** A description, or null. */
            description: string | null;
            /** Captures every request to it or a path below it, without a key. */
            url: string;
            /** How many of the newest events are kept. */
            max_events: number;
            /** How many events it has. Lists leave it out. */
            event_count?: number;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        /**
         * @example {
         *       "scheme": "github",
         *       "secret": "It's a Secret to Everybody"
         *     }
         */
        WebhookVerificationPut: {
            /** How the sender signs. `hmac` is HMAC-SHA256 of the body in a header of your choice. */
            scheme: "github" | "stripe" | "slack" | "shopify" | "standard_webhooks" | "hmac";
            /** The signing secret as the sender shows it. It is never returned. */
            secret: string;
            /** The header with the signature. For `hmac` only, and required there. */
            header?: string;
            /** How the signature is written. For `hmac` only. Default: `hex`. */
            encoding?: "hex" | "base64";
            /** How far the signed time may be from now, in seconds. Not for `github`, `shopify` and `hmac`, which sign no time. Default: 300. */
            tolerance_seconds?: number;
            /** The resource's `claim_token`, with which a claim keeps this. */
            claim_token?: string;
        };
        WebhookVerification: {
            /** The object's type. */
            object: "webhook_verification";
            /** The endpoint whose events it verifies. */
            endpoint_id: string;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** How the sender signs. `hmac` is HMAC-SHA256 of the body in a header of your choice. */
            scheme: "github" | "stripe" | "slack" | "shopify" | "standard_webhooks" | "hmac";
            /** The header with the signature, in lower case. */
            header: string;
            /** How the signature is written. */
            encoding: "hex" | "base64";
            /** How far the signed time may be from now; null if the scheme signs none. */
            tolerance_seconds: number | null;
            /** Until when the previous secret is valid too, in Unix seconds; null without one. */
            previous_secret_expires_at: number | null;
            /** Whether it stays after a claim. */
            survives_claim: boolean;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        /**
         * @example {
         *       "inbox_id": "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "methods": [
         *         "POST"
         *       ],
         *       "match": {
         *         "x-github-event": "issues",
         *         "$.action": "opened"
         *       }
         *     }
         */
        WebhookForwardPut: {
            /** The inbox that gets each event. It must have the endpoint's owner. */
            inbox_id?: string;
            /** Or the URL that each event is sent to, as a message. */
            url?: string;
            /** Headers to add for `url`. Encrypted, and never shown again. Default: none. */
            headers?: {
                [key: string]: string;
            } | null;
            /** The body is JSON with this one member: a sentence that says what came and where to read it. */
            text_field?: string | null;
            /** Only events with one of these HTTP methods; null for all. */
            methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | null;
            /** Only events with all of these values. A name is a header's, or a JSON path as `$.action`; null for all. */
            match?: Record<string, unknown> | null;
            /** The resource's `claim_token`, with which a claim keeps this. */
            claim_token?: string;
        };
        WebhookForward: {
            /** The object's type. */
            object: "webhook_forward";
            /** The endpoint whose events it forwards. */
            endpoint_id: string;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** The inbox that gets the events; null with `url`. */
            inbox_id: string | null;
            /** The URL that gets the events; null with `inbox_id`. */
            url: string | null;
            /** The names of the headers that are added. */
            header_names: string[];
            /** The body is JSON with this one member: a sentence that says what came and where to read it. Null for the whole. */
            text_field: string | null;
            /** Only events with one of these HTTP methods; null for all. */
            methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | null;
            /** Only events with all of these values. A name is a header's, or a JSON path as `$.action`; null for all. */
            match: Record<string, unknown> | null;
            /** How many events wait to be forwarded. */
            held_count: number;
            /** Why events wait; null if none does. */
            held_reason: "queued" | "inbox_full" | "other_owner" | "too_many_pending" | null;
            /** Whether it stays after a claim. */
            survives_claim: boolean;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        WebhookEventList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["WebhookEvent"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        WebhookEvent: {
            /** Its ID, which begins with `wev_`. */
            id: string;
            /** The object's type. */
            object: "webhook_event";
            /** The endpoint that captured it. */
            endpoint_id: string;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** The HTTP method of the request. */
            method: string;
            /** The path of the request, without the query. */
            path: string;
            /** By lower-case name. Public endpoints show credentials as `[redacted]`. */
            headers: {
                [key: string]: string;
            };
            /** Whether only the first 500 headers were kept. */
            headers_truncated: boolean;
            /** Its body as text, or in base64 (see `body_encoding`); null if it is empty. */
            body: string | null;
            /** `base64` if `body` holds bytes that are not UTF-8; null without a body. */
            body_encoding: "utf8" | "base64" | null;
            /** Whether only the beginning of the body was kept. */
            body_truncated: boolean;
            /** The value of a JSON body, otherwise null. */
            parsed_body: unknown;
            /** Its query by name; of a repeated name, the last value. */
            query_params: {
                [key: string]: string;
            };
            /** The query as it was sent, without the question mark. */
            query_string: string;
            /** The sender's address; null if unknown. */
            source_ip: string | null;
            /** The size of the whole body, in bytes. */
            size_bytes: number;
            /** When it was captured, in Unix seconds. */
            received_at: number;
            /** Whether its signature is valid; null if the endpoint verified none. */
            verified: boolean | null;
            /** Why: `signature_valid`, `signature_mismatch`, `not_configured` and others. */
            verification_reason: string;
            /** Where it went; null if the endpoint forwarded nothing. */
            forward: components["schemas"]["WebhookEventForward"] | null;
        };
        /**
         * @example {
         *       "url": "https://example.com/hook"
         *     }
         */
        WebhookReplay: {
            /** An http or https URL, without user name and password. */
            url: string;
            /** The HTTP method. Default: the event's. */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** Headers to send instead of the event's. */
            headers?: {
                [key: string]: string;
            };
        };
        Capture: {
            /** Always true: the event is stored. */
            received: true;
            /** The ID of the event. */
            event_id: string;
            /** Only for Slack's `url_verification`. */
            challenge?: string;
        };
        WebhookEventReplayList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["WebhookEventReplay"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        WebhookBulkReplayList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["WebhookBulkReplay"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        ListedArtifactList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["ListedArtifact"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "name": "Report",
         *       "content": "# Report"
         *     }
         */
        ArtifactCreate: {
            /** A name for people. It need not be unique. */
            name: string;
            /** The document, as Markdown or HTML. */
            content: string;
            /** How the content is written. Default: `markdown`. */
            format?: "markdown" | "html";
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        CreatedArtifact: {
            /** Its ID, which begins with `art_`. */
            id: string;
            /** The object's type. */
            object: "artifact";
            /** A name for people. It need not be unique. */
            name: string;
            /** The length of the content in UTF-8 bytes. */
            size: number;
            /** The document, as Markdown or HTML. */
            content: string;
            /** How the content is written. Default: `markdown`. */
            format: "markdown" | "html";
            /** Serves the content alone; relative to the base URL. */
            raw_url: string;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
            /** With `share=true`: shows it to anyone. Shown once. */
            share_url?: string;
            /** The same as `share_url`. */
            url?: string;
        };
        Artifact: {
            /** Its ID, which begins with `art_`. */
            id: string;
            /** The object's type. */
            object: "artifact";
            /** A name for people. It need not be unique. */
            name: string;
            /** The length of the content in UTF-8 bytes. */
            size: number;
            /** The document, as Markdown or HTML. */
            content: string;
            /** How the content is written. Default: `markdown`. */
            format: "markdown" | "html";
            /** Serves the content alone; relative to the base URL. */
            raw_url: string;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        /**
         * @example {
         *       "content": "# Report, revised"
         *     }
         */
        ArtifactUpdate: {
            /** A name for people. It need not be unique. */
            name?: string;
            /** The document, as Markdown or HTML. */
            content?: string;
            /** How the content is written. Default: `markdown`. */
            format?: "markdown" | "html";
        };
        ArtifactVersionList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["ArtifactVersion"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "expires_in": 86400
         *     }
         */
        ArtifactShareCreate: {
            /** Seconds until the link expires; without it or with null, it works until revoked. */
            expires_in?: number | null;
            /** The resource's `claim_token`, with which a claim keeps this. */
            claim_token?: string;
        };
        ArtifactShare: {
            /** Its ID, which begins with `shr_`. */
            id: string;
            /** The object's type. */
            object: "artifact_share";
            /** The artifact that it shows. */
            artifact_id: string;
            /** Whether it stays after a claim. */
            survives_claim: boolean;
            /** When the link ends, in Unix seconds; null if never. */
            expires_at: number | null;
            /** When it was created. */
            created_at: number;
            /** Shows the artifact to anyone. Shown once. */
            url: string;
            /** The same as `url`. */
            share_url: string;
        };
        ListedArtifactShareList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["ListedArtifactShare"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        ScheduledMessageList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["ScheduledMessage"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "url": "https://example.com/hook",
         *       "body": "wake up",
         *       "delay_seconds": 3600
         *     }
         */
        ScheduledMessageCreate: {
            /** How it is sent: always `http`. */
            channel?: "http";
            /** An http or https URL, without user name and password. */
            url: string;
            /** The HTTP method of the request. Default: `POST`. */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** Headers to send, by name. */
            headers?: {
                [key: string]: string;
            };
            /** The body of the request; null for none. */
            body?: string | null;
            /**
             * When to send it, in Unix seconds, not milliseconds. A past time means now.
             * @example 1767225600
             */
            scheduled_at?: number;
            /** How many seconds from now to send it. `scheduled_at` takes precedence. */
            delay_seconds?: number;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        /**
         * @example {
         *       "delay_seconds": 7200
         *     }
         */
        ScheduledMessageUpdate: {
            /** An http or https URL, without user name and password. */
            url?: string;
            /** The HTTP method of the request. */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** All headers to send; null for none. */
            headers?: {
                [key: string]: string;
            } | null;
            /** The body of the request; null for none. */
            body?: string | null;
            /**
             * When to send it, in Unix seconds, not milliseconds. A past time means now.
             * @example 1767225600
             */
            scheduled_at?: number;
            /** How many seconds from now to send it. `scheduled_at` takes precedence. */
            delay_seconds?: number;
        };
        CreatedScheduledMessage: {
            /** Its ID, which begins with `msg_`. */
            id: string;
            /** The object's type. */
            object: "scheduled_message";
            /** How it is sent: always `http`. */
            channel: "http";
            /** Where the request is sent. */
            url: string;
            /** The HTTP method of the request. */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** Headers by name. A key without `api.write` sees credentials as `[redacted]`. */
            headers: {
                [key: string]: string;
            };
            /** The body of the request; null for none. */
            body: string | null;
            /** `base64` if `body` holds bytes that are not UTF-8; null without a body. */
            body_encoding: "utf8" | "base64" | null;
            /** When it is sent first, in Unix seconds. */
            scheduled_at: number;
            /** `failed` is final unless `next_attempt_at` has a time. Only 2xx is `delivered`. */
            status: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
            /** How often it was sent. */
            attempts: number;
            /** The HTTP status of the last response; null without one. */
            response_status: number | null;
            /** Why the last attempt failed, or null. */
            last_error: string | null;
            /** When the last attempt ran, successful or not, in Unix seconds; null before. */
            delivered_at: number | null;
            /** When it is sent again, in Unix seconds; null if it is not. */
            next_attempt_at: number | null;
            /** Whether it has been due for 60 seconds without an attempt. */
            overdue: boolean;
            /** Whether a claim has stopped it. Give it a time, or retry it. */
            held: boolean;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
            /** Values of the request that may be mistakes. */
            warnings?: string[];
        };
        ScheduledMessage: {
            /** Its ID, which begins with `msg_`. */
            id: string;
            /** The object's type. */
            object: "scheduled_message";
            /** How it is sent: always `http`. */
            channel: "http";
            /** Where the request is sent. */
            url: string;
            /** The HTTP method of the request. */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** Headers by name. A key without `api.write` sees credentials as `[redacted]`. */
            headers: {
                [key: string]: string;
            };
            /** The body of the request; null for none. */
            body: string | null;
            /** `base64` if `body` holds bytes that are not UTF-8; null without a body. */
            body_encoding: "utf8" | "base64" | null;
            /** When it is sent first, in Unix seconds. */
            scheduled_at: number;
            /** `failed` is final unless `next_attempt_at` has a time. Only 2xx is `delivered`. */
            status: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
            /** How often it was sent. */
            attempts: number;
            /** The HTTP status of the last response; null without one. */
            response_status: number | null;
            /** Why the last attempt failed, or null. */
            last_error: string | null;
            /** When the last attempt ran, successful or not, in Unix seconds; null before. */
            delivered_at: number | null;
            /** When it is sent again, in Unix seconds; null if it is not. */
            next_attempt_at: number | null;
            /** Whether it has been due for 60 seconds without an attempt. */
            overdue: boolean;
            /** Whether a claim has stopped it. Give it a time, or retry it. */
            held: boolean;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        MessageAttemptList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["MessageAttempt"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        SigningSecret: {
            /** The object's type. */
            object: "signing_secret";
            /** The key of `v1` signatures: `whsec_` and 32 bytes in base64. */
            secret: string;
            /** When it was made by a rotation, in Unix seconds; null before the first. */
            rotated_at: number | null;
            /** Until when the previous secret signs too, in Unix seconds; null without one. */
            old_secret_expires_at: number | null;
        };
        InboxList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Inbox"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "name": "Orders"
         *     }
         */
        InboxCreate: {
            /** A name for people. It need not be unique. */
            name: string;
            /** A description, or null. */
            description?: string | null;
            /** How long events live by default, in seconds. Default: 86400. */
            default_ttl_seconds?: number;
            /** How many events may be pending. More are refused. Default, also for null: 1000. */
            max_events?: number | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        CreatedInbox: {
            /** Its ID, which begins with `inbox_`. */
            id: string;
            /** The object's type. */
            object: "inbox";
            /** A name for people. It need not be unique. */
            name: string;
            /** A description, or null. */
            description: string | null;
            /** Anyone may POST events to it, without a key. */
            ingest_url: string;
            /** How long events live by default, in seconds. */
            default_ttl_seconds: number;
            /** How many events may be pending. More are refused. */
            max_events: number;
            /** How many events are pending. Lists leave it out. */
            event_count?: number;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
        };
        /**
         * @example {
         *       "max_events": 5000
         *     }
         */
        InboxUpdate: {
            /** A name for people. It need not be unique. */
            name?: string;
            /** A description, or null. */
            description?: string | null;
            /** How long events live by default, in seconds. Default: 86400. */
            default_ttl_seconds?: number;
            /** How many events may be pending. More are refused. Default, also for null: 1000. */
            max_events?: number | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        Inbox: {
            /** Its ID, which begins with `inbox_`. */
            id: string;
            /** The object's type. */
            object: "inbox";
            /** A name for people. It need not be unique. */
            name: string;
            /** A description, or null. */
            description: string | null;
            /** Anyone may POST events to it, without a key. */
            ingest_url: string;
            /** How long events live by default, in seconds. */
            default_ttl_seconds: number;
            /** How many events may be pending. More are refused. */
            max_events: number;
            /** How many events are pending. Lists leave it out. */
            event_count?: number;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        InboxStats: {
            /** The object's type. */
            object: "inbox_stats";
            /** The inbox that is counted. */
            inbox_id: string;
            /** Events that can be received now. */
            ready: number;
            /** Events whose delay has not ended. */
            delayed: number;
            /** Events that a consumer holds. */
            leased: number;
            /** Events that only a redrive delivers again. */
            dead: number;
            /** How long the oldest ready event has been ready, in seconds; null without one. */
            oldest_ready_age_seconds: number | null;
            /** Counts since its creation. `ingested` is the others and the present events. */
            totals: {
                /** Events ever added. */
                ingested: number;
                /** Events acknowledged, or deleted by their ID. */
                acknowledged: number;
                /** Events that have expired. */
                expired: number;
                /** Events deleted by a purge. */
                purged: number;
            };
        };
        InboxEventReceipt: {
            /** Its ID, which begins with `iev_`. */
            id: string;
            /** The object's type. */
            object: "inbox_event";
            /** The inbox that has it. */
            inbox_id: string;
            /** Whether it can be received: only if it is `ready`. */
            state: "ready" | "delayed" | "leased" | "dead";
            /** When it was added, in Unix seconds. */
            received_at: number;
            /** When it is deleted if nobody acknowledges it, in Unix seconds. */
            expires_at: number;
            /** Whether it was pending already, and nothing was added. */
            deduplicated: boolean;
            /** Always true: the event is stored. */
            received: true;
            /** The same as `id`. */
            event_id: string;
        };
        InboxEventList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["InboxEvent"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        InboxEvent: {
            /** Its ID, which begins with `iev_`. */
            id: string;
            /** The object's type. */
            object: "inbox_event";
            /** The inbox that has it. */
            inbox_id: string;
            /** Whether it can be received: only if it is `ready`. */
            state: "ready" | "delayed" | "leased" | "dead";
            /** When it was added, in Unix seconds. */
            received_at: number;
            /** When it is deleted if nobody acknowledges it, in Unix seconds. */
            expires_at: number;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** The sender's `Content-Type`; null without one. */
            content_type: string | null;
            /** By lower-case name. Public inboxes show credentials as `[redacted]`. */
            headers: {
                [key: string]: string;
            };
            /** Whether only the first 500 headers were kept. */
            headers_truncated: boolean;
            /** Its body as text, or in base64 (see `body_encoding`); null if it is empty. */
            body: string | null;
            /** `base64` if `body` holds bytes that are not UTF-8; null without a body. */
            body_encoding: "utf8" | "base64" | null;
            /** The value of a JSON body, otherwise null. */
            parsed_body: unknown;
            /** Its query by name; of a repeated name, the last value. */
            query_params: {
                [key: string]: string;
            };
            /** The sender's address; null if unknown. */
            source_ip: string | null;
            /** The size of its body, in bytes. */
            size_bytes: number;
            /** The `dedup_id` that it was sent with, if any. */
            dedup_id: string | null;
            /** How often it was received. */
            delivery_count: number;
            /** The last consumer to receive it, if it has a name. */
            consumer: string | null;
            /** When its lease ends, in Unix seconds; null unless it is leased. */
            leased_until: number | null;
            /** The `error` of its last nack, or null. */
            last_error: string | null;
            /** From when it can be received, in Unix seconds; null if it is dead. */
            visible_at: number | null;
        };
        /**
         * @example {
         *       "limit": 10,
         *       "wait_seconds": 20
         *     }
         */
        InboxReceive: {
            /** How many events to receive at most. Default: 1. */
            limit?: number;
            /** How long others do not get them, in seconds. Default: 60. */
            lease_seconds?: number;
            /** How long to wait for the first event, in seconds. Default: 0. */
            wait_seconds?: number;
            /** The name of this worker, which the events show; null for none. */
            consumer?: string | null;
            /** Events to acknowledge first. The response has their outcomes as `acks`. */
            ack?: components["schemas"]["InboxAckItem"][];
        };
        InboxReceived: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["LeasedInboxEvent"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
            /** The outcomes of `ack`, in its order. */
            acks?: components["schemas"]["InboxAckOutcome"][];
        };
        /**
         * @example {
         *       "acks": [
         *         {
         *           "event_id": "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *           "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x"
         *         }
         *       ]
         *     }
         */
        InboxSettle: {
            /** Events that are done, and are deleted. */
            acks?: components["schemas"]["InboxAckItem"][];
            /** Events that are to be delivered again, or are dead. */
            nacks?: components["schemas"]["InboxNackItem"][];
        };
        InboxSettled: {
            /** The object's type. */
            object: "inbox_ack_result";
            /** The outcomes of `acks`, in their order. */
            acks: components["schemas"]["InboxAckOutcome"][];
            /** The outcomes of `nacks`, in their order. */
            nacks: components["schemas"]["InboxNackOutcome"][];
        };
        /**
         * @example {
         *       "limit": 100
         *     }
         */
        InboxRedrive: {
            /** How many events to redrive at most. Default: all. */
            limit?: number;
        };
        InboxRedriven: {
            /** The object's type. */
            object: "inbox_redrive_result";
            /** How many events are ready again. */
            redriven: number;
            /** How many events are still dead. */
            remaining: number;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x"
         *     }
         */
        InboxAck: {
            /** The `lease_id` that it was received with. */
            lease_id: string;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "delay_seconds": 60
         *     }
         */
        InboxNack: {
            /** The `lease_id` that it was received with. */
            lease_id: string;
            /** How many seconds until it can be received again. Default: 0. */
            delay_seconds?: number;
            /** Why it failed; kept as `last_error`. */
            error?: string | null;
            /** Whether only a redrive delivers it again. Default: false. */
            dead?: boolean;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "lease_seconds": 300
         *     }
         */
        InboxExtend: {
            /** The `lease_id` that it was received with. */
            lease_id: string;
            /** How many seconds from now the lease ends. */
            lease_seconds: number;
        };
        InboxReply: {
            /** The ID of the event, which begins with `iev_`. */
            id: string;
            /** The object's type. */
            object: "inbox_reply";
            /** The inbox that the event was in. */
            inbox_id: string;
            /** Its `Content-Type`; null without one. */
            content_type: string | null;
            /** Its size, in bytes. */
            size_bytes: number;
            /** Returns its bytes, without a key. */
            reply_url: string;
            /** When it was created. */
            created_at: number;
            /** When it is deleted, in Unix seconds. */
            expires_at: number;
        };
        InboxReplyList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["InboxReply"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        ScheduleList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Schedule"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "name": "Daily report",
         *       "cron": "0 9 * * MON-FRI",
         *       "timezone": "Europe/Berlin",
         *       "target": {
         *         "task": {
         *           "name": "Write the daily report"
         *         }
         *       }
         *     }
         */
        ScheduleCreate: {
            /** A name for people. It need not be unique. */
            name?: string | null;
            /** Runs at these times: minute, hour, day, month and weekday. Null with `every_seconds`. */
            cron?: string | null;
            /** The IANA time zone of `cron`. Default: `UTC`. */
            timezone?: string | null;
            /** Runs at this interval, in seconds. Null with `cron`. */
            every_seconds?: number | null;
            /**
             * No run is earlier, in Unix seconds, not milliseconds; null for no limit.
             * @example 1767225600
             */
            starts_at?: number | null;
            /**
             * No run is at this time or later, in Unix seconds, not milliseconds; null for no limit.
             * @example 1767225600
             */
            ends_at?: number | null;
            /** Whether nothing runs for now. Default: false. */
            paused?: boolean;
            /** What happens to times missed by over 300 seconds. `once`: one run for all. Default: `skip`. */
            catch_up?: "skip" | "once";
            /** What each run creates: exactly one of the members. */
            target: components["schemas"]["ScheduleTarget"];
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        CreatedSchedule: {
            /** Its ID, which begins with `sch_`. */
            id: string;
            /** The object's type. */
            object: "schedule";
            /** A name for people. It need not be unique. */
            name: string | null;
            /** Runs at these times: minute, hour, day, month and weekday. Null with `every_seconds`. */
            cron: string | null;
            /** The IANA time zone of `cron`. */
            timezone: string | null;
            /** Runs at this interval, in seconds. Null with `cron`. */
            every_seconds: number | null;
            /** No run is earlier, in Unix seconds, not milliseconds; null for no limit. */
            starts_at: number | null;
            /** No run is at this time or later, in Unix seconds, not milliseconds; null for no limit. */
            ends_at: number | null;
            /** Whether nothing runs for now. */
            paused: boolean;
            /** What happens to times missed by over 300 seconds. `once`: one run for all. */
            catch_up: "skip" | "once";
            /** What each run creates. A read-only key sees credentials as `[redacted]`. */
            target: Record<string, unknown>;
            /** Its next times, up to 5, in Unix seconds. */
            next_runs: number[];
            /** The nominal time of its last run, in Unix seconds; null before the first. */
            last_run_at: number | null;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
        };
        /**
         * @example {
         *       "paused": true
         *     }
         */
        ScheduleUpdate: {
            /** A name for people. It need not be unique. */
            name?: string | null;
            /** Runs at these times: minute, hour, day, month and weekday. Null with `every_seconds`. */
            cron?: string | null;
            /** The IANA time zone of `cron`. Default: `UTC`. */
            timezone?: string | null;
            /** Runs at this interval, in seconds. Null with `cron`. */
            every_seconds?: number | null;
            /**
             * No run is earlier, in Unix seconds, not milliseconds; null for no limit.
             * @example 1767225600
             */
            starts_at?: number | null;
            /**
             * No run is at this time or later, in Unix seconds, not milliseconds; null for no limit.
             * @example 1767225600
             */
            ends_at?: number | null;
            /** Whether nothing runs for now. Default: false. */
            paused?: boolean;
            /** What happens to times missed by over 300 seconds. `once`: one run for all. Default: `skip`. */
            catch_up?: "skip" | "once";
            /** What each run creates: exactly one of the members. */
            target?: components["schemas"]["ScheduleTarget"];
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        Schedule: {
            /** Its ID, which begins with `sch_`. */
            id: string;
            /** The object's type. */
            object: "schedule";
            /** A name for people. It need not be unique. */
            name: string | null;
            /** Runs at these times: minute, hour, day, month and weekday. Null with `every_seconds`. */
            cron: string | null;
            /** The IANA time zone of `cron`. */
            timezone: string | null;
            /** Runs at this interval, in seconds. Null with `cron`. */
            every_seconds: number | null;
            /** No run is earlier, in Unix seconds, not milliseconds; null for no limit. */
            starts_at: number | null;
            /** No run is at this time or later, in Unix seconds, not milliseconds; null for no limit. */
            ends_at: number | null;
            /** Whether nothing runs for now. */
            paused: boolean;
            /** What happens to times missed by over 300 seconds. `once`: one run for all. */
            catch_up: "skip" | "once";
            /** What each run creates. A read-only key sees credentials as `[redacted]`. */
            target: Record<string, unknown>;
            /** Its next times, up to 5, in Unix seconds. */
            next_runs: number[];
            /** The nominal time of its last run, in Unix seconds; null before the first. */
            last_run_at: number | null;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        ScheduleRun: {
            /** Its ID, which begins with `run_`. */
            id: string;
            /** The object's type. */
            object: "schedule_run";
            /** The schedule that ran. */
            schedule_id: string;
            /** The time it is for, in Unix seconds. */
            scheduled_for: number;
            /** Whether a caller asked for it. */
            manual: boolean;
            /** Whether it created a resource. */
            status: "created" | "failed";
            /** The message, inbox event or task that it created; null if it failed. */
            resource_id: string | null;
            /** The inbox of the inbox event, if it created one. */
            inbox_id: string | null;
            /** Why it failed, or null. */
            reason: "inbox_full" | "inbox_deleted" | "other_owner" | "forbidden" | "public_limit" | "storage_full" | "internal_error" | null;
            /** When it was created. */
            created_at: number;
        };
        ScheduleRunList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["ScheduleRun"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        QuestionList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Question"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "prompt": "Deploy version 2?",
         *       "kind": "approve"
         *     }
         */
        QuestionCreate: {
            /** What the person is asked. */
            prompt: string;
            /** How it is answered. */
            kind: "approve" | "choice" | "text" | "form";
            /** For a `choice`: what can be chosen, by `id` and `label`. */
            options?: components["schemas"]["QuestionOption"][] | null;
            /** For a `form`: a flat JSON Schema, as in MCP's elicitation. */
            form?: Record<string, unknown> | null;
            /** Markdown to read with it. */
            context?: string | null;
            /** A task of the same owner that it is about. */
            task_id?: string | null;
            /** A document of the same owner to read with it. */
            artifact_id?: string | null;
            /** Seconds from now until it expires. Default: 604800, 7 days. */
            expires_in?: number;
            /** `deny`: an `approve` that nobody answers is denied. Default: `expire`. */
            on_expiry?: "expire" | "deny";
            /** Whether only signed-in people may answer. */
            require_sign_in?: boolean;
            /** Where the outcome is sent: answered, expired or withdrawn. */
            reply_to?: components["schemas"]["QuestionReplyTo"] | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        CreatedQuestion: {
            /** Its ID, which begins with `qst_`. */
            id: string;
            /** The object's type. */
            object: "question";
            /** What the person is asked. */
            prompt: string;
            /** How it is answered. */
            kind: "approve" | "choice" | "text" | "form";
            /** For a `choice`: what can be chosen, by `id` and `label`. */
            options: {
                [key: string]: string;
            }[] | null;
            /** For a `form`: a flat JSON Schema, as in MCP's elicitation. */
            form: Record<string, unknown> | null;
            /** Markdown to read with it. */
            context: string | null;
            /** A task of the same owner that it is about. */
            task_id: string | null;
            /** A document of the same owner to read with it. */
            artifact_id: string | null;
            /** Whether an answer can still come, and why not. */
            state: "open" | "answered" | "expired" | "withdrawn";
            /** The answer, which is final, or null. */
            answer: string | Record<string, unknown> | null;
            /** The ID of the signed-in person, else `link`; null without an answer. */
            answered_by: string | null;
            /** When it was answered, in Unix seconds, or null. */
            answered_at: number | null;
            /** `deny`: an `approve` that nobody answers is denied. */
            on_expiry: "expire" | "deny";
            /** Whether only signed-in people may answer. */
            require_sign_in: boolean;
            /** When it expires, in Unix seconds. */
            expires_at: number;
            /** Where the outcome is sent. Null in the response to an answer. */
            reply_to: {
                [key: string]: string;
            } | null;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
            /** Claims it for an organization. Shown once, and only without a key. */
            claim_token?: string;
            /** Where to POST the token with a key. */
            claim_url?: string;
            /** A page where your user claims it, with the token. */
            claim_link?: string;
            /** A page that shows it until a claim. */
            view_url?: string;
            /** The page for the person who answers. Shown once. */
            answer_url?: string;
        };
        /**
         * @example {
         *       "expires_in": 86400
         *     }
         */
        QuestionUpdate: {
            /** What the person is asked. */
            prompt?: string;
            /** For a `choice`: what can be chosen, by `id` and `label`. */
            options?: components["schemas"]["QuestionOption"][] | null;
            /** For a `form`: a flat JSON Schema, as in MCP's elicitation. */
            form?: Record<string, unknown> | null;
            /** Markdown to read with it. */
            context?: string | null;
            /** Seconds from now until it expires. Default: 604800, 7 days. */
            expires_in?: number;
            /** `deny`: an `approve` that nobody answers is denied. Default: `expire`. */
            on_expiry?: "expire" | "deny";
            /** Your own ID for it, or null. It need not be unique. */
            external_id?: string | null;
        };
        Question: {
            /** Its ID, which begins with `qst_`. */
            id: string;
            /** The object's type. */
            object: "question";
            /** What the person is asked. */
            prompt: string;
            /** How it is answered. */
            kind: "approve" | "choice" | "text" | "form";
            /** For a `choice`: what can be chosen, by `id` and `label`. */
            options: {
                [key: string]: string;
            }[] | null;
            /** For a `form`: a flat JSON Schema, as in MCP's elicitation. */
            form: Record<string, unknown> | null;
            /** Markdown to read with it. */
            context: string | null;
            /** A task of the same owner that it is about. */
            task_id: string | null;
            /** A document of the same owner to read with it. */
            artifact_id: string | null;
            /** Whether an answer can still come, and why not. */
            state: "open" | "answered" | "expired" | "withdrawn";
            /** The answer, which is final, or null. */
            answer: string | Record<string, unknown> | null;
            /** The ID of the signed-in person, else `link`; null without an answer. */
            answered_by: string | null;
            /** When it was answered, in Unix seconds, or null. */
            answered_at: number | null;
            /** `deny`: an `approve` that nobody answers is denied. */
            on_expiry: "expire" | "deny";
            /** Whether only signed-in people may answer. */
            require_sign_in: boolean;
            /** When it expires, in Unix seconds. */
            expires_at: number;
            /** Where the outcome is sent. Null in the response to an answer. */
            reply_to: {
                [key: string]: string;
            } | null;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        /**
         * @example {
         *       "operations": [
         *         {
         *           "method": "POST",
         *           "path": "/api/tasks",
         *           "body": {
         *             "name": "Write the report"
         *           }
         *         },
         *         {
         *           "method": "DELETE",
         *           "path": "/api/tasks/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q"
         *         }
         *       ]
         *     }
         */
        Batch: {
            /** They run in this order. */
            operations: {
                /** `POST` creates, `DELETE` deletes. */
                method: "POST" | "DELETE";
                /** `/api/tasks`, or `/api/tasks/{id}` with DELETE. */
                path: string;
                /** That of the create. */
                body?: Record<string, unknown>;
            }[];
        };
        BatchResult: {
            /** The object's type. */
            object: "batch_result";
            /** One for each operation, in the same order. */
            data: {
                /** That of this operation alone. */
                status: number;
                /** That of the created or deleted resource. Null if it failed. */
                id: string | null;
                /** Null if it succeeded or was not tried. */
                error: {
                    /** The class of the error, by status. */
                    type: "invalid_request_error" | "authentication_error" | "authorization_error" | "not_found_error" | "rate_limit_error" | "api_error";
                    /** What went wrong. It is stable: branch on it. */
                    code: string;
                    /** What went wrong, in words, which may change. */
                    message: string;
                    /** The property or parameter that is wrong, such as `labels.3`, or null. */
                    param: string | null;
                    /** The page that explains `code`. */
                    doc_url: string;
                    /** The ID of the request, for support. Also the header `Request-Id`. */
                    request_id: string;
                } | null;
            }[];
            /** Claims all that was created. Shown once. */
            claim_token?: string;
            /** For your user: the claim page, with the token. */
            claim_link?: string;
        };
        ChangeList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Change"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        SubscriptionList: {
            /** The object's type. */
            object: "list";
            /** The items. */
            data: components["schemas"]["Subscription"][];
            /** Whether another page follows. */
            has_more: boolean;
            /** The `after` of the next page; null after the last. */
            next_cursor: string | null;
            /** The count, with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "url": "https://example.com/hook",
         *       "kinds": [
         *         "tasks"
         *       ],
         *       "actions": [
         *         "completed"
         *       ]
         *     }
         */
        SubscriptionCreate: {
            /** The URL that each change is sent to, as a signed message. */
            url?: string;
            /** Or the inbox of your organization that gets each change as an event. */
            inbox_id?: string;
            /** Headers to add for `url`. Encrypted, and never shown again. Default: none. */
            headers?: {
                [key: string]: string;
            } | null;
            /** The body is JSON with this one member: a sentence that says what came and where to read it. */
            text_field?: string | null;
            /** Only changes of these kinds of resources; null for all. */
            kinds?: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules" | "questions")[] | null;
            /** Only these changes; null for all. */
            actions?: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead" | "answered" | "withdrawn" | "expired")[] | null;
        };
        Subscription: {
            /** Its ID, which begins with `sub_`. */
            id: string;
            /** The object's type. */
            object: "subscription";
            /** The organization that owns it. */
            organization_id: string;
            /** The URL that gets the changes; null with `inbox_id`. */
            url: string | null;
            /** The inbox that gets the changes; null with `url`. */
            inbox_id: string | null;
            /** The names of the headers that are added. */
            header_names: string[];
            /** The body is JSON with this one member: a sentence that says what came and where to read it. Null for the whole. */
            text_field: string | null;
            /** Only changes of these kinds of resources; null for all. */
            kinds: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules" | "questions")[] | null;
            /** Only these changes; null for all. */
            actions: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead" | "answered" | "withdrawn" | "expired")[] | null;
            /** Why changes or events are held back; null if none is. */
            held_reason: "inbox_full" | "too_many_pending" | "callback_failed" | null;
            /** The MCP event that `url` gets; null if it gets changes. */
            event: string | null;
            /** When a subscription to events ends unless it is renewed; else null. */
            expires_at: number | null;
            /** When it was created. */
            created_at: number;
        };
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9"
         *     }
         */
        Claim: {
            /** The `claim_token` of the create response. It works once. */
            claim_token: string;
        };
        ClaimedResource: components["schemas"]["Schedule"] | components["schemas"]["Task"] | components["schemas"]["WebhookEndpoint"] | components["schemas"]["Artifact"] | components["schemas"]["Inbox"] | components["schemas"]["ScheduledMessage"] | components["schemas"]["Question"];
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9"
         *     }
         */
        ClaimAll: {
            /** The `claim_token` of a create response. Everything with this token is claimed. */
            claim_token: string;
            /** Whether only to list what the token claims. Default: false. */
            dry_run?: boolean;
        };
        ClaimSet: {
            /** The object's type. */
            object: "claim_set";
            /** Whether nothing was claimed. */
            dry_run: boolean;
            /** The organization that owns it now; null for a dry run. */
            organization_id: string | null;
            /** What the token claims, oldest first, then what that has made. */
            data: components["schemas"]["ClaimSetItem"][];
            /** Whether `data` or `settings` has more than 1000. */
            has_more: boolean;
            /** Settings that send something, or let others in. */
            settings: components["schemas"]["ClaimSetSetting"][];
        };
        Me: {
            /** The object's type. */
            object: "me";
            /** The credential that was sent; `anonymous` without one. */
            kind: "anonymous" | "api_key" | "access_token";
            /** The ID of the key; null without one. */
            key_id: string | null;
            /** The name of the key or its client, or null. */
            key_name: string | null;
            /** The organization of the key, or null. */
            organization_id: string | null;
            /** The organization's name, or null. */
            organization_name: string | null;
            /** The agent registration that the key was issued for, or null. */
            registration_id: string | null;
            /** What the key may do. Empty without one. */
            scopes: ("api.read" | "api.write")[];
            /** When the key was created, in Unix seconds; null without one. */
            created_at: number | null;
            /** When the key expires, in Unix seconds; null if never. */
            expires_at: number | null;
            /** Until when a claim of the registration adds `api.write`, in Unix seconds. */
            claim_ends_at: number | null;
            /** What is left of your limits. Empty without limits. */
            rate_limits: components["schemas"]["Allowance"][];
            /** What the key may do, and how to get more, in words. */
            hint: string;
        };
        /**
         * @example {
         *       "overlap_seconds": 300
         *     }
         */
        KeyRotate: {
            /** How many seconds the old key keeps working. With 0, a lost response cannot be repeated. Default: 300. */
            overlap_seconds?: number;
        };
        RotatedKey: {
            /** The object's type. */
            object: "rotated_key";
            /** The ID of the new key. */
            id: string;
            /** The new key. Shown once. */
            key: string;
            /** What the key is, as before. */
            kind: "api_key" | "access_token";
            /** What the key may do, as before. */
            scopes: ("api.read" | "api.write")[];
            /** When the key expires, in Unix seconds; null if never. */
            expires_at: number | null;
            /** Until when the old key works too, in Unix seconds. */
            old_key_expires_at: number;
        };
        Health: {
            /** `degraded` if it answers, but not everything works. */
            status: "ok" | "degraded";
            /** Why it is degraded. */
            reason?: string;
            /** The version of the service. */
            version: string;
            /** Always `ok`: without a database the response is 503. */
            database: "ok";
            /** When due messages were last sent, in Unix seconds; null before. */
            last_dispatch_at: number | null;
            /** How long the oldest waiting message has been due, in seconds; null without one. */
            oldest_due_seconds: number | null;
        };
        Limits: {
            /** The object's type. */
            object: "limits";
            /** The bounds of each body's properties. */
            fields: {
                [key: string]: {
                    [key: string]: Record<string, unknown>;
                };
            };
            /** The lengths of pages. */
            lists: Record<string, unknown>;
            /** How much is accepted and stored. */
            sizes: Record<string, unknown>;
            /** Allowed rates, each {limit, window_seconds}, if `enforced`. */
            rates: Record<string, unknown>;
            /** Which addresses count as one. */
            networks: Record<string, unknown>;
            /** How long calls may wait. */
            waits: Record<string, unknown>;
            /** How many connections may be open. */
            connections: Record<string, unknown>;
            /** How many searches may run and wait. */
            searches: Record<string, unknown>;
            /** How messages are sent and retried. */
            deliveries: Record<string, unknown>;
            /** Defaults of inboxes and their events. */
            inboxes: Record<string, unknown>;
            /** How long credentials and codes last. */
            credentials: Record<string, unknown>;
            /** How long and how much is kept. */
            retention: Record<string, unknown>;
        };
        AgentRegistration: components["schemas"]["AgentRegistrationAnonymous"] | components["schemas"]["AgentRegistrationByUser"] | components["schemas"]["AgentRegistrationByProvider"];
        AgentRegistered: components["schemas"]["AgentRegisteredAnonymous"] | components["schemas"]["AgentRegisteredByUser"] | components["schemas"]["AgentRegisteredByProvider"];
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cL",
         *       "email": "ada@example.com"
         *     }
         */
        AgentClaimStart: {
            /** The `claim_token` of the registration. */
            claim_token: string;
            /** The email address of your user, to which the code is sent. */
            email: string;
        };
        AgentClaimStarted: {
            /** The ID of the registration. */
            registration_id: string;
            /** The ID of this attempt to claim the registration. */
            claim_attempt_id: string;
            /** How far the claim is. */
            status: "initiated";
            /** When this attempt expires, in Unix seconds. */
            expires_at: number;
            /** When the code in the mail expires, in Unix seconds. */
            otp_expires: number;
        };
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cL",
         *       "otp": "402817"
         *     }
         */
        AgentClaimComplete: {
            /** The `claim_token` of the registration. */
            claim_token: string;
            /** The code from the mail, which your user tells you. */
            otp: string;
        };
        AgentClaimed: components["schemas"]["AgentClaimedAnonymous"] | components["schemas"]["AgentClaimedByUser"];
        AgentClaimedAnonymous: {
            /** The ID of the registration. */
            registration_id: string;
            /** How far the claim is. */
            status: "claimed";
            /** What the credential may do. */
            scopes: ("api.read" | "api.write")[];
        };
        AgentClaimedByUser: {
            /** The ID of the registration. */
            registration_id: string;
            /** How far the claim is. */
            status: "claimed";
            /** What the credential may do. */
            scopes: ("api.read" | "api.write")[];
            /** What `credential` is: a short-lived token, or a key. */
            credential_type: "access_token" | "api_key";
            /** Send it as a bearer token. Shown once. */
            credential: string;
            /** When it expires, in Unix seconds; null if never. */
            credential_expires: number | null;
        };
        AgentRegisteredAnonymous: {
            /** The ID of the registration. */
            registration_id: string;
            /** How the agent registered. */
            registration_type: "anonymous";
            /** What `credential` is: a short-lived token, or a key. */
            credential_type: "access_token" | "api_key";
            /** Send it as a bearer token. Shown once. */
            credential: string;
            /** When it expires, in Unix seconds; null if never. */
            credential_expires: number | null;
            /** What the credential may do. */
            scopes: ("api.read" | "api.write")[];
            /**
             * Format: uri
             * Where to begin a claim by your user.
             */
            claim_url: string;
            /** Proves that you registered. Shown once. */
            claim_token: string;
            /** When the token expires, in Unix seconds. */
            claim_token_expires: number;
            /** What the credential may do after a claim. */
            post_claim_scopes: ("api.read" | "api.write")[];
        };
        AgentRegisteredByUser: {
            /** The ID of the registration. */
            registration_id: string;
            /** How the agent registered. */
            registration_type: "service_auth";
            /** The ID of this attempt to claim the registration. */
            claim_attempt_id: string;
            /** When the code in the mail expires, in Unix seconds. */
            otp_expires: number;
            /**
             * Format: uri
             * Where to begin a claim by your user.
             */
            claim_url: string;
            /** Proves that you registered. Shown once. */
            claim_token: string;
            /** When the token expires, in Unix seconds. */
            claim_token_expires: number;
            /** What the credential may do after a claim. */
            post_claim_scopes: ("api.read" | "api.write")[];
        };
        AgentRegisteredByProvider: {
            /** The ID of the registration. */
            registration_id: string;
            /** How the agent registered. */
            registration_type: "agent-provider";
            /** What `credential` is: a short-lived token, or a key. */
            credential_type: "access_token" | "api_key";
            /** Send it as a bearer token. Shown once. */
            credential: string;
            /** When it expires, in Unix seconds; null if never. */
            credential_expires: number | null;
            /** What the credential may do. */
            scopes: ("api.read" | "api.write")[];
        };
        /**
         * @example {
         *       "type": "anonymous"
         *     }
         */
        AgentRegistrationAnonymous: {
            /** How the agent proves who it is. */
            type: "anonymous";
            /** The kind of credential to issue. Default: `api_key`. */
            requested_credential_type?: "api_key";
        };
        AgentRegistrationByUser: {
            /** How the agent proves who it is. */
            type: "service_auth";
            /**
             * Format: email
             * The email address of your user, who gets a code by mail.
             */
            login_hint: string;
            /** The kind of credential to issue. Default: `api_key`. */
            requested_credential_type?: "access_token" | "api_key";
        };
        AgentRegistrationByProvider: {
            /** How the agent proves who it is. */
            type: "identity_assertion";
            /** The kind of assertion. */
            assertion_type: "urn:ietf:params:oauth:token-type:id-jag";
            /** The assertion, a compact JWS of at most 16384 characters. */
            assertion: string;
            /** The kind of credential to issue. Default: `api_key`. */
            requested_credential_type?: "access_token" | "api_key";
        };
        Error: {
            /** Why the request failed. */
            error: {
                /** The class of the error, by status. */
                type: "invalid_request_error" | "authentication_error" | "authorization_error" | "not_found_error" | "rate_limit_error" | "api_error";
                /** What went wrong. It is stable: branch on it. */
                code: string;
                /** What went wrong, in words, which may change. */
                message: string;
                /** The property or parameter that is wrong, such as `labels.3`, or null. */
                param: string | null;
                /** The page that explains `code`. */
                doc_url: string;
                /** The ID of the request, for support. Also the header `Request-Id`. */
                request_id: string;
            };
        };
        Allowance: {
            /** What is counted. */
            counts: string;
            /** How many are allowed in a window. */
            limit: number;
            /** The length of a window, in seconds. */
            window_seconds: number;
            /** How many are left in this window. */
            remaining: number;
            /** How many seconds remain of this window. */
            resets_in_seconds: number;
        };
        ClaimSetItem: {
            /** The ID of the resource. */
            id: string;
            /** The kind of resource. Read it at `/api/{kind}/{id}`. */
            kind: "tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules" | "questions";
            /** Its name; of a message, the method and URL. */
            name: string;
            /** When it was created. */
            created_at: number;
            /** The schedule, endpoint or question that made it, if any. */
            made_by: string | null;
            /** Whether it was changed without the claim token. */
            changed_since_created: boolean;
            /** Whether a claim therefore pauses it, or holds it or its reply. */
            stops: boolean;
        };
        ClaimSetSetting: {
            /** The resource that has it. */
            resource_id: string;
            /** The kind of setting. */
            setting: "forward" | "verification" | "share" | "target";
            /** Where it sends: an origin, an inbox or `task`. Else the scheme or share link. */
            value: string;
            /** Whether it stays after a claim. */
            survives_claim: boolean;
        };
        Change: {
            /** Its ID, which begins with `chg_`. */
            id: string;
            /** The object's type. */
            object: "change";
            /** What kind of resource changed. */
            kind: "tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules" | "questions";
            /** What happened to it. */
            action: "created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead" | "answered" | "withdrawn" | "expired";
            /** The ID of the resource. */
            resource_id: string;
            /** The key, person or schedule that did it; null if the service did. */
            actor: string | null;
            /** When it happened, in Unix seconds. */
            created_at: number;
        };
        QuestionOption: {
            /** The answer, if it is chosen. */
            id: string;
            /** What the person sees. */
            label: string;
        };
        QuestionReplyTo: {
            /** An inbox with the question's owner, which gets an event. */
            inbox_id?: string;
            /** Or a URL, which gets a signed message. */
            url?: string;
        };
        /**
         * @example {
         *       "task": {
         *         "name": "Write the daily report"
         *       }
         *     }
         */
        ScheduleTarget: {
            /** A message, without `scheduled_at`: each run has its time. */
            message?: components["schemas"]["ScheduledMessageCreate"];
            /** An event of an inbox. */
            inbox_event?: {
                /** The inbox that gets an event. It must have the schedule's owner. */
                inbox_id: string;
                /** The event's body. Default: empty. */
                body?: string;
                /** Its `Content-Type`. Default: `application/json` if the body is JSON, else `text/plain`. */
                content_type?: string;
                /** Seconds until it can be received: less than its TTL. Default: 0. */
                delay_seconds?: number;
                /** How long the event lives, in seconds. Default: that of the inbox. */
                ttl_seconds?: number;
            };
            /** A task. */
            task?: components["schemas"]["TaskCreate"];
        };
        InboxAckOutcome: {
            /** The ID of the event. */
            event_id: string;
            /** `lease_lost`: another consumer has it. `not_found`: it is gone. */
            outcome: "acknowledged" | "lease_lost" | "not_found";
        };
        InboxNackOutcome: {
            /** The ID of the event. */
            event_id: string;
            /** `lease_lost`: another consumer has it. `not_found`: it is gone. */
            outcome: "released" | "dead" | "lease_lost" | "not_found";
        };
        InboxAckItem: {
            /** The ID of the event. */
            event_id: string;
            /** The `lease_id` that it was received with. */
            lease_id: string;
        };
        InboxNackItem: {
            /** The ID of the event. */
            event_id: string;
            /** The `lease_id` that it was received with. */
            lease_id: string;
            /** How many seconds until it can be received again. Default: 0. */
            delay_seconds?: number;
            /** Why it failed; kept as `last_error`. */
            error?: string | null;
            /** Whether only a redrive delivers it again. Default: false. */
            dead?: boolean;
        };
        LeasedInboxEvent: {
            /** Its ID, which begins with `iev_`. */
            id: string;
            /** The object's type. */
            object: "inbox_event";
            /** The inbox that has it. */
            inbox_id: string;
            /** Whether it can be received: only if it is `ready`. */
            state: "ready" | "delayed" | "leased" | "dead";
            /** When it was added, in Unix seconds. */
            received_at: number;
            /** When it is deleted if nobody acknowledges it, in Unix seconds. */
            expires_at: number;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** The sender's `Content-Type`; null without one. */
            content_type: string | null;
            /** By lower-case name. Public inboxes show credentials as `[redacted]`. */
            headers: {
                [key: string]: string;
            };
            /** Whether only the first 500 headers were kept. */
            headers_truncated: boolean;
            /** Its body as text, or in base64 (see `body_encoding`); null if it is empty. */
            body: string | null;
            /** `base64` if `body` holds bytes that are not UTF-8; null without a body. */
            body_encoding: "utf8" | "base64" | null;
            /** The value of a JSON body, otherwise null. */
            parsed_body: unknown;
            /** Its query by name; of a repeated name, the last value. */
            query_params: {
                [key: string]: string;
            };
            /** The sender's address; null if unknown. */
            source_ip: string | null;
            /** The size of its body, in bytes. */
            size_bytes: number;
            /** The `dedup_id` that it was sent with, if any. */
            dedup_id: string | null;
            /** How often it was received. */
            delivery_count: number;
            /** The last consumer to receive it, if it has a name. */
            consumer: string | null;
            /** When its lease ends, in Unix seconds; null unless it is leased. */
            leased_until: number | null;
            /** The `error` of its last nack, or null. */
            last_error: string | null;
            /** From when it can be received, in Unix seconds; null if it is dead. */
            visible_at: number | null;
            /** Acknowledges, nacks, extends or replies to this delivery. */
            lease_id: string;
        };
        MessageAttempt: {
            /** Its ID, which begins with `att_`. */
            id: string;
            /** The object's type. */
            object: "message_attempt";
            /** The message that was sent. */
            message_id: string;
            /** Which attempt it was, counted from 1. */
            attempt: number;
            /** When it began, in Unix seconds. */
            started_at: number;
            /** How long it took, in milliseconds; null if the process ended before. */
            duration_ms: number | null;
            /** The HTTP status of the response, if any. */
            response_status: number | null;
            /** Headers of the response by lower-case name; null if none were kept. */
            response_headers: {
                [key: string]: string;
            } | null;
            /** Whether only the first 500 headers were kept. */
            response_headers_truncated: boolean;
            /** The first 4096 characters of the response; null if none were kept. */
            response_body: string | null;
            /** Why it failed, or null. */
            error: string | null;
        };
        ListedArtifactShare: {
            /** Its ID, which begins with `shr_`. */
            id: string;
            /** The object's type. */
            object: "artifact_share";
            /** The artifact that it shows. */
            artifact_id: string;
            /** Whether it stays after a claim. */
            survives_claim: boolean;
            /** When the link ends, in Unix seconds; null if never. */
            expires_at: number | null;
            /** When it was created. */
            created_at: number;
            /** Whether the artifact's creator made it before a claim, which kept it. */
            survived_claim: boolean;
        };
        ArtifactVersion: {
            /** Its ID, which begins with `ver_`. */
            id: string;
            /** The object's type. */
            object: "artifact_version";
            /** The artifact that had it. */
            artifact_id: string;
            /** Counts from 1, the first version. */
            number: number;
            /** The artifact's name in this version. */
            name: string;
            /** The artifact's format in this version. */
            format: "markdown" | "html";
            /** The length of the content in UTF-8 bytes. */
            size: number;
            /** The key's name or the person's address; null if public, unknown or hidden. */
            author: string | null;
            /** Serves the content, relative to the base URL; null if it is no longer kept. */
            raw_url: string | null;
            /** When it was created. */
            created_at: number;
        };
        ListedArtifact: {
            /** Its ID, which begins with `art_`. */
            id: string;
            /** The object's type. */
            object: "artifact";
            /** A name for people. It need not be unique. */
            name: string;
            /** The length of the content in UTF-8 bytes. */
            size: number;
            /** How the content is written. Default: `markdown`. */
            format: "markdown" | "html";
            /** Serves the content alone; relative to the base URL. */
            raw_url: string;
            /** Its organization; null if it is public. */
            organization_id: string | null;
            /** Your own ID for it, or null. It need not be unique. */
            external_id: string | null;
            /** When it was created. */
            created_at: number;
            /** When it last changed. */
            updated_at: number;
        };
        WebhookBulkReplay: {
            /** Its ID, which begins with `wrp_`. */
            id: string;
            /** The object's type. */
            object: "webhook_replay";
            /** The endpoint whose events it sends. */
            endpoint_id: string;
            /** The organization that owns it. */
            organization_id: string;
            /** Where it sends the events. */
            url: string;
            /** Only requests with this HTTP method. */
            method: string | null;
            /** Only those with this text in body, path or query. Case matters. */
            q: string | null;
            /** Only those with this text in a header, or with `name: text`. Case is ignored. */
            header: string | null;
            /** Only events after the one with this ID. */
            since: string | null;
            /** Whether failed requests are retried, as those of messages are. */
            retry: boolean;
            /** Whether it still sends. */
            status: "running" | "completed" | "canceled";
            /** How many events it looks at in all. */
            total: number;
            /** How many events it has looked at. */
            searched: number;
            /** How many it cannot send because their body was truncated. */
            skipped: number;
            /** How many were deleted before their turn. */
            gone: number;
            /** How many of its messages have not ended. */
            pending: number;
            /** How many of its messages were delivered. */
            delivered: number;
            /** How many of its messages have failed permanently. */
            failed: number;
            /** How many of its messages were canceled. */
            canceled: number;
            /** When it was created. */
            created_at: number;
            /** When its last message ended, in Unix seconds; null before. */
            ended_at: number | null;
        };
        WebhookEventReplay: {
            /** The message that sends it, an ID that begins with `msg_`. */
            id: string;
            /** The object's type. */
            object: "webhook_event_replay";
            /** The event that is sent again. */
            event_id: string;
            /** The bulk replay that it is part of, if any. */
            replay_id: string | null;
            /** Where the request is sent. */
            url: string;
            /** The HTTP method that it is sent with. */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** `failed` is final unless `next_attempt_at` has a time. Only 2xx is `delivered`. */
            status: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
            /** How often it was sent. */
            attempts: number;
            /** The HTTP status of the last response; null without one. */
            response_status: number | null;
            /** The first 4096 characters of the last response; null without one. */
            response_body: string | null;
            /** How long the last attempt took, in milliseconds; null before the first. */
            duration_ms: number | null;
            /** Why the last attempt failed, or null. */
            error: string | null;
            /** When it was created. */
            created_at: number;
            /** When it is sent again, in Unix seconds; null if it is not. */
            next_attempt_at: number | null;
        };
        WebhookEventForward: {
            /** What became of it. What is `held` is forwarded later. */
            status: "held" | "forwarded" | "skipped" | "failed";
            /** Why: `inbox_full`, `not_verified`, `no_match` and others, or null. */
            reason: string | null;
            /** The inbox that it went to, if any. */
            inbox_id: string | null;
            /** The event that it became there, if any. */
            inbox_event_id: string | null;
            /** The message to a URL that sends it, if any. */
            message_id: string | null;
        };
        Blocker: components["schemas"]["Task"] | components["schemas"]["Question"];
    };
    responses: {
        204: {
        };
        Task: {
            content: {
                "application/json": components["schemas"]["Task"];
            };
        };
        WebhookEndpoint: {
            content: {
                "application/json": components["schemas"]["WebhookEndpoint"];
            };
        };
        CreatedScheduledMessage: {
            content: {
                "application/json": components["schemas"]["CreatedScheduledMessage"];
            };
        };
        Artifact: {
            content: {
                "application/json": components["schemas"]["Artifact"];
            };
        };
        ScheduledMessage: {
            content: {
                "application/json": components["schemas"]["ScheduledMessage"];
            };
        };
        Inbox: {
            content: {
                "application/json": components["schemas"]["Inbox"];
            };
        };
        InboxEvent: {
            content: {
                "application/json": components["schemas"]["InboxEvent"];
            };
        };
        Schedule: {
            content: {
                "application/json": components["schemas"]["Schedule"];
            };
        };
        Question: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
    };
}

export type TaskList = components["schemas"]["TaskList"];
export type TaskCreate = components["schemas"]["TaskCreate"];
export type CreatedTask = components["schemas"]["CreatedTask"];
export type TaskUpdate = components["schemas"]["TaskUpdate"];
export type Task = components["schemas"]["Task"];
export type TaskLabelsChange = components["schemas"]["TaskLabelsChange"];
export type TaskLeaseNext = components["schemas"]["TaskLeaseNext"];
export type TaskLeaseResult = components["schemas"]["TaskLeaseResult"];
export type TaskLeaseTake = components["schemas"]["TaskLeaseTake"];
export type TaskLease = components["schemas"]["TaskLease"];
export type TaskLeaseRelease = components["schemas"]["TaskLeaseRelease"];
export type TaskCompletion = components["schemas"]["TaskCompletion"];
export type TaskNoteList = components["schemas"]["TaskNoteList"];
export type TaskNoteCreate = components["schemas"]["TaskNoteCreate"];
export type TaskNote = components["schemas"]["TaskNote"];
export type BlockerList = components["schemas"]["BlockerList"];
export type WebhookEndpointList = components["schemas"]["WebhookEndpointList"];
export type WebhookEndpointCreate = components["schemas"]["WebhookEndpointCreate"];
export type CreatedWebhookEndpoint = components["schemas"]["CreatedWebhookEndpoint"];
export type WebhookEndpointUpdate = components["schemas"]["WebhookEndpointUpdate"];
export type WebhookEndpoint = components["schemas"]["WebhookEndpoint"];
export type WebhookVerificationPut = components["schemas"]["WebhookVerificationPut"];
export type WebhookVerification = components["schemas"]["WebhookVerification"];
export type WebhookForwardPut = components["schemas"]["WebhookForwardPut"];
export type WebhookForward = components["schemas"]["WebhookForward"];
export type WebhookEventList = components["schemas"]["WebhookEventList"];
export type WebhookEvent = components["schemas"]["WebhookEvent"];
export type WebhookReplay = components["schemas"]["WebhookReplay"];
export type Capture = components["schemas"]["Capture"];
export type WebhookEventReplayList = components["schemas"]["WebhookEventReplayList"];
export type WebhookBulkReplayList = components["schemas"]["WebhookBulkReplayList"];
export type ListedArtifactList = components["schemas"]["ListedArtifactList"];
export type ArtifactCreate = components["schemas"]["ArtifactCreate"];
export type CreatedArtifact = components["schemas"]["CreatedArtifact"];
export type Artifact = components["schemas"]["Artifact"];
export type ArtifactUpdate = components["schemas"]["ArtifactUpdate"];
export type ArtifactVersionList = components["schemas"]["ArtifactVersionList"];
export type ArtifactShareCreate = components["schemas"]["ArtifactShareCreate"];
export type ArtifactShare = components["schemas"]["ArtifactShare"];
export type ListedArtifactShareList = components["schemas"]["ListedArtifactShareList"];
export type ScheduledMessageList = components["schemas"]["ScheduledMessageList"];
export type ScheduledMessageCreate = components["schemas"]["ScheduledMessageCreate"];
export type ScheduledMessageUpdate = components["schemas"]["ScheduledMessageUpdate"];
export type CreatedScheduledMessage = components["schemas"]["CreatedScheduledMessage"];
export type ScheduledMessage = components["schemas"]["ScheduledMessage"];
export type MessageAttemptList = components["schemas"]["MessageAttemptList"];
export type SigningSecret = components["schemas"]["SigningSecret"];
export type InboxList = components["schemas"]["InboxList"];
export type InboxCreate = components["schemas"]["InboxCreate"];
export type CreatedInbox = components["schemas"]["CreatedInbox"];
export type InboxUpdate = components["schemas"]["InboxUpdate"];
export type Inbox = components["schemas"]["Inbox"];
export type InboxStats = components["schemas"]["InboxStats"];
export type InboxEventReceipt = components["schemas"]["InboxEventReceipt"];
export type InboxEventList = components["schemas"]["InboxEventList"];
export type InboxEvent = components["schemas"]["InboxEvent"];
export type InboxReceive = components["schemas"]["InboxReceive"];
export type InboxReceived = components["schemas"]["InboxReceived"];
export type InboxSettle = components["schemas"]["InboxSettle"];
export type InboxSettled = components["schemas"]["InboxSettled"];
export type InboxRedrive = components["schemas"]["InboxRedrive"];
export type InboxRedriven = components["schemas"]["InboxRedriven"];
export type InboxAck = components["schemas"]["InboxAck"];
export type InboxNack = components["schemas"]["InboxNack"];
export type InboxExtend = components["schemas"]["InboxExtend"];
export type InboxReply = components["schemas"]["InboxReply"];
export type InboxReplyList = components["schemas"]["InboxReplyList"];
export type ScheduleList = components["schemas"]["ScheduleList"];
export type ScheduleCreate = components["schemas"]["ScheduleCreate"];
export type CreatedSchedule = components["schemas"]["CreatedSchedule"];
export type ScheduleUpdate = components["schemas"]["ScheduleUpdate"];
export type Schedule = components["schemas"]["Schedule"];
export type ScheduleRun = components["schemas"]["ScheduleRun"];
export type ScheduleRunList = components["schemas"]["ScheduleRunList"];
export type QuestionList = components["schemas"]["QuestionList"];
export type QuestionCreate = components["schemas"]["QuestionCreate"];
export type CreatedQuestion = components["schemas"]["CreatedQuestion"];
export type QuestionUpdate = components["schemas"]["QuestionUpdate"];
export type Question = components["schemas"]["Question"];
export type Batch = components["schemas"]["Batch"];
export type BatchResult = components["schemas"]["BatchResult"];
export type ChangeList = components["schemas"]["ChangeList"];
export type SubscriptionList = components["schemas"]["SubscriptionList"];
export type SubscriptionCreate = components["schemas"]["SubscriptionCreate"];
export type Subscription = components["schemas"]["Subscription"];
export type Claim = components["schemas"]["Claim"];
export type ClaimedResource = components["schemas"]["ClaimedResource"];
export type ClaimAll = components["schemas"]["ClaimAll"];
export type ClaimSet = components["schemas"]["ClaimSet"];
export type Me = components["schemas"]["Me"];
export type KeyRotate = components["schemas"]["KeyRotate"];
export type RotatedKey = components["schemas"]["RotatedKey"];
export type Health = components["schemas"]["Health"];
export type Limits = components["schemas"]["Limits"];
export type AgentRegistration = components["schemas"]["AgentRegistration"];
export type AgentRegistered = components["schemas"]["AgentRegistered"];
export type AgentClaimStart = components["schemas"]["AgentClaimStart"];
export type AgentClaimStarted = components["schemas"]["AgentClaimStarted"];
export type AgentClaimComplete = components["schemas"]["AgentClaimComplete"];
export type AgentClaimed = components["schemas"]["AgentClaimed"];
export type AgentClaimedAnonymous = components["schemas"]["AgentClaimedAnonymous"];
export type AgentClaimedByUser = components["schemas"]["AgentClaimedByUser"];
export type AgentRegisteredAnonymous = components["schemas"]["AgentRegisteredAnonymous"];
export type AgentRegisteredByUser = components["schemas"]["AgentRegisteredByUser"];
export type AgentRegisteredByProvider = components["schemas"]["AgentRegisteredByProvider"];
export type AgentRegistrationAnonymous = components["schemas"]["AgentRegistrationAnonymous"];
export type AgentRegistrationByUser = components["schemas"]["AgentRegistrationByUser"];
export type AgentRegistrationByProvider = components["schemas"]["AgentRegistrationByProvider"];
export type Allowance = components["schemas"]["Allowance"];
export type ClaimSetItem = components["schemas"]["ClaimSetItem"];
export type ClaimSetSetting = components["schemas"]["ClaimSetSetting"];
export type Change = components["schemas"]["Change"];
export type QuestionOption = components["schemas"]["QuestionOption"];
export type QuestionReplyTo = components["schemas"]["QuestionReplyTo"];
export type ScheduleTarget = components["schemas"]["ScheduleTarget"];
export type InboxAckOutcome = components["schemas"]["InboxAckOutcome"];
export type InboxNackOutcome = components["schemas"]["InboxNackOutcome"];
export type InboxAckItem = components["schemas"]["InboxAckItem"];
export type InboxNackItem = components["schemas"]["InboxNackItem"];
export type LeasedInboxEvent = components["schemas"]["LeasedInboxEvent"];
export type MessageAttempt = components["schemas"]["MessageAttempt"];
export type ListedArtifactShare = components["schemas"]["ListedArtifactShare"];
export type ArtifactVersion = components["schemas"]["ArtifactVersion"];
export type ListedArtifact = components["schemas"]["ListedArtifact"];
export type WebhookBulkReplay = components["schemas"]["WebhookBulkReplay"];
export type WebhookEventReplay = components["schemas"]["WebhookEventReplay"];
export type WebhookEventForward = components["schemas"]["WebhookEventForward"];
export type Blocker = components["schemas"]["Blocker"];

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "authorization_error"
  | "not_found_error"
  | "rate_limit_error"
  | "api_error";

export type ErrorCode =
  | "invalid_json"
  | "unknown_param"
  | "missing_required_param"
  | "invalid_param"
  | "resource_already_claimed"
  | "resource_not_claimable"
  | "message_not_editable"
  | "message_not_cancelable"
  | "message_not_retryable"
  | "url_not_allowed"
  | "header_not_allowed"
  | "unauthorized"
  | "invalid_api_key"
  | "forbidden"
  | "insufficient_scope"
  | "invalid_claim_token"
  | "invalid_answer_token"
  | "resource_not_found"
  | "route_not_found"
  | "method_not_allowed"
  | "lease_lost"
  | "lease_held"
  | "blocker_cycle"
  | "question_answered"
  | "question_closed"
  | "secret_already_rotated"
  | "old_key_still_valid"
  | "external_id_ambiguous"
  | "idempotency_in_progress"
  | "cursor_expired"
  | "precondition_failed"
  | "payload_too_large"
  | "range_not_satisfiable"
  | "idempotency_key_reused"
  | "rate_limited"
  | "inbox_full"
  | "internal_error"
  | "service_unavailable"
  | "invalid_request"
  | "unsupported_type"
  | "unsupported_credential_type"
  | "invalid_login_hint"
  | "anonymous_not_enabled"
  | "service_auth_not_enabled"
  | "identity_assertion_not_enabled"
  | "missing_verified_email"
  | "invalid_grant"
  | "invalid_client"
  | "unsupported_grant_type"
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "invalid_issuer"
  | "invalid_signature"
  | "invalid_audience"
  | "expired"
  | "invalid_client_id"
  | "insufficient_user_authentication"
  | "replay_detected"
  | "otp_invalid"
  | "claimed_or_in_flight"
  | "previously_claimed"
  | "claim_expired"
  | "otp_expired"
  | "server_error"
  | "provider_keys_unavailable"
  | "mail_unavailable";
