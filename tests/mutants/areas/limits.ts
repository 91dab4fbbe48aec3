// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const RULES = "prisma/migrations/1_rules/migration.sql";

/** What is counted, whose turn it is, and what is kept how long. */
export const limits: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/platform/limits/sliding-window.ts", specs: ["fault/caller-limits"] }, [
    {
      name: "a limit ignores what was used",
      find: "+ ${needed}::int - 1 < ${limit.limit}::int",
      replace: "* 0 + ${needed}::int - 1 < ${limit.limit}::int",
      grep: "A key's rate limit",
    },
    {
      name: "a limit forgets the window before",
      find: "WHEN excluded.started_at - ${windowSeconds}::bigint THEN known.uses ELSE 0 END",
      replace: "ELSE 0 END",
      grep: "Uses of the minute before",
    },
    {
      name: "a secret is guessed while nothing can be counted",
      find: "if (limit.guardsSecret) {",
      replace: "if (false) {",
      specs: ["fault/forms-flood"],
      pages: true,
      grep: "cannot be counted",
    },
    {
      name: "a /48 is not counted",
      find: "for (const [network, factor] of networksOf(address)) {",
      replace: "for (const [network, factor] of networksOf(address).slice(0, 1)) {",
      grep: "by its /48",
    },
    {
      name: "a request that the limit of all refuses uses up the client's own",
      find: "SET uses = greatest(uses - 1, 0)",
      replace: "SET uses = uses",
      specs: ["fault/mcp-events-addresses"],
      grep: "used up a host's challenges",
    },
    {
      name: "one client takes the reserve of all",
      find: "if (own?.remaining !== ofClient.limit - 1) throw error;",
      replace: "if (!own) throw error;",
      specs: ["fault/mcp-events-addresses"],
      grep: "used up a host's challenges",
    },
    {
      name: "each port and spelling of a host has challenges of its own",
      file: "lib/resources/subscriptions/event-service.ts",
      find: 'new URL(url).hostname.replace(/\\.$/, "")',
      replace: "new URL(url).host",
      specs: ["fault/mcp-events-addresses"],
      grep: "used up a host's challenges",
    },
  ]),
  {
    name: "a stranger's dispatch is not counted",
    file: "lib/upkeep/operations.ts",
    find: "if (!localMode) await countByNetwork(",
    replace: "if (localMode) await countByNetwork(",
    specs: ["fault/caller-limits"],
    grep: "Every kind of anonymous write",
  },
  {
    name: "a server closes while a connection arrives",
    file: "server/stop.ts",
    find: "} while (arrived && performance.now()",
    replace: "} while (false && performance.now()",
    specs: ["unit/server-stop"],
    grep: "never gets a pause",
  },
  {
    name: "a limit says a second too early when it has room again",
    file: "lib/platform/limits/sliding-window.ts",
    find: "Math.floor((windowSeconds * (fading - left)) / fading) + 1",
    replace: "Math.floor(windowSeconds * (1 - left / fading)) + 1",
    specs: ["fault/caller-limits"],
    grep: "Retry-After is the time",
  },
  ...mutantsOf({ file: "lib/platform/limits/arrival-limits.ts", specs: ["fault/caller-limits"] }, [
    {
      name: "arrivals are not limited",
      find: "if (recent >= limit.limit || now < count.refusedUntil) {",
      replace: "if (now < count.refusedUntil - 1000) {",
      grep: "URL are limited across servers",
    },
    {
      name: "each server has its own limit of arrivals",
      find: "if (remaining < 0) count.refusedUntil = performance.now() / 1000 + resetSeconds;",
      replace: "if (remaining < 0) count.refusedUntil = resetSeconds - resetSeconds;",
      grep: "URL are limited across servers",
    },
    {
      name: "the two spellings of an endpoint have a limit each",
      find: '.replace(/^whe_/, "wh_")',
      grep: "share one limit",
    },
  ]),
  ...mutantsOf({ file: "lib/platform/limits/caller-limits.ts", specs: ["fault/caller-limits"] }, [
    {
      name: "anonymous writes are not counted",
      find: 'if (caller.kind === "anonymous" && !isAnonymousWrite(operation)) return undefined;',
      replace: 'if (caller.kind === "anonymous") return undefined;',
      grep: "Anonymous creates are limited",
    },
  ]),
  ...mutantsOf({ file: "lib/platform/http/address.ts", specs: ["unit/addresses"] }, [
    {
      name: "any sender may name its own address",
      find: "client === undefined ? peer === null : isTrusted(client)",
      replace: "true",
    },
  ]),
  {
    name: "a rejected client keeps its connection",
    file: "server/client-error.ts",
    find: "const timer = setTimeout(() => socket.destroy(), LINGER_MS);",
    replace: "const timer = setTimeout(() => {}, LINGER_MS);",
    specs: ["api/own-server"],
    grep: "A rejected connection is closed",
  },
  ...mutantsOf({ file: "server/page-turns.ts", specs: ["unit/page-turns"] }, [
    {
      name: "a form's body no longer counts once its client has left",
      find: 'response.once("close", () => gone.abort());',
      replace:
        'response.once("close", () => {\n      held.release();\n      gone.abort();\n    });',
      grep: "A form counts as memory",
    },
    {
      name: "the body of a form that never ran counts forever",
      find: "held.release();\n      if (signal.aborted)",
      replace: "if (signal.aborted)",
      grep: "A form counts as memory",
    },
    {
      name: "a rendered page keeps its turn while its client reads",
      find: "    done();\n",
      replace: "    void done;\n",
      grep: "only a few pages",
    },
  ]),
  {
    name: "a client is cut off while the server is silent",
    file: "server/exchanges.ts",
    find: "response.socket?.setTimeout(isUnread ? READ_PAUSE_MS : 0);",
    replace: "if (isUnread) response.socket?.setTimeout(READ_PAUSE_MS);",
    specs: ["unit/exchanges"],
  },
  ...mutantsOf({ specs: ["fault/forms-flood"], grep: "What a network sends to pages" }, [
    {
      name: "only forms take a turn for their bodies",
      file: "server/listener.ts",
      find: "const takesTurn = isRendered || !isRead(request);",
      replace: 'const takesTurn = isRendered || request.method === "POST";',
    },
    {
      name: "only the bodies of forms are counted",
      file: "server/page-turns.ts",
      find: "const received = isRead(request)\n",
      replace: 'const received = request.method !== "POST"\n',
    },
  ]),
  {
    name: "a poll of MCP Events matches bodies without a turn",
    file: "lib/resources/subscriptions/events/webhook-received.ts",
    find: "searches: ({ match }) => match !== undefined,",
    specs: ["fault/searches"],
    grep: "A poll of MCP Events",
  },
  {
    name: "a network keeps all threads that render documents",
    file: "lib/resources/artifacts/markdown-threads.ts",
    find: "runningPerNetwork: THREADS - 1,",
    replace: "runningPerNetwork: THREADS,",
    pages: true,
    specs: ["fault/searches"],
    grep: "Documents that one network renders",
  },
  {
    name: "a network that asks for a document waits for another's turn",
    file: "lib/resources/artifacts/rendered.ts",
    find: "known?.waiting === undefined || known.waiting === network ? known : undefined",
    replace: "known",
    pages: true,
    specs: ["fault/searches"],
    grep: "Documents that one network renders",
  },
  {
    name: "a tree of many nodes counts as its characters",
    file: "lib/resources/artifacts/rendered.ts",
    find: "result.characters + result.nodes * CHARACTERS_PER_NODE;",
    replace: "result.characters;",
    specs: ["unit/markdown"],
  },
  {
    name: "a tree of repeated attributes counts as its nodes",
    file: "lib/resources/artifacts/rendered.ts",
    find: "result.characters + result.nodes * CHARACTERS_PER_NODE;",
    replace: "result.nodes * CHARACTERS_PER_NODE;",
    specs: ["unit/markdown"],
  },
  {
    name: "a text has any number of links",
    file: "app/(dashboard)/tasks/_components/description.tsx",
    find: "{parts.slice(0, LINKS_MAX).map(",
    replace: "{parts.map(",
    specs: ["browser/tasks-description"],
    grep: "with its first links",
  },
  ...mutantsOf({ file: "lib/resources/artifacts/difference.ts", specs: ["unit/difference"] }, [
    {
      name: "texts of any number of lines are compared",
      find: "if (Math.max(earlier.length, later.length) > LINES_MAX) return undefined;",
      grep: "100,000 lines",
    },
    {
      name: "lines of other words are compared to the end",
      find: ", { maxEditLength: WORD_EDITS_MAX }",
      grep: "differ in many words",
    },
    {
      name: "words are compared without end",
      find: " || performance.now() > deadline",
      grep: "time is spent",
    },
    {
      name: "a field that a form repeats is compared each time",
      file: "app/(dashboard)/_shared/their-fields.ts",
      find: "[...new Set(data.keys())]",
      replace: "[...data.keys()]",
      grep: "repeats a field",
    },
    {
      name: "a form's time is read from any field",
      file: "app/(dashboard)/_shared/their-fields.ts",
      find: 'if (unix !== null && typeof unix !== "number") return undefined;',
      grep: "any field as a time",
    },
    {
      name: "a form's time zone may be unknown",
      file: "app/(dashboard)/_shared/their-fields.ts",
      find: 'isTimezone(given) ? given : "UTC"',
      replace: 'given || "UTC"',
      grep: "any field as a time",
    },
  ]),
  {
    name: "an export waits in its turn",
    file: "lib/api/export.ts",
    find: 'for (const name of WAITS) if (asPages.has(name)) asPages.set(name, "0");',
    specs: ["api/export"],
    grep: "does not wait for more",
  },
  ...mutantsOf({ file: "lib/platform/limits/gate.ts", specs: ["unit/gate"] }, [
    {
      name: "a network takes all turns",
      find: "const mayRun = countOf(this.#running, { network }) < max;",
      replace: "const mayRun = max > 0;",
    },
    {
      name: "a page that waits for its search keeps its place",
      find: "turn.asides += 1;",
      grep: "leaves its place",
    },
    {
      name: "a network fills the queue",
      find: "countOf(limited, { network }) >= waitingPerNetwork ||",
    },
    {
      name: "streams take the places of searches in the queue",
      find: "new Set([...this.#waiting].filter(({ isLimited }) => isLimited))",
      replace: "this.#waiting",
    },
    {
      name: "a page makes room for the next when its client leaves",
      find: "return this.#turn({ address, signal });",
      replace:
        'return this.#turn({ address, signal }).then((turn) => {\n      signal.addEventListener("abort", turn.end);\n      return turn;\n    });',
      grep: "A client that leaves",
    },
    {
      name: "networks that wait shut out all others",
      find: "if (most <= own) return false;",
      replace: "if (most >= own) return false;",
      grep: "When the queue is full",
    },
    {
      name: "a network with as many waiting as another takes its place",
      find: "if (most <= own) return false;",
      replace: "if (most < own) return false;",
      grep: "When the queue is full",
    },
    {
      name: "a turn is held forever",
      find: "const limit = setTimeout(end, turnMsMax).unref();",
      replace: "const limit = setTimeout(() => {}, turnMsMax).unref();",
    },
    {
      name: "a client that has left waits on",
      find: 'signal?.addEventListener("abort", refuse, { once: true });',
    },
  ]),
  ...mutantsOf({ file: "lib/upkeep/sweep.ts", specs: ["fault/sweep"] }, [
    {
      name: "one failing kind ends the sweep",
      find: "logError(`Sweeping ${what} failed:`, error);\n    return { count: 0, isOver: true };",
      replace: "throw error;",
    },
    {
      name: "two servers sweep at once",
      find: "WHERE last_sweep_at IS NULL OR last_sweep_at <= unix_now() - ${INTERVAL_SECONDS}",
      replace: "WHERE last_sweep_at IS NULL OR last_sweep_at <= unix_now() + ${INTERVAL_SECONDS}",
      reason: "They skip each other's rows, so they only do some work twice.",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/remove-unclaimed.ts", specs: ["api/unclaimed"] }, [
    {
      name: "resources of organizations are swept",
      find: "WHERE ${table}.organization_id IS NULL\n      AND id <",
      replace: "WHERE (${table}.organization_id IS NULL OR true)\n      AND id <",
    },
    {
      name: "public resources in use are swept",
      find: "AND created_at < unix_now() - ${ttlSeconds}::bigint AND ${isUnused}",
      replace: "AND created_at < unix_now() - ${ttlSeconds}::bigint AND (true OR ${isUnused})",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/messages/service.ts", specs: ["api/unclaimed"] }, [
    {
      name: "public messages that are still to be sent are swept",
      find: "isOver: sql`due_at IS NULL`",
      replace: "isOver: sql`true`",
      grep: "still to be sent",
    },
  ]),
  {
    name: "a public document is swept although it was shared",
    file: "lib/resources/artifacts/service.ts",
    find: "WHERE link.artifact_id = artifacts.id",
    replace: "WHERE link.artifact_id = artifacts.id AND false",
    specs: ["api/unclaimed"],
    grep: "leaves updated_at alone",
  },
  {
    name: "a public endpoint is swept although its settings changed",
    file: "lib/resources/webhooks/settings.ts",
    find: "greatest(last_event_micros, unix_now() * 1000000)",
    replace: "last_event_micros",
    specs: ["api/unclaimed"],
    grep: "leaves updated_at alone",
  },
  ...mutantsOf({ file: "lib/resources/tasks/service.ts", specs: ["api/unclaimed"] }, [
    {
      name: "a public task is swept although it is leased",
      find: "lease_expires_at, (",
      replace: "(",
      grep: "lives on after a note or a lease",
    },
    {
      name: "a public task is swept although it gets a note every day",
      find: "WHERE note.task_id = tasks.id",
      replace: "WHERE note.task_id = tasks.id AND false",
      grep: "lives on after a note or a lease",
    },
  ]),
  ...mutantsOf(
    {
      file: "lib/resources/webhooks/events/insert-captures.ts",
      specs: ["fault/storage-limits"],
    },
    [
      {
        name: "a capture's path is stored without end",
        find: "const texts = [headers.whole, path, queryString];",
        replace: "const texts = [headers.whole, path.slice(0, 0), queryString];",
        grep: "also of unknown endpoints",
      },
      {
        name: "captures of unknown endpoints are free",
        find: "if (one.countedFor !== null) countNetworkBytes(one.countedFor, weightOf(one));",
        grep: "also of unknown endpoints",
      },
      {
        name: "captures from ourselves share one storage",
        find: "countStored(written.owner, one.countedFor,",
        replace: "countStored(written.owner, one.sourceIp,",
        specs: ["fault/own-messages"],
      },
    ],
  ),
  ...mutantsOf({ specs: ["fault/own-messages"] }, [
    {
      name: "strangers' messages to ourselves share the limits of our address",
      file: "lib/resources/messages/deliver.ts",
      find: "...(toOurselves ? countedHeaders(message) : []),",
    },
    {
      name: "what an organization's messages create without its key takes its turns",
      file: "lib/resources/messages/deliver.ts",
      find: "organization_id === null ? lane : `messages-of-${lane}`",
      replace: "lane",
      grep: "An organization's messages",
    },
    {
      name: "answers that messages guess count for our address",
      file: "lib/resources/questions/operations.ts",
      find: "clientOf(caller, countedAddress(request))",
      replace: "clientOf(caller, request.clientAddress ?? null)",
    },
    ...mutantsOf({ specs: ["unit/addresses"], grep: "Wrong claim tokens in a message" }, [
      {
        name: "claim tokens that messages guess count for our address",
        file: "lib/resources/claim-token.ts",
        find: "const client = clientOf(caller, countedAddress(request));",
        replace: "const client = clientOf(caller, request.clientAddress ?? null);",
      },
      {
        name: "messages guess the token of a change for our address",
        file: "lib/resources/claim-token.ts",
        find: 'clientOf(caller, countedAddress(request)), param: "Claim-With"',
        replace: 'clientOf(caller, request.clientAddress ?? null), param: "Claim-With"',
      },
      {
        name: "messages guess the token of a create for our address",
        file: "lib/resources/claim-set.ts",
        find: "clientOf(caller, countedAddress(request))",
        replace: "clientOf(caller, request.clientAddress ?? null)",
      },
    ]),
    {
      name: "a batch of ours counts for our address",
      file: "lib/api/batch.ts",
      find: "sentFor: outer.headers.get(SENT_FOR_HEADER),",
      replace: "sentFor: null,",
    },
    {
      name: "events from ourselves share one storage",
      file: "lib/resources/inboxes/events/insert.ts",
      find: "countStored(row.owner, arrival.countedFor,",
      replace: "countStored(row.owner, arrival.sourceIp,",
    },
    {
      name: "the network that a message counts for is recorded",
      file: "lib/platform/http/recorded-headers.ts",
      find: "if (name === SENT_FOR_HEADER) continue;",
    },
    {
      name: "any sender may name the network that it counts for",
      file: "lib/platform/http/sent-for.ts",
      find: "return isRecent && isSameSecret(",
      replace: "return isRecent || isSameSecret(",
      specs: ["unit/addresses"],
    },
  ]),
  ...mutantsOf({ file: "lib/platform/http/bounded-json.ts", specs: ["unit/json-values"] }, [
    {
      name: "an operation of a batch has any number of values",
      find: "&& ofPart <= JSON_VALUES_MAX &&",
      replace: "&&",
      grep: "Each operation of a batch",
    },
    {
      name: "the operations of a batch have any number of values together",
      find: " && ofParts <= PARTS_VALUES_MAX;",
      replace: ";",
      grep: "Each operation of a batch",
    },
    {
      name: "any number of bodies in a body each have as many values as one",
      find: "begun <= (parts?.max ?? 0) &&",
      grep: "Each operation of a batch",
    },
  ]),
  {
    name: "an external_id is stored without end",
    file: "lib/resources/storage/stored-bytes-sum.ts",
    find: " + coalesce(octet_length(external_id), 0)",
    specs: ["fault/storage-limits"],
    grep: "A measurement includes",
  },
  {
    name: "what an organization claims is stored without end",
    file: "lib/resources/claims/set.ts",
    find: "await measureSoon(organizationId, db);",
    specs: ["fault/storage-limits"],
    grep: "What an organization claims",
  },
  ...mutantsOf({ file: "lib/resources/storage/stored-bytes.ts", specs: ["fault/storage-limits"] }, [
    {
      name: "what an unclaimed agent owns does not count as stored by its client",
      find: "if (address !== null && countsAsPublic(owner))",
      replace: "if (address !== null && owner === null)",
      grep: "What an unclaimed agent",
    },
    {
      name: "an unclaimed agent stores without end",
      find: "  if (countsAsPublic(owner)) {",
      replace: "  if (owner === null) {",
      grep: "What an unclaimed agent",
    },
  ]),
  ...mutantsOf({ file: "lib/api/storage.ts", specs: ["fault/storage-limits"] }, [
    {
      name: "a record of a response is stored without end",
      find: "const isOpen = countsAsPublic(owner);",
      replace: "const isOpen = owner === null;",
      grep: "Notes, errors",
    },
    {
      name: "a stored character counts as a byte",
      find: "Buffer.byteLength(body)",
      replace: "body.length",
      grep: "Stored texts count as bytes",
    },
    {
      name: "what a key changes counts as its organization's",
      find: "shown = Object(result).organization_id;",
      replace: "void result;",
      grep: "Notes, errors",
    },
    {
      name: "a key's note on a public task counts as its organization's",
      find: "isOpen ? null : owner",
      replace: "owner",
      grep: "Notes, errors",
    },
    {
      name: "a key stores public data without end",
      find: "else assertStorage(null, address);",
      grep: "A network without bytes left",
    },
    {
      name: "errors are stored without end",
      find: "if (finishesWork) assertNetworkStorage(address);",
      replace: "if (finishesWork) return;",
      grep: "Notes, errors",
    },
    {
      name: "a key stores replies without end",
      file: "lib/resources/inboxes/replies/service.ts",
      find: "(owner === null || (await isPublic(inboxId)))",
      replace: "owner === null",
      grep: "Notes, errors",
    },
    {
      name: "answers are stored without end",
      file: "lib/resources/questions/operations.ts",
      find: '[typeof answer === "string" ? answer : JSON.stringify(answer)]',
      replace: "[answer && null]",
      grep: "Notes, errors",
    },
  ]),
  ...mutantsOf(
    {
      file: "lib/api/storage.ts",
      specs: ["fault/storage-limits"],
      grep: "Recorded long responses",
    },
    [
      {
        name: "long responses are recorded for an organization without end",
        find: "else if (!finishesWork) assertRecordStorage(owner);",
      },
      {
        name: "no work is done once an organization's amount is used up",
        find: "else if (!finishesWork) assertRecordStorage",
        replace: "else assertRecordStorage",
      },
      {
        name: "short recorded responses use up an organization's amount",
        find: "if (!isOpen && !echoes && size > SMALL_RECORD_BYTES)",
        replace: "if (!isOpen && !echoes)",
      },
      {
        name: "short responses are not recorded once an organization's amount is used up",
        find: "if (echoes || sizeOf(response) <= SMALL_RECORD_BYTES) return;",
        replace: "if (echoes) return;",
      },
      {
        name: "a batch is refused after it has run",
        find: 'operation.id === "runBatch" || ',
      },
      {
        name: "replays are recorded without end",
        find: '(isCreate(operation) && id === "")',
        replace: "isCreate(operation)",
      },
      {
        name: "a long create with an Idempotency-Key counts as a replay",
        find: ' || (isCreate(operation) && id === "")',
      },
      {
        name: "a repeated replay is refused once the amount is used up",
        file: "lib/resources/insert-once.ts",
        find: "const made = await orReplay(request, async () => {",
        replace:
          "const made = await (async (_: unknown, work: () => Promise<any>) => ({ done: await work() }))(request, async () => {",
      },
    ],
  ),
  ...mutantsOf({ specs: ["fault/public-storage"], grep: "What targets answer" }, [
    {
      name: "what targets answer is stored without being counted",
      file: "lib/resources/messages/record.ts",
      find: "if (result) countStored(owner, network, bytesOf([headers, responseBody]));",
    },
    {
      name: "what targets answer is kept without storage left",
      file: "lib/resources/messages/record.ts",
      find: "isStorageFull(owner, network) ? NOTHING : outcome",
      replace: "outcome",
    },
    {
      name: "headers of targets are stored without being measured",
      file: "lib/resources/storage/stored-bytes-sum.ts",
      find: " + coalesce(octet_length(response_headers::text), 0)",
    },
  ]),
  ...mutantsOf({ file: "lib/api/perform.ts", specs: ["fault/public-storage"] }, [
    {
      name: "a repeat is refused once the storage is used up",
      find: "if (!isRecorded) await storage?.assert();",
      replace: "await storage?.assert();",
      grep: "A repeat gets its recorded response",
    },
    {
      name: "a create with an Idempotency-Key is stored without end",
      find: "await storage?.assert(accepted.textBytes);",
      grep: "A repeat gets its recorded response",
    },
  ]),
  {
    name: "a page that nobody reads is not counted",
    file: "server/response-memory.ts",
    find: 'response.once("prefinish", () => this.observe(response, address));',
    specs: ["unit/response-memory"],
    grep: "nobody reads",
  },
  {
    name: "an export is read faster than its reader",
    file: "server/listener.ts",
    find: "if (takesTurn) responses.takeWhole(response, address);",
    replace: "responses.takeWhole(response, address);",
    specs: ["fault/connections"],
    grep: "reader's pace",
  },
  {
    name: "a response whose client has left is counted without end",
    file: "server/response-memory.ts",
    find: "if (response.closed || content.length",
    replace: "if (content.length",
    specs: ["unit/response-memory"],
    grep: "whose client has left",
  },
  {
    name: "a reader of a range keeps the whole content in memory",
    file: "lib/platform/http/content.ts",
    find: "Buffer.from(bytes.subarray(range.start, range.end))",
    replace: "bytes.subarray(range.start, range.end)",
    specs: ["unit/response-memory"],
    grep: "with a range",
  },
  ...mutantsOf({ specs: ["fault/connections"], grep: "bodies of an address" }, [
    {
      name: "any number of bodies is unpacked at once",
      file: "app/(dashboard)/_shared/body-route.ts",
      find: "waitingPerNetwork: 100,",
      replace: "waitingPerNetwork: 500,",
    },
  ]),
  {
    name: "a client that leaves during its upload is a failure of the database",
    file: "server/node-request.ts",
    find: 'throw new ApiError("invalid_param", message, { status: 408, cause });',
    replace: "throw cause;",
    specs: ["unit/uploads"],
  },
  {
    name: "a subscriber is woken as often as something is published",
    file: "lib/platform/wakeups/pubsub.ts",
    find: "if (early > 0) await pause(",
    replace: "if (early > WAKE_MS) await pause(",
    specs: ["unit/wake-ups"],
  },
  {
    name: "a client that has left holds a long poll",
    file: "server/node-request.ts",
    find: "if (this.#response.closed) controller.abort();\n      else this",
    replace: "this",
    specs: ["fault/waiting"],
    grep: "leaves before its long poll",
  },
  ...mutantsOf({ file: RULES, specs: ["api/artifact-versions"] }, [
    {
      name: "replaced contents are kept without end",
      find: "WHERE bytes > TG_ARGV[0]::BIGINT",
      replace: "WHERE bytes > TG_ARGV[0]::BIGINT * 1000",
    },
  ]),
];
