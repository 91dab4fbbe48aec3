// Written by `npm run docs`.

export interface paths {
    "/api/tasks": {
        /** List tasks */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    /** @description Repeatable: has all of them. */
                    label?: string[];
                    /** @description Repeatable: has none of them. */
                    not_label?: string[];
                    /** @description Repeatable: any of them. */
                    priority?: ("low" | "medium" | "high" | "critical")[];
                    /** @description Unix seconds, not milliseconds */
                    due_before?: number;
                    /** @description Unix seconds, not milliseconds */
                    due_after?: number;
                    /** @description Has a blocker that is not done. */
                    blocked?: "true" | "false";
                    /** @description Text in name or description, case-insensitive. */
                    q?: string;
                    external_id?: components["parameters"]["external_id"];
                };
            };
            responses: {
                200: components["responses"]["TaskList"];
            };
        };
        /** Create a task */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskCreate"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedTask"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get a task */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                path: {
                    external_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskCreate"];
                };
            };
            responses: {
                200: components["responses"]["Task"];
                /** @description Created. */
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
         * @description Other labels are kept; PATCH replaces the whole list.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLabelsChange"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Your organization's next free task with matching labels and no open blocker, by priority, due date, then age. `task` and `lease` are null when there is none.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLeaseNext"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskLeaseResult"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/lease": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get the lease of a task */
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskLease"];
                    };
                };
            };
        };
        /**
         * Lease a task, or renew its lease
         * @description 409 `lease_held` names the holder. Send your `lease_id` to renew; 409 `lease_lost`: it is not the current one.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskLeaseTake"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskLease"];
                    };
                };
            };
        };
        /**
         * Release a task
         * @description 409 `lease_lost` when the task has been leased again since.
         */
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                };
            };
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
         * @description Adds `done`, removes `in-progress`, and releases the lease. Safe to repeat. 409 `lease_lost` when another worker has leased the task since.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["TaskCompletion"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
    };
    "/api/tasks/{id}/notes": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** List the notes of a task */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskNoteCreate"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Done ones too, until they are removed or deleted.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                200: components["responses"]["TaskList"];
            };
        };
    };
    "/api/tasks/{id}/blockers/{blockerId}": {
        parameters: {
            header?: {
                /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                "Claim-With"?: components["parameters"]["Claim-With"];
            };
            path: {
                id: components["parameters"]["id"];
                blockerId: components["parameters"]["blockerId"];
            };
        };
        /**
         * Block a task by another
         * @description `lease-next` skips a task until its blockers are done or deleted. 409 `blocker_cycle` when the task already blocks the other.
         */
        put: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                    blockerId: components["parameters"]["blockerId"];
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
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                    blockerId: components["parameters"]["blockerId"];
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    external_id?: components["parameters"]["external_id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreate"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get a webhook endpoint */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update a webhook endpoint
         * @description A lower `max_events` deletes the oldest events at once.
         */
        patch: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                path: {
                    external_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreate"];
                };
            };
            responses: {
                200: components["responses"]["WebhookEndpoint"];
                /** @description Created. */
                201: {
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/verification": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get how events are verified */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookVerification"];
                    };
                };
            };
        };
        /**
         * Verify signatures of captured events
         * @description Later events get `verified` and a reason, by the exact bytes; the sender gets 200 either way. The secret is never shown again. A replaced secret stays valid for 24 hours.
         */
        put: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookVerificationPut"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookVerification"];
                    };
                };
            };
        };
        /**
         * Stop verifying events
         * @description Also forgets the previous secret at once.
         */
        delete: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/forward": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get where events are forwarded */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookForward"];
                    };
                };
            };
        };
        /**
         * Forward captured events
         * @description Later events go to an inbox, within the capture, or as messages to a URL; `forward` of an event says where it went. Events that fail verification stay. A full inbox holds events back.
         */
        put: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookForwardPut"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookForward"];
                    };
                };
            };
        };
        /**
         * Stop forwarding events
         * @description Events that are held back stay in the endpoint.
         */
        delete: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/events": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /**
         * List captured events
         * @description Newest first. With `since`, only newer events, oldest first; with `wait`, waits until there is one.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    /** @description HTTP method. */
                    method?: components["parameters"]["method"];
                    /** @description Text in body, path or query string, case-sensitive. */
                    q?: components["parameters"]["q"];
                    /** @description Text in a header's name or value, or `name: text`, ignoring case. */
                    header?: components["parameters"]["header"];
                    /** @description An event's ID: only newer events, oldest first. `wev_0` precedes all. */
                    since?: components["parameters"]["since"];
                    /** @description With `since`: seconds to wait for an event. */
                    wait?: number;
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookEventList"];
                    };
                };
            };
        };
        /** Delete all events of a webhook endpoint */
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/webhooks/{id}/events/stream": {
        /**
         * Stream events as they are captured
         * @description Server-sent events: `id` is the event's ID, `data` the event. Begins after `Last-Event-ID`, `since`, or now.
         */
        get: {
            parameters: {
                query?: {
                    /** @description HTTP method. */
                    method?: components["parameters"]["method"];
                    /** @description Text in body, path or query string, case-sensitive. */
                    q?: components["parameters"]["q"];
                    /** @description Text in a header's name or value, or `name: text`, ignoring case. */
                    header?: components["parameters"]["header"];
                    /** @description An event's ID: only newer events, oldest first. `wev_0` precedes all. */
                    since?: components["parameters"]["since"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
    };
    "/api/webhooks/{id}/events/{eventId}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                eventId: components["parameters"]["eventId"];
            };
        };
        /** Get a captured event */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
         * @description `Body-Truncated: true` means that only the first part was kept.
         */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Sends the same request at once, as a message with one attempt; `Replay-Retry: true` retries failures. The sender's headers are kept but for `authorization` and `cookie`: to send credentials, set `headers`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
         * @description Records requests of any method and body, here and at all paths below.
         */
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody?: {
                content: {
                    "*/*": string;
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    external_id?: components["parameters"]["external_id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["ListedArtifactList"];
                    };
                };
            };
        };
        /**
         * Create an artifact
         * @description A Markdown or HTML document. `share=true` also creates a share link, which survives a claim.
         */
        post: {
            parameters: {
                query?: {
                    /** @description `true` also makes a share link. */
                    share?: boolean;
                };
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: components["parameters"]["Prefer"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArtifactCreate"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedArtifact"];
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get an artifact */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                    /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: components["parameters"]["Prefer"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: components["parameters"]["Prefer"];
                };
                path: {
                    external_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArtifactCreate"];
                };
            };
            responses: {
                200: components["responses"]["Artifact"];
                /** @description Created. */
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
                    /** @description `1`: as an attachment. */
                    download?: components["parameters"]["download"];
                };
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                    /** @description A byte range, such as `bytes=0-99`. */
                    Range?: components["parameters"]["Range"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "text/*": string;
                    };
                };
                /** @description The requested range. */
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
         * @description Newest first. The first one is the current version.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description 404 when the content is no longer kept.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `1`: as an attachment. */
                    download?: components["parameters"]["download"];
                };
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                    /** @description A byte range, such as `bytes=0-99`. */
                    Range?: components["parameters"]["Range"];
                };
                path: {
                    id: components["parameters"]["id"];
                    n: string;
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "text/*": string;
                    };
                };
                /** @description The requested range. */
                206: {
                    content: {
                        "text/*": string;
                    };
                };
            };
        };
    };
    "/api/artifacts/{id}/share": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /**
         * Create a share link
         * @description Anyone with the link sees the artifact's current content. A claim ends the link unless it came with the claim token, in `Claim-With` or the body.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ArtifactShareCreate"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["ArtifactShare"];
                    };
                };
            };
        };
        /** Revoke all share links of an artifact */
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/artifacts/{id}/shares": {
        /**
         * List the share links of an artifact
         * @description Active links only, without their URLs.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                    shareId: string;
                };
            };
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    status?: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
                    external_id?: components["parameters"]["external_id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduledMessageList"];
                    };
                };
            };
        };
        /**
         * Schedule a message
         * @description An HTTP request, delivered at least once at `scheduled_at` or after `delay_seconds`. Transient failures are retried.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
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
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get a scheduled message */
        get: {
            parameters: {
                query?: {
                    /** @description How many seconds to wait until no attempt will follow; default 0 */
                    wait?: number;
                };
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Edit or reschedule a message
         * @description Only while its status is `scheduled`.
         */
        patch: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                path: {
                    external_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduledMessageCreate"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["CreatedScheduledMessage"];
                    };
                };
                /** @description Created. */
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
         * @description If it is scheduled or waiting for a retry. Idempotent.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Only a failed or canceled message.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description It verifies the `v1` signatures of your organization's deliveries with any Standard Webhooks library.
         */
        get: {
            responses: {
                /** @description OK */
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
         * @description For 24 hours the old secret signs too. Until they are over, 409 `secret_already_rotated`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    external_id?: components["parameters"]["external_id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxList"];
                    };
                };
            };
        };
        /**
         * Create an inbox
         * @description A durable queue: anyone can send events to `ingest_url`, and consumers receive them.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxCreate"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedInbox"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get an inbox */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update an inbox
         * @description A lower `max_events` removes nothing.
         */
        patch: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                path: {
                    external_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxCreate"];
                };
            };
            responses: {
                200: components["responses"]["Inbox"];
                /** @description Created. */
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
            parameters: {
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxStats"];
                    };
                };
            };
        };
    };
    "/api/inboxes/{id}/events": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /**
         * List the events of an inbox
         * @description Oldest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    state?: "ready" | "delayed" | "leased" | "dead";
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxEventList"];
                    };
                };
            };
        };
        /**
         * Send an event to an inbox
         * @description The body is the event. Its lifetime is `ttl_seconds`, the header `Inbox-TTL-Seconds`, the member `ttl_seconds` of a JSON object, or the inbox's default, in this order. An `Idempotency-Key` adds it once in 24 hours, a `dedup_id` once while it is pending; a repeat gets 200. GET the `Reply-Url` of the response for the reply. A full inbox answers 429 `inbox_full`.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Lifetime of the event */
                    ttl_seconds?: number;
                    /** @description Delay before the event can be received */
                    delay_seconds?: number;
                    /** @description Adds nothing while an event with this ID is pending. */
                    dedup_id?: string;
                };
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody?: {
                content: {
                    "*/*": string;
                };
            };
            responses: {
                /** @description Already received. */
                200: {
                    content: {
                        "application/json": components["schemas"]["InboxEventReceipt"];
                    };
                };
                /** @description Created */
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
                    /** @description Deletes only events in this state */
                    state?: "ready" | "delayed" | "leased" | "dead";
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
    };
    "/api/inboxes/{id}/events/{eventId}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                eventId: components["parameters"]["eventId"];
            };
        };
        /** Get an event of an inbox */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Leases the events that have been ready longest. Acknowledge each with its `lease_id` before the lease expires, or it is redelivered; after too many deliveries it is dead.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["InboxReceive"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxSettle"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Oldest first, as many as there is room for; 429 when there is none.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["InboxRedrive"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description An expired lease is accepted until the event is delivered again; then 409 `lease_lost`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
         * @description With `dead: true` it is not redelivered until it is redriven.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: components["parameters"]["Prefer"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: components["parameters"]["Prefer"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
         * @description Makes it ready again. 400 when it is not dead; 429 when the inbox is full.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
                    Prefer?: components["parameters"]["Prefer"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
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
         * @description Stores the body with its Content-Type and acknowledges the event. The sender reads it at `Reply-Url`.
         */
        post: {
            parameters: {
                query: {
                    /** @description The lease of the event */
                    lease_id: string;
                };
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                };
            };
            requestBody?: {
                content: {
                    "*/*": string;
                };
            };
            responses: {
                /** @description OK */
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
         * @description The `Reply-Url` of the sent event. 204 while there is no reply.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many seconds to wait for the reply; default 0 */
                    wait?: number;
                };
                path: {
                    id: components["parameters"]["id"];
                    eventId: components["parameters"]["eventId"];
                    secret: string;
                };
            };
            responses: {
                /** @description OK */
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
         * @description Replies to the newest events first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                    external_id?: components["parameters"]["external_id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduleList"];
                    };
                };
            };
        };
        /**
         * Create a schedule
         * @description Creates its target at each time of `cron`, or every `every_seconds`, exactly once. What it creates names it in the headers `Schedule-Id` and `Schedule-Time`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduleCreate"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedSchedule"];
                    };
                };
            };
        };
    };
    "/api/schedules/{id}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get a schedule */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                200: components["responses"]["Schedule"];
            };
        };
        /**
         * Delete a schedule
         * @description Keeps what its runs created.
         */
        delete: {
            parameters: {
                header?: {
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                204: components["responses"]["204"];
            };
        };
        /**
         * Update, pause or resume a schedule
         * @description `cron` and `every_seconds` replace each other. Times while it is paused are not caught up.
         */
        patch: {
            parameters: {
                header?: {
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
                path: {
                    external_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduleCreate"];
                };
            };
            responses: {
                200: components["responses"]["Schedule"];
                /** @description Created. */
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
         * @description Also while it is paused. Its next times do not change.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description The newest 100.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["ScheduleRunList"];
                    };
                };
            };
        };
    };
    "/api/batch": {
        /**
         * Create and delete many resources
         * @description They run in order, and each succeeds or fails alone and counts as a request. After 429 or 503 the rest is not tried. A repeat with the same `Idempotency-Key` creates nothing twice, also after a crash. Without a key, one token claims all that a batch creates.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
                    "Claim-With"?: components["parameters"]["Claim-With"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Oldest first, without gaps. `next_cursor` is always present: send it as `after`, with `wait` to wait for the next change.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Repeatable: any of them. */
                    kind?: components["parameters"]["kind"];
                    /** @description Repeatable: any of them. */
                    action?: components["parameters"]["action"];
                    /** @description `next_cursor` or a change's ID; `latest`: later changes only. Default: all kept. */
                    after?: string;
                    /** @description Seconds to wait for a change. */
                    wait?: number;
                    limit?: number;
                };
            };
            responses: {
                /** @description OK */
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
         * @description Server-sent events: `id` is the change's ID, `data` the change. Begins after `Last-Event-ID`, `after`, or now.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Repeatable: any of them. */
                    kind?: components["parameters"]["kind"];
                    /** @description Repeatable: any of them. */
                    action?: components["parameters"]["action"];
                    /** @description As in the list. Default: `latest`. */
                    after?: string;
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description Number of items; clamped to the bounds. */
                    limit?: components["parameters"]["limit"];
                    /** @description The ID of the previous page's last item; it may have been deleted. */
                    after?: components["parameters"]["after"];
                    /** @description `total_count` adds the total number of items; slow for long lists. */
                    include?: components["parameters"]["include"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["SubscriptionList"];
                    };
                };
            };
        };
        /**
         * Push changes to a URL or an inbox
         * @description From now on, once each, in their order: `{"type": "tasks.completed", "data": {…the change…}}`, as a signed message or as an inbox event.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionCreate"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
    };
    "/api/subscriptions/{id}": {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        /** Get a subscription */
        get: {
            parameters: {
                header?: {
                    /** @description An ETag: 304 if unchanged. */
                    "If-None-Match"?: components["parameters"]["If-None-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            responses: {
                /** @description OK */
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
                    /** @description An ETag: 412 if the resource has changed. */
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: components["parameters"]["id"];
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
         * @description Transfers it, and what it made, to the organization of your key. Any key will do. What others set without it ends.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: components["parameters"]["id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description All or nothing: the resources that were created with this token or joined it with `Claim-With`, and what they made. What others set without it ends; `dry_run` lists it. Any key will do.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimAll"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description Its scopes, organization, expiry and remaining rate limits. Without one, `kind` is `anonymous`.
         */
        get: {
            responses: {
                /** @description OK */
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
         * @description Any key may revoke itself, even with api.read only. The key that it was rotated into, or that it replaced, is revoked too.
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
         * @description The new key has the same scopes and expiry. The old one keeps working for `overlap_seconds` and cannot be rotated again; until it ends, the new one cannot either (409 `old_key_still_valid`).
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["KeyRotate"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description `degraded` when messages have been due for 60 seconds, or dispatch is off after a restore. 503 without a writable database.
         */
        get: {
            responses: {
                /** @description OK */
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
         * @description `/api/me` shows what remains of yours.
         */
        get: {
            responses: {
                /** @description OK */
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
         * @description `anonymous`: a read-only key at once. `service_auth`: the user confirms by email. `identity_assertion`: a trusted provider vouches for the user.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentRegistration"];
                };
            };
            responses: {
                /** @description Created */
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
         * @description Emails the user a code. A new attempt replaces the previous one.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentClaimStart"];
                };
            };
            responses: {
                /** @description OK */
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
         * @description With the user's code. An anonymous agent's key gets both scopes; a service_auth agent gets its credential.
         */
        post: {
            parameters: {
                header?: {
                    /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentClaimComplete"];
                };
            };
            responses: {
                /** @description OK */
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
            name: string;
            description?: string | null;
            /**
             * @description Default: `low`
             * @enum {unknown}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /**
             * @description Unix seconds, not milliseconds
             * @example 1767225600
             */
            due_at?: number | null;
            labels?: string[];
            external_id?: string | null;
        };
        CreatedTask: components["schemas"]["Task"] & components["schemas"]["ClaimableResource"];
        /**
         * @example {
         *       "priority": "low",
         *       "due_at": null
         *     }
         */
        TaskUpdate: {
            name?: string;
            description?: string | null;
            /**
             * @description Default: `low`
             * @enum {unknown}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /**
             * @description Unix seconds, not milliseconds
             * @example 1767225600
             */
            due_at?: number | null;
            /** @description null removes all labels */
            labels?: string[] | null;
            external_id?: string | null;
        };
        Task: components["schemas"]["StoredResource"] & {
            id: string;
            /** @constant */
            object: "task";
            name: string;
            description: string | null;
            /** @enum {unknown} */
            priority: "low" | "medium" | "high" | "critical";
            due_at: number | null;
            labels: string[];
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
            add?: string[];
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
            holder: string;
            /** @description Duration of the lease; default 900 */
            lease_seconds?: number;
            /** @description The task has all of them. `done` tasks are excluded unless listed. */
            labels?: string[];
            /** @description The task has none of them. */
            not_labels?: string[];
            /** @description How long to wait for a task; default 0 */
            wait_seconds?: number;
        };
        TaskLeaseResult: {
            /** @constant */
            object: "task_lease_result";
            task: components["schemas"]["Task"] | null;
            lease: components["schemas"]["TaskLease"] | null;
        };
        /**
         * @example {
         *       "holder": "writer-1",
         *       "lease_seconds": 900
         *     }
         */
        TaskLeaseTake: {
            holder: string;
            /** @description Duration of the lease; default 900 */
            lease_seconds?: number;
            /** @description Your current lease, to renew it */
            lease_id?: string;
        };
        /**
         * @example {
         *       "object": "task_lease",
         *       "task_id": "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "holder": "writer-1",
         *       "fencing_token": 3,
         *       "expires_at": 1767226500
         *     }
         */
        TaskLease: {
            /** @constant */
            object: "task_lease";
            task_id: string;
            /** @description Needed to renew or release the lease */
            lease_id: string;
            /** @description The worker that holds the task */
            holder: string;
            /** @description Increases with each lease; unchanged by renewal */
            fencing_token: number;
            /** @description Unix seconds */
            expires_at: number;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x"
         *     }
         */
        TaskLeaseRelease: {
            lease_id: string;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "note": "Published as version 2."
         *     }
         */
        TaskCompletion: {
            /** @description Your lease; 409 `lease_lost` if it is over */
            lease_id?: string;
            note?: string;
        };
        TaskNoteList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["TaskNote"][];
        };
        /**
         * @example {
         *       "body": "Published as version 2."
         *     }
         */
        TaskNoteCreate: {
            body: string;
        };
        /**
         * @example {
         *       "id": "note_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "object": "task_note",
         *       "task_id": "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "author": "writer-1",
         *       "body": "Published as version 2.",
         *       "created_at": 1767225900
         *     }
         */
        TaskNote: {
            id: string;
            /** @constant */
            object: "task_note";
            task_id: string;
            /** @description The key's name or the person's address; null: public */
            author: string | null;
            body: string;
            /** @description Unix seconds */
            created_at: number;
        };
        WebhookEndpointList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["WebhookEndpoint"][];
        };
        /**
         * @example {
         *       "name": "Payments"
         *     }
         */
        WebhookEndpointCreate: {
            name: string;
            description?: string | null;
            /** @description Default: 100, also for null */
            max_events?: number | null;
            external_id?: string | null;
        };
        CreatedWebhookEndpoint: components["schemas"]["WebhookEndpoint"] & components["schemas"]["ClaimableResource"];
        /**
         * @example {
         *       "max_events": 500
         *     }
         */
        WebhookEndpointUpdate: {
            name?: string;
            description?: string | null;
            /** @description Default: 100, also for null */
            max_events?: number | null;
            external_id?: string | null;
        };
        WebhookEndpoint: components["schemas"]["StoredResource"] & {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            name: string;
            description: string | null;
            /** @description Captures every request sent to it */
            url: string;
            /** @description Number of events kept, newest first */
            max_events: number;
            /** @description On single reads only */
            event_count?: number;
        };
        /**
         * @example {
         *       "scheme": "github",
         *       "secret": "It's a Secret to Everybody"
         *     }
         */
        WebhookVerificationPut: {
            /**
             * @description How the sender signs
             * @enum {unknown}
             */
            scheme: "github" | "stripe" | "slack" | "shopify" | "standard_webhooks" | "hmac";
            /** @description As the sender shows it */
            secret: string;
            /** @description `hmac` only, required: the header with the signature */
            header?: string;
            /**
             * @description `hmac` only; default `hex`
             * @enum {unknown}
             */
            encoding?: "hex" | "base64";
            /** @description How far the signed time may be from now; default 300. Not for `github`, `shopify` and `hmac`, which sign no time */
            tolerance_seconds?: number;
            /** @description Or in `Claim-With`: a claim then keeps it */
            claim_token?: string;
        };
        /**
         * @example {
         *       "object": "webhook_verification",
         *       "endpoint_id": "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "organization_id": null,
         *       "scheme": "github",
         *       "header": "x-hub-signature-256",
         *       "encoding": "hex",
         *       "tolerance_seconds": null,
         *       "previous_secret_expires_at": null,
         *       "survives_claim": true,
         *       "created_at": 1767225600,
         *       "updated_at": 1767225600
         *     }
         */
        WebhookVerification: {
            /** @constant */
            object: "webhook_verification";
            endpoint_id: string;
            organization_id: string | null;
            /** @enum {unknown} */
            scheme: "github" | "stripe" | "slack" | "shopify" | "standard_webhooks" | "hmac";
            /** @description The header with the signature */
            header: string;
            /** @enum {unknown} */
            encoding: "hex" | "base64";
            /** @description null: the scheme signs no time */
            tolerance_seconds: number | null;
            /** @description Unix seconds; until then the previous secret is valid too */
            previous_secret_expires_at: number | null;
            /** @description false: a claim ends it */
            survives_claim: boolean;
            created_at: number;
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
            /** @description An inbox with the endpoint's owner */
            inbox_id?: string;
            /** @description Or a URL, to which each event is sent as a message */
            url?: string;
            /** @description Only events with one of these methods */
            methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | null;
            /** @description Only events with these values, by header name or JSON path (`$.action`) */
            match?: Record<string, unknown> | null;
            /** @description Or in `Claim-With`: a claim then keeps it */
            claim_token?: string;
        };
        /**
         * @example {
         *       "object": "webhook_forward",
         *       "endpoint_id": "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "organization_id": null,
         *       "inbox_id": "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "url": null,
         *       "methods": [
         *         "POST"
         *       ],
         *       "match": null,
         *       "held_count": 0,
         *       "held_reason": null,
         *       "survives_claim": true,
         *       "created_at": 1767225600,
         *       "updated_at": 1767225600
         *     }
         */
        WebhookForward: {
            /** @constant */
            object: "webhook_forward";
            endpoint_id: string;
            organization_id: string | null;
            inbox_id: string | null;
            url: string | null;
            methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | null;
            match: Record<string, unknown> | null;
            /** @description Events that wait to be forwarded */
            held_count: number;
            /**
             * @description null when no event waits
             * @enum {unknown}
             */
            held_reason: "queued" | "inbox_full" | "other_owner" | "too_many_pending" | null;
            /** @description false: a claim ends it */
            survives_claim: boolean;
            created_at: number;
            updated_at: number;
        };
        WebhookEventList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["WebhookEvent"][];
        };
        /**
         * @example {
         *       "id": "wev_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "webhook_event",
         *       "endpoint_id": "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "organization_id": null,
         *       "method": "POST",
         *       "path": "/api/catch/wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "headers": {
         *         "content-type": "application/json"
         *       },
         *       "headers_truncated": false,
         *       "body": "{\"paid\":true}",
         *       "body_encoding": "utf8",
         *       "body_truncated": false,
         *       "parsed_body": {
         *         "paid": true
         *       },
         *       "query_params": {},
         *       "query_string": "",
         *       "source_ip": "203.0.113.7",
         *       "size_bytes": 13,
         *       "received_at": 1767225600,
         *       "verified": true,
         *       "verification_reason": "signature_valid",
         *       "forward": null
         *     }
         */
        WebhookEvent: {
            id: string;
            /** @constant */
            object: "webhook_event";
            endpoint_id: string;
            /** @description The endpoint's; null means public */
            organization_id: string | null;
            method: string;
            path: string;
            /** @description Lower-case names; on public endpoints, credentials are `[redacted]` */
            headers: {
                [key: string]: string;
            };
            /** @description Whether only the first 500 were kept */
            headers_truncated: boolean;
            /** @description Text, or base64 if not UTF-8 */
            body: string | null;
            /** @enum {unknown} */
            body_encoding: "utf8" | "base64" | null;
            /** @description Whether only the first part of the body was kept */
            body_truncated: boolean;
            /** @description The parsed body if it is JSON */
            parsed_body: unknown;
            /** @description The last value of a repeated key */
            query_params: {
                [key: string]: string;
            };
            /** @description Without the question mark */
            query_string: string;
            source_ip: string | null;
            /** @description The size of the whole body */
            size_bytes: number | null;
            received_at: number | null;
            /** @description Whether its signature is valid; null if the endpoint had no verification */
            verified: boolean | null;
            /** @description `signature_valid`, `signature_mismatch`, … */
            verification_reason: string;
            /** @description Where it went; null if the endpoint had no forward */
            forward: {
                /** @enum {unknown} */
                status: "held" | "forwarded" | "skipped" | "failed";
                /** @description `inbox_full`, `not_verified`, `no_match`, … */
                reason: string | null;
                inbox_id: string | null;
                inbox_event_id: string | null;
                message_id: string | null;
            } | null;
        };
        /**
         * @example {
         *       "url": "https://example.com/hook"
         *     }
         */
        WebhookReplay: {
            url: string;
            /**
             * @description Default: the event's
             * @enum {unknown}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description The event's when left out */
            headers?: {
                [key: string]: string;
            };
        };
        /**
         * @example {
         *       "received": true,
         *       "event_id": "wev_034gLHnnT5MH2Sbz6VPrmYvR1q"
         *     }
         */
        Capture: {
            /** @constant */
            received: true;
            event_id: string;
        };
        WebhookEventReplayList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["WebhookEventReplay"][];
        };
        WebhookBulkReplayList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["WebhookBulkReplay"][];
        };
        ListedArtifactList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["ListedArtifact"][];
        };
        /**
         * @example {
         *       "name": "Report",
         *       "content": "# Report"
         *     }
         */
        ArtifactCreate: {
            name: string;
            content: string;
            /**
             * @description Default: `markdown`
             * @enum {unknown}
             */
            format?: "markdown" | "html";
            external_id?: string | null;
        };
        CreatedArtifact: components["schemas"]["Artifact"] & components["schemas"]["ClaimableResource"] & {
            /** @description With `share=true` */
            share_url?: string;
            /** @description The same as `share_url` */
            url?: string;
        };
        Artifact: components["schemas"]["ListedArtifact"] & {
            content: string;
        };
        /**
         * @example {
         *       "content": "# Report, revised"
         *     }
         */
        ArtifactUpdate: {
            name?: string;
            content?: string;
            /** @enum {unknown} */
            format?: "markdown" | "html";
        };
        ArtifactVersionList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["ArtifactVersion"][];
        };
        /**
         * @example {
         *       "expires_in": 86400
         *     }
         */
        ArtifactShareCreate: {
            /** @description Seconds until the link expires; without it, the link lasts until revoked */
            expires_in?: number | null;
            /** @description Or in `Claim-With`: a claim then keeps it */
            claim_token?: string;
        };
        ArtifactShare: components["schemas"]["ArtifactShareFields"] & {
            /**
             * @description Shows the artifact to anyone; shown once
             * @example https://agents.acme.dev/a/034gLHnnT5MH2Sbz6VPrmYvR1q9f86d081884c7d659a2feaa0c55ad015
             */
            url: string;
            /**
             * @description The same as `url`
             * @example https://agents.acme.dev/a/034gLHnnT5MH2Sbz6VPrmYvR1q9f86d081884c7d659a2feaa0c55ad015
             */
            share_url: string;
        };
        ListedArtifactShareList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["ListedArtifactShare"][];
        };
        ScheduledMessageList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["ScheduledMessage"][];
        };
        /**
         * @example {
         *       "url": "https://example.com/hook",
         *       "body": "wake up",
         *       "delay_seconds": 3600
         *     }
         */
        ScheduledMessageCreate: {
            /** @constant */
            channel?: "http";
            url: string;
            /**
             * @description Default: `POST`
             * @enum {unknown}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            headers?: {
                [key: string]: string;
            };
            body?: string | null;
            /**
             * @description Unix seconds, not milliseconds; a past time means now
             * @example 1767225600
             */
            scheduled_at?: number;
            /** @description Seconds from now; `scheduled_at` takes precedence */
            delay_seconds?: number;
            external_id?: string | null;
        };
        /**
         * @example {
         *       "delay_seconds": 7200
         *     }
         */
        ScheduledMessageUpdate: {
            url?: string;
            /** @enum {unknown} */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description null removes all headers */
            headers?: {
                [key: string]: string;
            } | null;
            body?: string | null;
            /**
             * @description Unix seconds, not milliseconds; a past time means now
             * @example 1767225600
             */
            scheduled_at?: number;
            /** @description Seconds from now; `scheduled_at` takes precedence */
            delay_seconds?: number;
        };
        CreatedScheduledMessage: components["schemas"]["ScheduledMessage"] & components["schemas"]["ClaimableResource"] & {
            /** @description Values that may be mistakes */
            warnings?: string[];
        };
        ScheduledMessage: components["schemas"]["StoredResource"] & {
            id: string;
            /** @constant */
            object: "scheduled_message";
            /** @constant */
            channel: "http";
            url: string;
            /** @enum {unknown} */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Credentials are `[redacted]` for a key without api.write */
            headers: {
                [key: string]: string;
            };
            body: string | null;
            /** @enum {unknown} */
            body_encoding: "utf8" | "base64" | null;
            /** @description When the message fires, Unix seconds */
            scheduled_at: number | null;
            /** @enum {unknown} */
            status: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
            attempts: number;
            response_status: number | null;
            last_error: string | null;
            /** @description When the last attempt ran, whatever came of it, Unix seconds */
            delivered_at: number | null;
            /** @description Unix seconds; null: no further attempt */
            next_attempt_at: number | null;
            /** @description Due for 60 seconds without an attempt */
            overdue: boolean;
            /** @description Stopped by a claim: set a time or retry it */
            held: boolean;
        };
        MessageAttemptList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["MessageAttempt"][];
        };
        /**
         * @example {
         *       "object": "signing_secret",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwcDpR7xVnq0E=",
         *       "rotated_at": null,
         *       "old_secret_expires_at": null
         *     }
         */
        SigningSecret: {
            /** @constant */
            object: "signing_secret";
            /** @description `whsec_` and 32 bytes in base64: the key of the `v1` signatures */
            secret: string;
            /** @description Unix seconds */
            rotated_at: number | null;
            /** @description Unix seconds; until then the secret before this one signs too */
            old_secret_expires_at: number | null;
        };
        InboxList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["Inbox"][];
        };
        /**
         * @example {
         *       "name": "Orders"
         *     }
         */
        InboxCreate: {
            name: string;
            description?: string | null;
            /** @description Default: 86400 */
            default_ttl_seconds?: number;
            /** @description Default: 1000, also for null */
            max_events?: number | null;
            external_id?: string | null;
        };
        CreatedInbox: components["schemas"]["Inbox"] & components["schemas"]["ClaimableResource"];
        /**
         * @example {
         *       "max_events": 5000
         *     }
         */
        InboxUpdate: {
            name?: string;
            description?: string | null;
            /** @description Default: 86400 */
            default_ttl_seconds?: number;
            /** @description Default: 1000, also for null */
            max_events?: number | null;
            external_id?: string | null;
        };
        Inbox: components["schemas"]["StoredResource"] & {
            id: string;
            /** @constant */
            object: "inbox";
            name: string;
            description: string | null;
            /** @description Anyone may POST events to it, without a key. */
            ingest_url: string;
            /** @description Lifetime of events that set none */
            default_ttl_seconds: number;
            /** @description Maximum number of pending events */
            max_events: number;
            /** @description Number of pending events; on single reads only */
            event_count?: number;
        };
        /**
         * @example {
         *       "object": "inbox_stats",
         *       "inbox_id": "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "ready": 2,
         *       "delayed": 0,
         *       "leased": 1,
         *       "dead": 0,
         *       "oldest_ready_age_seconds": 42,
         *       "totals": {
         *         "ingested": 10,
         *         "acknowledged": 7,
         *         "expired": 0,
         *         "purged": 0
         *       }
         *     }
         */
        InboxStats: {
            /** @constant */
            object: "inbox_stats";
            inbox_id: string;
            ready: number;
            delayed: number;
            leased: number;
            dead: number;
            /** @description Age of the next event to be received */
            oldest_ready_age_seconds: number | null;
            /** @description ingested = the other totals + the events present */
            totals: {
                ingested: number;
                acknowledged: number;
                expired: number;
                purged: number;
            };
        };
        InboxEventReceipt: components["schemas"]["InboxEventFields"] & {
            /** @enum {unknown} */
            state: "ready" | "delayed" | "leased" | "dead";
            /** @description True when it was already pending and nothing was added */
            deduplicated: boolean;
            /** @constant */
            received: true;
            event_id: string;
        };
        InboxEventList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["InboxEvent"][];
        };
        InboxEvent: components["schemas"]["InboxEventFields"] & {
            /** @description null means public */
            organization_id: string | null;
            /** @enum {unknown} */
            state: "ready" | "delayed" | "leased" | "dead";
            content_type: string | null;
            headers: {
                [key: string]: string;
            };
            /** @description Whether only the first 500 were kept */
            headers_truncated: boolean;
            body: string | null;
            /** @enum {unknown} */
            body_encoding: "utf8" | "base64" | null;
            /** @description The parsed body if it is JSON */
            parsed_body: unknown;
            query_params: {
                [key: string]: string;
            };
            source_ip: string | null;
            size_bytes: number;
            dedup_id: string | null;
            delivery_count: number;
            /** @description The last consumer to receive it */
            consumer: string | null;
            /** @description Unix seconds; null unless it is leased */
            leased_until: number | null;
            last_error: string | null;
            /** @description Unix seconds; null when it is dead */
            visible_at: number | null;
        };
        /**
         * @example {
         *       "limit": 10,
         *       "wait_seconds": 20
         *     }
         */
        InboxReceive: {
            /** @description Maximum number of events; default 1 */
            limit?: number;
            /** @description Duration of the lease; default 60 */
            lease_seconds?: number;
            /** @description How long to wait for the first one; default 0 */
            wait_seconds?: number;
            consumer?: string | null;
            /** @description Acknowledged first; see `acks` in the response */
            ack?: components["schemas"]["InboxAckItem"][];
        };
        InboxReceived: components["schemas"]["ListPage"] & {
            data: components["schemas"]["LeasedInboxEvent"][];
            /** @description In the order of `ack` */
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
            acks?: components["schemas"]["InboxAckItem"][];
            nacks?: {
                event_id: string;
                lease_id: string;
                /** @description Delay before redelivery; default 0 */
                delay_seconds?: number;
                /** @description Kept as `last_error` */
                error?: string | null;
                /** @description true: not redelivered until it is redriven */
                dead?: boolean;
            }[];
        };
        /**
         * @example {
         *       "object": "inbox_ack_result",
         *       "acks": [
         *         {
         *           "event_id": "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *           "outcome": "acknowledged"
         *         }
         *       ],
         *       "nacks": []
         *     }
         */
        InboxSettled: {
            /** @constant */
            object: "inbox_ack_result";
            acks: components["schemas"]["InboxAckOutcome"][];
            nacks: {
                event_id: string;
                /** @enum {unknown} */
                outcome: "released" | "dead" | "lease_lost" | "not_found";
            }[];
        };
        /**
         * @example {
         *       "limit": 100
         *     }
         */
        InboxRedrive: {
            /** @description Maximum number of events; default all */
            limit?: number;
        };
        /**
         * @example {
         *       "object": "inbox_redrive_result",
         *       "redriven": 3,
         *       "remaining": 0
         *     }
         */
        InboxRedriven: {
            /** @constant */
            object: "inbox_redrive_result";
            redriven: number;
            /** @description Dead events left */
            remaining: number;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x"
         *     }
         */
        InboxAck: {
            lease_id: string;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "delay_seconds": 60
         *     }
         */
        InboxNack: {
            lease_id: string;
            /** @description Delay before redelivery; default 0 */
            delay_seconds?: number;
            /** @description Kept as `last_error` */
            error?: string | null;
            /** @description true: not redelivered until it is redriven */
            dead?: boolean;
        };
        /**
         * @example {
         *       "lease_id": "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *       "lease_seconds": 300
         *     }
         */
        InboxExtend: {
            lease_id: string;
            /** @description New duration of the lease, from now */
            lease_seconds: number;
        };
        /**
         * @example {
         *       "id": "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "inbox_reply",
         *       "inbox_id": "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "content_type": "application/json",
         *       "size_bytes": 16,
         *       "reply_url": "https://agents.acme.dev/api/inboxes/inbox_034gLHnnT5MH2Sbz6VPrmYvR1q/events/iev_034gLHnnT5MH2Sbz6VPrmYvR1q/reply/8f14e45fceea167a5a36dedd4bea2543",
         *       "created_at": 1767225660,
         *       "expires_at": 1767312060
         *     }
         */
        InboxReply: {
            /** @description The ID of the event */
            id: string;
            /** @constant */
            object: "inbox_reply";
            inbox_id: string;
            content_type: string | null;
            size_bytes: number;
            /** @description Returns the bytes, without a key */
            reply_url: string;
            created_at: number;
            expires_at: number;
        };
        InboxReplyList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["InboxReply"][];
        };
        ScheduleList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["Schedule"][];
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
            name?: string | null;
            /** @description Five fields. Either this or `every_seconds` */
            cron?: string | null;
            /** @description For `cron`: an IANA name; default: `UTC` */
            timezone?: string | null;
            every_seconds?: number | null;
            /**
             * @description Unix seconds, not milliseconds; no run before it
             * @example 1767225600
             */
            starts_at?: number | null;
            /**
             * @description Unix seconds, not milliseconds; no run at or after it
             * @example 1767225600
             */
            ends_at?: number | null;
            /** @description Default: false */
            paused?: boolean;
            /**
             * @description `once`: one run for all times late by over 300 seconds. Default: `skip`
             * @enum {unknown}
             */
            catch_up?: "skip" | "once";
            target: components["schemas"]["ScheduleTarget"];
            external_id?: string | null;
        };
        CreatedSchedule: components["schemas"]["Schedule"] & components["schemas"]["ClaimableResource"];
        /**
         * @example {
         *       "paused": true
         *     }
         */
        ScheduleUpdate: {
            name?: string | null;
            /** @description Five fields. Either this or `every_seconds` */
            cron?: string | null;
            /** @description For `cron`: an IANA name; default: `UTC` */
            timezone?: string | null;
            every_seconds?: number | null;
            /**
             * @description Unix seconds, not milliseconds; no run before it
             * @example 1767225600
             */
            starts_at?: number | null;
            /**
             * @description Unix seconds, not milliseconds; no run at or after it
             * @example 1767225600
             */
            ends_at?: number | null;
            /** @description Default: false */
            paused?: boolean;
            /**
             * @description `once`: one run for all times late by over 300 seconds. Default: `skip`
             * @enum {unknown}
             */
            catch_up?: "skip" | "once";
            target?: components["schemas"]["ScheduleTarget"];
            external_id?: string | null;
        };
        Schedule: components["schemas"]["StoredResource"] & {
            id: string;
            /** @constant */
            object: "schedule";
            name: string | null;
            cron: string | null;
            /** @description Of `cron` */
            timezone: string | null;
            every_seconds: number | null;
            starts_at: number | null;
            ends_at: number | null;
            paused: boolean;
            /** @enum {unknown} */
            catch_up: "skip" | "once";
            /** @description As it was given; to a read-only key, a message's credentials are `[redacted]` */
            target: Record<string, unknown>;
            /** @description Up to five, Unix seconds */
            next_runs: number[];
            /** @description The nominal time of the last run */
            last_run_at: number | null;
        };
        /**
         * @example {
         *       "id": "run_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "schedule_run",
         *       "schedule_id": "sch_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "scheduled_for": 1767254400,
         *       "manual": false,
         *       "status": "created",
         *       "resource_id": "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "inbox_id": null,
         *       "reason": null,
         *       "created_at": 1767254402
         *     }
         */
        ScheduleRun: {
            id: string;
            /** @constant */
            object: "schedule_run";
            schedule_id: string;
            /** @description The nominal time, Unix seconds */
            scheduled_for: number;
            manual: boolean;
            /** @enum {unknown} */
            status: "created" | "failed";
            /** @description The message, inbox event or task */
            resource_id: string | null;
            /** @description Of an inbox event */
            inbox_id: string | null;
            /**
             * @description Why it failed
             * @enum {unknown}
             */
            reason: "inbox_full" | "inbox_deleted" | "other_owner" | "forbidden" | "public_limit" | "internal_error" | null;
            created_at: number;
        };
        ScheduleRunList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["ScheduleRun"][];
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
            operations: {
                /** @enum {unknown} */
                method: "POST" | "DELETE";
                /** @description `/api/tasks`, or `/api/tasks/{id}` */
                path: string;
                /** @description Of the create */
                body?: Record<string, unknown>;
            }[];
        };
        /**
         * @example {
         *       "object": "batch_result",
         *       "data": [
         *         {
         *           "status": 201,
         *           "id": "tsk_034gM0Zr8oVbYwWk3nJ5cTqB2x",
         *           "error": null
         *         },
         *         {
         *           "status": 204,
         *           "id": "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *           "error": null
         *         }
         *       ]
         *     }
         */
        BatchResult: {
            /** @constant */
            object: "batch_result";
            /** @description One for each operation, in order */
            data: {
                /** @description Of this operation alone */
                status: number;
                /** @description Of the created or deleted resource; null on failure */
                id: string | null;
                /** @description null also if it was not tried */
                error: {
                    /** @enum {unknown} */
                    type: "invalid_request_error" | "authentication_error" | "authorization_error" | "not_found_error" | "rate_limit_error" | "api_error";
                    /** @description Stable: branch on it. */
                    code: string;
                    /** @description Its wording may change. */
                    message: string;
                    /** @description The offending property or parameter, such as `labels.3` */
                    param: string | null;
                    /** @description The documentation of `code` */
                    doc_url: string;
                    /** @description Also in the header `Request-Id`. */
                    request_id: string;
                } | null;
            }[];
            /** @description Claims all that was created; shown once */
            claim_token?: string;
            /** @description For your user: the claim page, with the token */
            claim_link?: string;
        };
        ChangeList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["Change"][];
        };
        SubscriptionList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["Subscription"][];
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
            /** @description To which each change is sent as a signed message */
            url?: string;
            /** @description Or an inbox of your organization */
            inbox_id?: string;
            /** @description Default: all */
            kinds?: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules")[] | null;
            /** @description Default: all */
            actions?: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead")[] | null;
        };
        /**
         * @example {
         *       "id": "sub_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "subscription",
         *       "organization_id": "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "url": "https://example.com/hook",
         *       "inbox_id": null,
         *       "kinds": [
         *         "tasks"
         *       ],
         *       "actions": [
         *         "completed"
         *       ],
         *       "held_reason": null,
         *       "created_at": 1767225600
         *     }
         */
        Subscription: {
            id: string;
            /** @constant */
            object: "subscription";
            organization_id: string;
            url: string | null;
            inbox_id: string | null;
            kinds: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules")[] | null;
            actions: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead")[] | null;
            /**
             * @description Why changes are held back, if they are
             * @enum {unknown}
             */
            held_reason: "inbox_full" | "too_many_pending" | null;
            created_at: number;
        };
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9"
         *     }
         */
        Claim: {
            /** @description The one-time token from the create response */
            claim_token: string;
        };
        ClaimedResource: components["schemas"]["Schedule"] | components["schemas"]["Task"] | components["schemas"]["WebhookEndpoint"] | components["schemas"]["Artifact"] | components["schemas"]["Inbox"] | components["schemas"]["ScheduledMessage"];
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9"
         *     }
         */
        ClaimAll: {
            /** @description From a create response; others may share it */
            claim_token: string;
            /** @description Only lists what the token claims */
            dry_run?: boolean;
        };
        /**
         * @example {
         *       "object": "claim_set",
         *       "dry_run": false,
         *       "organization_id": "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "data": [
         *         {
         *           "id": "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *           "kind": "webhooks",
         *           "name": "Pushes",
         *           "created_at": 1767225600,
         *           "made_by": null,
         *           "changed_since_created": false,
         *           "stops": false
         *         }
         *       ],
         *       "has_more": false,
         *       "settings": [
         *         {
         *           "resource_id": "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *           "setting": "forward",
         *           "value": "https://example.com",
         *           "survives_claim": true
         *         }
         *       ]
         *     }
         */
        ClaimSet: {
            /** @constant */
            object: "claim_set";
            dry_run: boolean;
            /** @description The owner; null for a dry run */
            organization_id: string | null;
            /** @description Oldest first; then what they made */
            data: {
                id: string;
                /**
                 * @description Read it at `/api/{kind}/{id}`
                 * @enum {unknown}
                 */
                kind: "tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules";
                /** @description Of a message, its method and URL */
                name: string;
                created_at: number;
                /** @description The schedule or endpoint that made it */
                made_by: string | null;
                /** @description Without the claim token */
                changed_since_created: boolean;
                /** @description A claim therefore pauses or holds it */
                stops: boolean;
            }[];
            /** @description Only 1000 are listed */
            has_more: boolean;
            /** @description What sends, or lets others in */
            settings: {
                resource_id: string;
                /** @enum {unknown} */
                setting: "forward" | "verification" | "share" | "target";
                /** @description Where it sends: an origin, an inbox or `task`; the scheme; the share link */
                value: string;
                /** @description false: a claim ends it */
                survives_claim: boolean;
            }[];
        };
        /**
         * @example {
         *       "object": "me",
         *       "kind": "anonymous",
         *       "key_id": null,
         *       "key_name": null,
         *       "organization_id": null,
         *       "organization_name": null,
         *       "registration_id": null,
         *       "scopes": [],
         *       "created_at": null,
         *       "expires_at": null,
         *       "claim_ends_at": null,
         *       "rate_limits": [],
         *       "hint": "Without a key, what you create is public."
         *     }
         */
        Me: {
            /** @constant */
            object: "me";
            /** @enum {unknown} */
            kind: "anonymous" | "api_key" | "access_token";
            key_id: string | null;
            key_name: string | null;
            organization_id: string | null;
            organization_name: string | null;
            /** @description The agent registration it was issued for */
            registration_id: string | null;
            /** @description Empty without a key */
            scopes: ("api.read" | "api.write")[];
            created_at: number | null;
            /** @description Unix seconds; null: never */
            expires_at: number | null;
            /** @description Claim the registration before then to get api.write */
            claim_ends_at: number | null;
            /** @description Empty when unlimited */
            rate_limits: {
                /** @description What is counted */
                counts: string;
                limit: number;
                window_seconds: number;
                remaining: number;
                resets_in_seconds: number;
            }[];
            hint: string;
        };
        /**
         * @example {
         *       "overlap_seconds": 300
         *     }
         */
        KeyRotate: {
            /** @description How long the old key keeps working; default 300. With 0, a lost response cannot be requested again */
            overlap_seconds?: number;
        };
        /**
         * @example {
         *       "object": "rotated_key",
         *       "id": "key_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "key": "svc_live_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "kind": "api_key",
         *       "scopes": [
         *         "api.read"
         *       ],
         *       "expires_at": null,
         *       "old_key_expires_at": 1767225900
         *     }
         */
        RotatedKey: {
            /** @constant */
            object: "rotated_key";
            id: string;
            /** @description Shown once */
            key: string;
            /** @enum {unknown} */
            kind: "api_key" | "access_token";
            scopes: ("api.read" | "api.write")[];
            /** @description Unix seconds; null: never */
            expires_at: number | null;
            /** @description Unix seconds; until then both keys work */
            old_key_expires_at: number;
        };
        /**
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0",
         *       "database": "ok",
         *       "last_dispatch_at": 1767225600,
         *       "oldest_due_seconds": null
         *     }
         */
        Health: {
            /** @enum {unknown} */
            status: "ok" | "degraded";
            /** @description Why, when degraded */
            reason?: string;
            version: string;
            /** @constant */
            database: "ok";
            /** @description Unix seconds; null before the first dispatch */
            last_dispatch_at: number | null;
            /** @description How long the oldest waiting message has been due */
            oldest_due_seconds: number | null;
        };
        /**
         * @example {
         *       "object": "limits",
         *       "fields": {
         *         "task": {
         *           "name": {
         *             "max": 200
         *           }
         *         }
         *       },
         *       "lists": {},
         *       "sizes": {},
         *       "rates": {},
         *       "networks": {},
         *       "waits": {},
         *       "connections": {},
         *       "searches": {},
         *       "deliveries": {},
         *       "inboxes": {},
         *       "credentials": {},
         *       "retention": {}
         *     }
         */
        Limits: {
            /** @constant */
            object: "limits";
            /** @description By body and property */
            fields: {
                [key: string]: {
                    [key: string]: Record<string, unknown>;
                };
            };
            lists: Record<string, unknown>;
            sizes: Record<string, unknown>;
            /** @description Each {limit, window_seconds}, where `enforced` */
            rates: Record<string, unknown>;
            networks: Record<string, unknown>;
            waits: Record<string, unknown>;
            connections: Record<string, unknown>;
            searches: Record<string, unknown>;
            deliveries: Record<string, unknown>;
            inboxes: Record<string, unknown>;
            credentials: Record<string, unknown>;
            retention: Record<string, unknown>;
        };
        AgentRegistration: {
            /** @constant */
            type: "anonymous";
            /**
             * @description Default: `api_key`
             * @enum {unknown}
             */
            requested_credential_type?: "api_key";
        } | {
            /** @constant */
            type: "service_auth";
            /** Format: email */
            login_hint: string;
            /**
             * @description Default: `api_key`
             * @enum {unknown}
             */
            requested_credential_type?: "access_token" | "api_key";
        } | {
            /** @constant */
            type: "identity_assertion";
            /** @enum {unknown} */
            assertion_type: "urn:ietf:params:oauth:token-type:id-jag";
            /** @description A compact JWS of at most 16384 characters */
            assertion: string;
            /**
             * @description Default: `api_key`
             * @enum {unknown}
             */
            requested_credential_type?: "access_token" | "api_key";
        };
        AgentRegistered: components["schemas"]["AgentRegisteredAnonymous"] | components["schemas"]["AgentRegisteredByUser"] | components["schemas"]["AgentRegisteredByProvider"];
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "email": "ada@example.com"
         *     }
         */
        AgentClaimStart: {
            claim_token: string;
            /** @description The user's address; the code is sent to it */
            email: string;
        };
        /**
         * @example {
         *       "registration_id": "reg_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "claim_attempt_id": "cla_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "status": "initiated",
         *       "expires_at": 1767227400,
         *       "otp_expires": 1767226200
         *     }
         */
        AgentClaimStarted: {
            registration_id: string;
            claim_attempt_id: string;
            /** @constant */
            status: "initiated";
            /** @description When this attempt expires, Unix seconds */
            expires_at: number;
            otp_expires: number;
        };
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "otp": "402817"
         *     }
         */
        AgentClaimComplete: {
            claim_token: string;
            /** @description The code from the email */
            otp: string;
        };
        AgentClaimed: components["schemas"]["AgentClaimedAnonymous"] | components["schemas"]["AgentClaimedByUser"];
        /**
         * @example {
         *       "registration_id": "reg_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "status": "claimed",
         *       "scopes": [
         *         "api.read",
         *         "api.write"
         *       ]
         *     }
         */
        AgentClaimedAnonymous: {
            registration_id: string;
            /** @constant */
            status: "claimed";
            scopes: ("api.read" | "api.write")[];
        };
        AgentClaimedByUser: components["schemas"]["AgentCredential"] & {
            registration_id: string;
            /** @constant */
            status: "claimed";
        };
        /**
         * @example {
         *       "credential_type": "api_key",
         *       "credential": "svc_live_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "credential_expires": null,
         *       "scopes": [
         *         "api.read"
         *       ]
         *     }
         */
        AgentCredential: {
            /** @enum {unknown} */
            credential_type: "access_token" | "api_key";
            /** @description Shown once */
            credential: string;
            /** @description Unix seconds; null: never */
            credential_expires: number | null;
            scopes: ("api.read" | "api.write")[];
        };
        AgentRegisteredAnonymous: components["schemas"]["AgentCredential"] & components["schemas"]["AgentClaimable"] & {
            registration_id: string;
            /** @constant */
            registration_type: "anonymous";
        };
        AgentRegisteredByUser: components["schemas"]["AgentClaimable"] & {
            registration_id: string;
            /** @constant */
            registration_type: "service_auth";
            claim_attempt_id: string;
            otp_expires: number;
        };
        AgentRegisteredByProvider: components["schemas"]["AgentCredential"] & {
            registration_id: string;
            /** @constant */
            registration_type: "agent-provider";
        };
        /**
         * @example {
         *       "claim_url": "https://agents.acme.dev/api/agent/auth/claim",
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "claim_token_expires": 1767830400,
         *       "post_claim_scopes": [
         *         "api.read",
         *         "api.write"
         *       ]
         *     }
         */
        AgentClaimable: {
            /** Format: uri */
            claim_url: string;
            /** @description Shown once */
            claim_token: string;
            claim_token_expires: number;
            post_claim_scopes: ("api.read" | "api.write")[];
        };
        Error: {
            error: {
                /** @enum {unknown} */
                type: "invalid_request_error" | "authentication_error" | "authorization_error" | "not_found_error" | "rate_limit_error" | "api_error";
                /** @description Stable: branch on it. */
                code: string;
                /** @description Its wording may change. */
                message: string;
                /** @description The offending property or parameter, such as `labels.3` */
                param: string | null;
                /** @description The documentation of `code` */
                doc_url: string;
                /** @description Also in the header `Request-Id`. */
                request_id: string;
            };
        };
        /**
         * @example {
         *       "object": "list",
         *       "has_more": false,
         *       "next_cursor": null
         *     }
         */
        ListPage: {
            /** @constant */
            object: "list";
            has_more: boolean;
            /** @description Send as `after` to get the next page. */
            next_cursor: string | null;
            /** @description Present with `include=total_count`. */
            total_count?: number;
        };
        /**
         * @example {
         *       "id": "chg_00000000004c00000000000Dq",
         *       "object": "change",
         *       "kind": "tasks",
         *       "action": "completed",
         *       "resource_id": "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "actor": "key_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "created_at": 1767225600
         *     }
         */
        Change: {
            id: string;
            /** @constant */
            object: "change";
            /** @enum {unknown} */
            kind: "tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules";
            /** @enum {unknown} */
            action: "created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead";
            resource_id: string;
            /** @description A key or user ID; null if the service made the change */
            actor: string | null;
            created_at: number;
        };
        /**
         * @example {
         *       "organization_id": null,
         *       "external_id": "crm-4711",
         *       "created_at": 1767225600,
         *       "updated_at": 1767225600
         *     }
         */
        StoredResource: {
            /** @description null means public */
            organization_id: string | null;
            external_id: string | null;
            created_at: number | null;
            updated_at: number | null;
        };
        /**
         * @description What a run creates: exactly one
         * @example {
         *       "task": {
         *         "name": "Write the daily report"
         *       }
         *     }
         */
        ScheduleTarget: {
            /** @description Without `scheduled_at` */
            message?: components["schemas"]["ScheduledMessageCreate"];
            inbox_event?: {
                /** @description An inbox with the schedule's owner */
                inbox_id: string;
                body?: string;
                /** @description Default: `application/json` if the body is JSON, else `text/plain` */
                content_type?: string;
                delay_seconds?: number;
                ttl_seconds?: number;
            };
            task?: components["schemas"]["TaskCreate"];
        };
        /**
         * @example {
         *       "claim_token": "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "claim_url": "/api/claim/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "claim_link": "https://agents.acme.dev/claim/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q#claim_token=clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
         *       "view_url": "https://agents.acme.dev/tasks/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q"
         *     }
         */
        ClaimableResource: {
            /** @description Shown once */
            claim_token?: string;
            /** @description POST the token here, with a key; relative to the base URL */
            claim_url?: string;
            /** @description For your user: the claim page, with the token */
            claim_link?: string;
            /** @description For your user: a page that shows it until a claim */
            view_url?: string;
        };
        InboxAckOutcome: {
            event_id: string;
            /** @enum {unknown} */
            outcome: "acknowledged" | "lease_lost" | "not_found";
        };
        InboxAckItem: {
            event_id: string;
            lease_id: string;
        };
        LeasedInboxEvent: components["schemas"]["InboxEvent"] & {
            /**
             * @description Needed to acknowledge, nack or extend this delivery
             * @example lse_034gM0Zr8oVbYwWk3nJ5cTqB2x
             */
            lease_id: string;
        };
        /**
         * @example {
         *       "id": "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "inbox_event",
         *       "inbox_id": "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "received_at": 1767225600,
         *       "expires_at": 1767312000
         *     }
         */
        InboxEventFields: {
            id: string;
            /** @constant */
            object: "inbox_event";
            inbox_id: string;
            received_at: number;
            /** @description Unix seconds; then it is deleted */
            expires_at: number;
        };
        /**
         * @example {
         *       "id": "att_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "message_attempt",
         *       "message_id": "msg_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "attempt": 1,
         *       "started_at": 1767229200,
         *       "duration_ms": 84,
         *       "response_status": 204,
         *       "response_headers": {},
         *       "response_headers_truncated": false,
         *       "response_body": "",
         *       "error": null
         *     }
         */
        MessageAttempt: {
            id: string;
            /** @constant */
            object: "message_attempt";
            message_id: string;
            attempt: number;
            started_at: number;
            /** @description null when the process ended during the attempt */
            duration_ms: number | null;
            response_status: number | null;
            /** @description Lower-case names */
            response_headers: {
                [key: string]: string;
            } | null;
            /** @description Whether only the first 500 were kept */
            response_headers_truncated: boolean;
            /** @description The first 4096 characters */
            response_body: string | null;
            error: string | null;
        };
        ListedArtifactShare: components["schemas"]["ArtifactShareFields"] & {
            /**
             * @description Created before a claim by the artifact's creator
             * @example false
             */
            survived_claim: boolean;
        };
        /**
         * @example {
         *       "id": "shr_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "artifact_share",
         *       "artifact_id": "art_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "survives_claim": true,
         *       "expires_at": null,
         *       "created_at": 1767225600
         *     }
         */
        ArtifactShareFields: {
            id: string;
            /** @constant */
            object: "artifact_share";
            artifact_id: string;
            /** @description false: a claim ends it */
            survives_claim: boolean;
            /** @description Unix seconds; null: never */
            expires_at: number | null;
            created_at: number;
        };
        /**
         * @example {
         *       "id": "ver_034gLHnnT5MH2Sbz6VPrmYvR1q_2",
         *       "object": "artifact_version",
         *       "artifact_id": "art_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "number": 2,
         *       "name": "Report",
         *       "format": "markdown",
         *       "size": 17,
         *       "author": "writer-1",
         *       "raw_url": "/api/artifacts/art_034gLHnnT5MH2Sbz6VPrmYvR1q/versions/2/raw",
         *       "created_at": 1767225900
         *     }
         */
        ArtifactVersion: {
            id: string;
            /** @constant */
            object: "artifact_version";
            artifact_id: string;
            /** @description Counts from 1 */
            number: number;
            name: string;
            /** @enum {unknown} */
            format: "markdown" | "html";
            /** @description Size of the content in UTF-8 bytes */
            size: number;
            /** @description The key's name or the person's address; null: public or unknown */
            author: string | null;
            /** @description Serves the content; null: no longer kept */
            raw_url: string | null;
            /** @description Unix seconds */
            created_at: number;
        };
        ListedArtifact: components["schemas"]["StoredResource"] & {
            id: string;
            /** @constant */
            object: "artifact";
            name: string;
            /** @description Size of the content in UTF-8 bytes */
            size: number;
            /** @enum {unknown} */
            format: "markdown" | "html";
            /** @description Serves the content; relative to the base URL */
            raw_url: string;
        };
        /**
         * @example {
         *       "id": "wrp_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "webhook_replay",
         *       "endpoint_id": "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "organization_id": "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "url": "https://example.com/hook",
         *       "method": "POST",
         *       "q": null,
         *       "header": null,
         *       "since": null,
         *       "retry": false,
         *       "status": "running",
         *       "total": 200,
         *       "searched": 60,
         *       "skipped": 0,
         *       "gone": 0,
         *       "pending": 10,
         *       "delivered": 49,
         *       "failed": 1,
         *       "canceled": 0,
         *       "created_at": 1767225600,
         *       "ended_at": null
         *     }
         */
        WebhookBulkReplay: {
            id: string;
            /** @constant */
            object: "webhook_replay";
            endpoint_id: string;
            organization_id: string;
            url: string;
            method: string | null;
            q: string | null;
            header: string | null;
            since: string | null;
            retry: boolean;
            /** @enum {unknown} */
            status: "running" | "completed" | "canceled";
            /** @description Events to look at */
            total: number;
            /** @description Events looked at */
            searched: number;
            /** @description Matching events that cannot be replayed: their body was truncated */
            skipped: number;
            /** @description Events that were deleted before their turn */
            gone: number;
            /** @description Messages that have not ended */
            pending: number;
            delivered: number;
            failed: number;
            canceled: number;
            created_at: number;
            /** @description When its last message ended */
            ended_at: number | null;
        };
        /**
         * @example {
         *       "id": "msg_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "object": "webhook_event_replay",
         *       "event_id": "wev_034gLHnnT5MH2Sbz6VPrmYvR1q",
         *       "replay_id": null,
         *       "url": "https://example.com/hook",
         *       "method": "POST",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "response_status": 200,
         *       "response_body": "ok",
         *       "duration_ms": 84,
         *       "error": null,
         *       "created_at": 1767225600,
         *       "next_attempt_at": null
         *     }
         */
        WebhookEventReplay: {
            /** @description The message that sent it */
            id: string;
            /** @constant */
            object: "webhook_event_replay";
            event_id: string;
            /** @description The bulk replay that it is part of */
            replay_id: string | null;
            url: string;
            /** @enum {unknown} */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @enum {unknown} */
            status: "scheduled" | "delivering" | "delivered" | "failed" | "canceled";
            attempts: number;
            response_status: number | null;
            /** @description Of the last attempt, the first 4096 characters */
            response_body: string | null;
            /** @description Of the last attempt */
            duration_ms: number | null;
            error: string | null;
            created_at: number;
            next_attempt_at: number | null;
        };
        TaskList: components["schemas"]["ListPage"] & {
            data: components["schemas"]["Task"][];
        };
    };
    responses: {
        /** @description Done */
        204: {
        };
        /** @description OK */
        TaskList: {
            content: {
                "application/json": components["schemas"]["TaskList"];
            };
        };
        /** @description OK */
        Task: {
            content: {
                "application/json": components["schemas"]["Task"];
            };
        };
        /** @description OK */
        WebhookEndpoint: {
            content: {
                "application/json": components["schemas"]["WebhookEndpoint"];
            };
        };
        /** @description Created */
        CreatedScheduledMessage: {
            content: {
                "application/json": components["schemas"]["CreatedScheduledMessage"];
            };
        };
        /** @description OK */
        Artifact: {
            content: {
                "application/json": components["schemas"]["Artifact"];
            };
        };
        /** @description OK */
        ScheduledMessage: {
            content: {
                "application/json": components["schemas"]["ScheduledMessage"];
            };
        };
        /** @description OK */
        Inbox: {
            content: {
                "application/json": components["schemas"]["Inbox"];
            };
        };
        /** @description OK */
        InboxEvent: {
            content: {
                "application/json": components["schemas"]["InboxEvent"];
            };
        };
        /** @description OK */
        Schedule: {
            content: {
                "application/json": components["schemas"]["Schedule"];
            };
        };
    };
    parameters: {
        /** @description Number of items; clamped to the bounds. */
        limit: number;
        /** @description The ID of the previous page's last item; it may have been deleted. */
        after: string;
        /** @description `total_count` adds the total number of items; slow for long lists. */
        include: string;
        external_id: string;
        /** @description A new UUID (or 1 to 255 printable ASCII characters). A repeat with the same body returns the same response for 24 hours. */
        "Idempotency-Key": string;
        /** @description The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change. */
        "Claim-With": string;
        id: string;
        /** @description An ETag: 304 if unchanged. */
        "If-None-Match": string;
        /** @description An ETag: 412 if the resource has changed. */
        "If-Match": string;
        blockerId: string;
        /** @description HTTP method. */
        method: string;
        /** @description Text in body, path or query string, case-sensitive. */
        q: string;
        /** @description Text in a header's name or value, or `name: text`, ignoring case. */
        header: string;
        /** @description An event's ID: only newer events, oldest first. `wev_0` precedes all. */
        since: string;
        eventId: string;
        /** @description `return=minimal` leaves out of the response what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`. */
        Prefer: string;
        /** @description `1`: as an attachment. */
        download: string;
        /** @description A byte range, such as `bytes=0-99`. */
        Range: string;
        /** @description Repeatable: any of them. */
        kind: ("tasks" | "webhooks" | "artifacts" | "messages" | "inboxes" | "schedules")[];
        /** @description Repeatable: any of them. */
        action: ("created" | "updated" | "deleted" | "claimed" | "leased" | "released" | "completed" | "note_added" | "blocker_added" | "blocker_removed" | "shared" | "unshared" | "canceled" | "retried" | "delivered" | "failed" | "event_dead")[];
    };
}

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
export type AgentCredential = components["schemas"]["AgentCredential"];
export type AgentRegisteredAnonymous = components["schemas"]["AgentRegisteredAnonymous"];
export type AgentRegisteredByUser = components["schemas"]["AgentRegisteredByUser"];
export type AgentRegisteredByProvider = components["schemas"]["AgentRegisteredByProvider"];
export type AgentClaimable = components["schemas"]["AgentClaimable"];
export type ListPage = components["schemas"]["ListPage"];
export type Change = components["schemas"]["Change"];
export type StoredResource = components["schemas"]["StoredResource"];
export type ScheduleTarget = components["schemas"]["ScheduleTarget"];
export type ClaimableResource = components["schemas"]["ClaimableResource"];
export type InboxAckOutcome = components["schemas"]["InboxAckOutcome"];
export type InboxAckItem = components["schemas"]["InboxAckItem"];
export type LeasedInboxEvent = components["schemas"]["LeasedInboxEvent"];
export type InboxEventFields = components["schemas"]["InboxEventFields"];
export type MessageAttempt = components["schemas"]["MessageAttempt"];
export type ListedArtifactShare = components["schemas"]["ListedArtifactShare"];
export type ArtifactShareFields = components["schemas"]["ArtifactShareFields"];
export type ArtifactVersion = components["schemas"]["ArtifactVersion"];
export type ListedArtifact = components["schemas"]["ListedArtifact"];
export type WebhookBulkReplay = components["schemas"]["WebhookBulkReplay"];
export type WebhookEventReplay = components["schemas"]["WebhookEventReplay"];
export type TaskList = components["schemas"]["TaskList"];

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
  | "resource_not_found"
  | "route_not_found"
  | "method_not_allowed"
  | "lease_lost"
  | "lease_held"
  | "blocker_cycle"
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
