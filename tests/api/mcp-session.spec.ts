import { expect } from "../support/fixtures";
import { REVISIONS, test } from "../support/mcp";
import { fiveJobs } from "../support/mcp-session";

for (const revision of REVISIONS) {
  test(`The SDK's client does all five jobs from the URL alone (${revision})`, async ({
    baseUrl,
  }) => {
    const steps = await fiveJobs(baseUrl, revision);
    const [, ...calls] = steps;
    expect(calls.map(({ requests }) => requests)).toEqual(calls.map(() => 1));
    const [, list, ...tools] = steps;
    expect(list?.received).toBeLessThan(25_000);
    for (const { what, received } of tools) expect(received, what).toBeLessThan(5000);
  });
}
