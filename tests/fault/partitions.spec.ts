import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { everyOperation } from "../support/operations";
import {
  breaches,
  eventStatements,
  makePartitionedDatabase,
  postgresLog,
  wrongKeys,
} from "../support/partitions";
import { bodyOf, pathOf, queryOf, validRequests } from "../support/requests";

/** `npm run test:partitioned` runs all tests of inboxes and webhooks on such a database. */
test("The event tables can be partitioned: every key and every statement names their parent", async ({
  databaseUrl,
  db,
  key,
  start,
}) => {
  const server = await start({
    DATABASE_URL: await makePartitionedDatabase(databaseUrl),
    DISPATCH_INTERVAL_SECONDS: "1",
    VALIDATE_RESPONSES: "1",
  });
  expect(await wrongKeys(db)).toEqual([]);
  for (const operation of everyOperation) {
    const request = validRequests[operation.id];
    if (!request) throw new Error(`${operation.id} has no valid request.`);
    if (request.spendsKeys || operation.path.startsWith("/api/claim")) continue;
    const resource = await request.kind?.({ api: server.api, db, key });
    const response = await server.api(
      request.method ?? operation.method,
      pathOf(operation, request, resource),
      // Only people answer questions.
      {
        key: operation.id === "answerQuestion" ? undefined : key,
        body: bodyOf(request, resource),
        query: queryOf(request, resource),
      },
    );
    expect(response.status, operation.id).toBe(request.status);
  }
  for (const kind of ["inboxes", "webhooks"]) {
    const { body } = await server.api("POST", `/api/${kind}`, { body: { name: "Public" } });
    const claim = { key, body: { claim_token: body.claim_token } };
    expectStatus(await server.api("POST", `/api/claim/${body.id}`, claim), 200);
  }
  const statements = eventStatements(await postgresLog(db));
  expect(statements.length).toBeGreaterThan(50);
  expect(breaches(statements)).toEqual([]);
});
