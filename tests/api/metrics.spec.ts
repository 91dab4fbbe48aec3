import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { openEventStream } from "../support/event-stream";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { samplesOf } from "../support/metrics";
import { everyOperation } from "../support/operations";
import { startTarget } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** Other tests use the server too, so counts are compared from below. */
async function scrape(api: Api) {
  const response = await api("GET", "/metrics");
  expectStatus(response, 200);
  return { text: response.text, samples: samplesOf(response.text) };
}

test("Every request is counted by operation and status, in whichever process it was", async ({
  api,
}) => {
  const counter = 'http_requests_total{operation="getTask",status="404"}';
  const timed = 'http_request_duration_seconds_count{operation="getTask"}';
  const before = (await scrape(api)).samples;
  for (let n = 0; n < 12; n += 1) await api("GET", "/api/tasks/tsk_of_nobody");
  const after = (await scrape(api)).samples;
  // Prometheus sees the first failure only if the counter was there before.
  expect(after.get(counter.replace("404", "500"))).toBeDefined();
  for (const name of [counter, timed]) {
    expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBeGreaterThanOrEqual(12);
  }
});

test("Pages are counted by route", async ({ api }) => {
  const name = 'http_requests_total{operation="/artifacts/[id]",status="404"}';
  const before = (await scrape(api)).samples;
  await api("GET", "/artifacts/art_of_nobody", { headers: { accept: "text/html" } });
  // A page is counted when its connection has taken it.
  await expect
    .poll(async () => (await scrape(api)).samples.get(name) ?? 0)
    .toBeGreaterThan(before.get(name) ?? 0);
});

test("No request can choose the value of a label", async ({ api }) => {
  const chosen = "chosen9by9the9client";
  await api("GET", `/api/${chosen}`);
  await api("GET", `/${chosen}`);
  await api("GET", `/a/${chosen}`);
  await api("GET", `/api/tasks/${chosen}`, { headers: { "user-agent": chosen } });
  await api("PROPFIND", `/api/tasks/${chosen}`);
  const { text, samples } = await scrape(api);
  expect(text).not.toContain(chosen);
  const names = [...samples.keys()].flatMap((name) => /operation="([^"]*)"/.exec(name)?.[1] ?? []);
  const known = new Set(everyOperation.map(({ id }) => id));
  for (const name of new Set(names)) {
    if (!known.has(name)) expect(name).toMatch(/^(none|preflight|file|[a-z_]+|\/[\w/.[\]-]*)$/);
  }
});

test("The text is Prometheus' format, with all that the dashboard and the alerts use", async ({
  api,
}) => {
  const target = await startTarget();
  const message = await api("POST", "/api/messages", {
    body: { url: target.url, delay_seconds: 0 },
  });
  expectStatus(message, 201);
  await api("POST", "/api/messages/dispatch");
  const response = await api("GET", "/metrics");
  await target.stop();
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const sample =
    /^[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="([^"\\\n]|\\.)*"(,[a-zA-Z_]\w*="([^"\\\n]|\\.)*")*\})? \S+$/;
  const lines = response.text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
  expect(lines.filter((line) => !sample.test(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(100);
  const dashboard = JSON.parse(
    readFileSync("deploy/grafana/agent-infrastructure.json", "utf8"),
  ) as Dashboard;
  const { groups } = parseYaml(readFileSync("deploy/prometheus/alerts.yaml", "utf8")) as Alerts;
  // Prometheus makes `up` itself, for each server of a job.
  const [down, ...alerts] = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const [, job] = /job_name: (\S+)/.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  expect(down).toBe(`up{job="${job}"} == 0`);
  expect(alerts).toContain("absent(database_usable)");
  // A server's first failure raises the sum from 0, whichever operation it is of.
  expect(response.text).toMatch(/^http_requests_total\{.*status="500"\} 0$/m);
  expect(alerts.at(-1)).toContain(
    'increase(sum without (operation) (http_requests_total{status="500"})[',
  );
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...alerts,
  ].filter((expr) => !expr.includes("database_replica_lag_seconds")); // only there with a replica
  expect(expressions.length).toBeGreaterThan(10);
  // Declared also before the first sample.
  const declared = [...response.text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  // As promtool checks.
  const misnamed = declared.filter(
    ([, name = "", type]) => name.endsWith("_total") !== (type === "counter"),
  );
  expect(misnamed).toEqual([]);
  const present = new Set(
    declared.flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  for (const expression of expressions) {
    const shown = expression
      .match(/\b[a-z]\w*_[a-z]\w*(?=[{[)]| |$)/g)
      ?.filter((name) => !QUERY.has(name));
    expect(shown, expression).not.toHaveLength(0);
    for (const name of shown ?? []) expect(present, expression).toContain(name);
  }
});

interface Dashboard {
  panels: { targets?: { expr: string }[] }[];
}

interface Alerts {
  groups: { rules: { expr: string }[] }[];
}

/** Words of the queries that name no metric. */
const QUERY = new Set(["histogram_quantile", "by_operation"]);

test("Long polls and streams are counted while they wait", async ({ api, baseUrl }) => {
  const { id } = await makeEndpoint(api);
  const stream = await openEventStream(baseUrl, `/api/webhooks/${id}/events/stream`);
  const poll = api("GET", `/api/webhooks/${id}/events`, { query: { since: "wev_0", wait: 20 } });
  await expect
    .poll(async () => {
      const { samples } = await scrape(api);
      return ["poll", "stream"].map(
        (kind) => (samples.get(`waiting_requests{kind="${kind}"}`) ?? 0) > 0,
      );
    })
    .toEqual([true, true]);
  stream.close();
  await capture(api, id);
  await poll;
});

test("Only programs on the same machine see the metrics of local mode", async ({ api }) => {
  const elsewhere = { "x-forwarded-for": "203.0.113.9" };
  const page = { origin: "https://elsewhere.example" };
  const rebound = { host: "rebound.example:3000" };
  const read = { "sec-fetch-site": "same-origin" };
  for (const headers of [elsewhere, page, rebound, read]) {
    expectError(await api("GET", "/metrics", { headers }), 404, "route_not_found");
  }
});
