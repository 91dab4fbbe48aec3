import { createHash } from "node:crypto";
import { tagOf } from "@/lib/api/tags";
import { documentGroups } from "@/lib/docs/contents";
import { LOCAL, read } from "../support/documents";
import { eachOf, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { connect } from "../support/mcp";
import { everyOperation, examplePath, titleOf } from "../support/operations";
import { pagePaths } from "../support/page-paths";

/** The files that agents, crawlers and npm look for, by the rules of their formats. */

const FILES: Array<[path: string, type: string]> = [
  ["/openapi.json", "application/json"],
  ["/openapi/tasks.json", "application/json"],
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/llms-full.txt", "text/plain; charset=utf-8"],
  ["/skill.md", "text/markdown; charset=utf-8"],
  ["/.well-known/agent-skills/index.json", "application/json"],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
  ["/mcp/server-card", "application/mcp-server-card+json"],
  ["/client.tgz", "application/gzip"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/.well-known/security.txt", "text/plain; charset=utf-8"],
];
test("Each file has its type, may be cached, and is not sent again unchanged", async ({ api }) => {
  await eachOf(FILES, async ([path, type]) => {
    const response = await api("GET", path);
    expectStatus(response, 200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const headers = { "if-none-match": response.headers.need("etag") };
    expectStatus(await api("GET", path, { headers }), 304);
    expectStatus(await api("HEAD", path), 200);
  });
});

test("The skill starts with the front matter that agentskills.io defines", async ({
  api,
  baseUrl,
}) => {
  const { text } = await api("GET", "/skill.md");
  const { name = "", description = "", body } = skillOf(text);
  expect(name).toMatch(/^(?!.*--)[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/);
  expect(description.length).toBeGreaterThan(0);
  expect(description.length).toBeLessThanOrEqual(1024);
  // Plain scalars of YAML, which need no quotes.
  for (const value of [name, description]) expect(value).not.toMatch(/^\W|: | #|:$/);
  expect(body.split("\n").length).toBeLessThan(500);
  expect(body).toContain(`${baseUrl}/mcp`);
});

test("The skills index names the skill with the digest of the bytes at its URL", async ({
  api,
  baseUrl,
}) => {
  const path = "/.well-known/agent-skills/index.json";
  const index: SkillsIndex = JSON.parse((await api("GET", path)).text);
  expect(index.$schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
  expect(index.skills.length).toBeGreaterThan(0);
  for (const skill of index.skills) {
    const url = new URL(skill.url, `${baseUrl}${path}`);
    expect(url.origin).toBe(baseUrl);
    const { bytes, text } = await api("GET", url.pathname);
    expect(skill).toEqual({
      ...{ name: skillOf(text).name, description: skillOf(text).description },
      ...{ type: "skill-md", url: skill.url },
      digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    });
  }
});

test("The AI catalog leads to the skill and to the card of the MCP server, which leads to the server", async ({
  api,
  baseUrl,
}) => {
  const catalog = JSON.parse((await api("GET", "/.well-known/ai-catalog.json")).text);
  const { hostname, origin } = new URL(baseUrl);
  expect(catalog.specVersion).toBe("1.0");
  const entries: CatalogEntry[] = catalog.entries;
  expect(entries.map(({ identifier }) => identifier)).toEqual([
    `urn:air:${hostname}:mcp:agent-infrastructure`,
    `urn:air:${hostname}:skill:agent-infrastructure`,
  ]);
  const found = await Promise.all(
    entries.map(({ url }) => {
      expect(new URL(url).origin).toBe(origin);
      return api("GET", new URL(url).pathname);
    }),
  );
  for (const response of found) expectStatus(response, 200);
  const card = JSON.parse(found[0]?.text ?? "");
  expect(entries[0]?.type).toBe(found[0]?.headers.get("content-type"));
  // The rules of the schema that it names.
  expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(card.description.length).toBeLessThanOrEqual(100);
  expect(card.remotes).toMatchObject([{ type: "streamable-http", url: `${baseUrl}/mcp` }]);
  const client = await connect(baseUrl);
  const { title, version } = card;
  expect(client.getServerVersion()).toMatchObject({ title, version });
  await client.close();
});

test("Every address in the skill is one of this service and exists", async ({ api, baseUrl }) => {
  const { text } = await api("GET", "/skill.md");
  const addresses = [...text.matchAll(/https?:\/\/[^\s'"`),|]*[\w/]/g)].map(
    ([url]) => new URL(url),
  );
  const own = addresses.filter(({ hostname }) => hostname !== "example.com");
  expect(own.filter(({ origin }) => origin !== baseUrl)).toEqual([]);
  const documents = own.filter(({ pathname }) => /\.\w+$/.test(pathname));
  expect(documents.length).toBeGreaterThan(3);
  for (const { pathname } of documents) expectStatus(await api("GET", pathname), 200);
});

test("llms-full.txt starts with llms.txt, and has every page for users and every operation", async ({
  api,
  baseUrl,
}) => {
  const { text } = await api("GET", "/llms-full.txt");
  const short = (await api("GET", "/llms.txt")).text;
  expect(text.slice(0, short.length)).toBe(short);
  const written = documentGroups.filter(({ title }) => title !== "Project");
  for (const { file } of written.flatMap(({ pages }) => pages)) {
    expect.soft(text, file).toContain(read(file).trim().replaceAll(LOCAL, baseUrl));
  }
  for (const operation of everyOperation) {
    expect.soft(text, operation.id).toContain(`\n- \`${titleOf(operation)}\`: `);
  }
});

test("security.txt has the fields of RFC 9116, and expires within a year", async ({
  api,
  baseUrl,
}) => {
  const { text } = await api("GET", "/.well-known/security.txt");
  expect(text).toMatch(/^([A-Z][A-Za-z-]+: \S.*\n)+$/);
  const fields = text
    .trimEnd()
    .split("\n")
    .map((line): [string, string] => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
  const valuesOf = (name: string) =>
    fields.filter(([field]) => field === name).map(([, value]) => value);
  expect(valuesOf("Contact").length).toBeGreaterThan(0);
  for (const contact of valuesOf("Contact")) expect(contact).toMatch(/^(mailto:|https:\/\/|tel:)/);
  expect(valuesOf("Canonical")).toEqual([`${baseUrl}/.well-known/security.txt`]);
  expect(valuesOf("Policy")).toHaveLength(1);
  expect(valuesOf("Preferred-Languages")).toEqual(["en"]);
  const [expires = "", ...others] = valuesOf("Expires");
  expect(others).toEqual([]);
  expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
});

test("robots.txt opens the documents and the home page, and closes everything that belongs to somebody", async ({
  api,
}) => {
  const allows = await crawlerRules(api);
  const documents = everyOperation.filter(
    (one) => one.method === "GET" && tagOf(one) === "Discovery" && !one.path.startsWith("/api/"),
  );
  for (const { path } of documents) expect.soft(allows(examplePath(path)), path).toBe(true);
  for (const path of ["/", "/docs", "/docs/api.md", "/_next/static/chunk.js"]) {
    expect.soft(allows(path), path).toBe(true);
  }
  const rest = everyOperation.filter((operation) => !documents.includes(operation));
  for (const { path } of rest) expect.soft(allows(examplePath(path)), path).toBe(false);
  const pages = pagePaths().filter((path) => path !== "/" && !path.startsWith("/docs"));
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) expect.soft(allows(page), page).toBe(false);
  expect(allows("/?api_key=secret")).toBe(false);
});

interface CatalogEntry {
  identifier: string;
  type: string;
  url: string;
}

interface SkillsIndex {
  $schema: string;
  skills: { name: string; url: string }[];
}

function skillOf(text: string) {
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const fields = front.split("\n").map((line) => /^([a-z-]+): (.*)$/.exec(line) ?? []);
  const named = (name: string) => fields.find(([, field]) => field === name)?.[2];
  return { name: named("name"), description: named("description"), body };
}

/** Whether a crawler may fetch a path: RFC 9309, section 2.2.2, where the longest rule decides. */
async function crawlerRules(api: Api): Promise<(path: string) => boolean> {
  const lines = (await api("GET", "/robots.txt")).text.trimEnd().split("\n");
  expect(lines[0]).toBe("User-agent: *");
  const rules = lines.slice(1).map((line) => {
    const [, kind = "", value = ""] = /^(Allow|Disallow): (\/\S*)$/.exec(line) ?? [];
    expect(kind, line).not.toBe("");
    const pattern = value.replaceAll(/[.?+^()[\]{}|\\]/g, "\\$&").replaceAll("*", ".*");
    return { allows: kind === "Allow", length: value.length, pattern: new RegExp(`^${pattern}`) };
  });
  return (path) => {
    if (path === "/robots.txt") return true; // always allowed
    const matching = rules.filter(({ pattern }) => pattern.test(path));
    const longest = Math.max(...matching.map(({ length }) => length));
    const deciding = matching.filter(({ length }) => length === longest);
    return deciding.length === 0 || deciding.some(({ allows }) => allows);
  };
}
