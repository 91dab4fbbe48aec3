import { expectStatus } from "../support/expectations";
import { expect } from "../support/fixtures";
import { callTool, REVISIONS, test } from "../support/mcp";
import { pause } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

for (const revision of REVISIONS) {
  test(`A wait reports progress and ends with the event (${revision})`, async ({
    api,
    connect,
  }) => {
    const client = await connect({ revision });
    const { id } = await makeEndpoint(api);
    const reports: { progress: number; total?: number | undefined }[] = [];
    let captured: Promise<string> | undefined;
    const result = await client.callTool(
      { name: "wait", arguments: { id, wait: 20 } },
      {
        onprogress(report) {
          reports.push(report);
          captured ??= capture(api, id, { raw: "here" });
        },
      },
    );
    expect(reports[0]).toMatchObject({ progress: 0, total: 20 });
    expect(result.structuredContent).toMatchObject({
      data: [{ id: await captured, body: "here" }],
    });
  });

  test(`A cancelled wait takes no work (${revision})`, async ({ api, connect }) => {
    const client = await connect({ revision });
    const { id } = await callTool(client, "create_inbox", { name: "Cancelled" });
    for (let round = 0; round < 2; round += 1) {
      const controller = new AbortController();
      const waiting = client.callTool(
        { name: "receive_work", arguments: { id, wait_seconds: 20 } },
        { signal: controller.signal, onprogress: () => controller.abort() },
      );
      await expect(waiting).rejects.toThrow();
    }
    await client.close();
    await pause(1000);
    // By this answer a busy server, too, has noticed that the connections are closed.
    expectStatus(await api("GET", "/livez"), 200);
    await api("POST", `/api/inboxes/${id}/events`, { raw: "work" });
    const received = await api("POST", `/api/inboxes/${id}/events/receive`, {
      body: { wait_seconds: 5 },
    });
    expect(received.body.data).toMatchObject([{ body: "work", delivery_count: 1 }]);
  });
}
