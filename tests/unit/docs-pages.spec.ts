import { expect, test } from "playwright/test";
import { operations } from "@/lib/api/registry";
import { slugOf, tagOf } from "@/lib/api/tags";
import { documentPages } from "@/lib/docs/contents";
import { codesOf } from "@/lib/docs/site/errors";
import { anchorOf, renderMarkdown } from "@/lib/docs/site/markdown";
import { buildPages, searchEntries } from "@/lib/docs/site/pages";
import { repositoryFiles } from "@/lib/docs/site/repository-files";
import { buildSearch, openSearch } from "@/lib/docs/site/search";
import { errorCodes } from "@/lib/platform/errors";
import { documents, section } from "../support/documents";
import { unescaped } from "../support/forms";

/** The pages of /docs, as the build makes them. */

const pages = buildPages(repositoryFiles, operations);
const byPath = new Map(pages.map((page) => [page.path, page]));

test("Every file of docs/ has a page with one title, or is for contributors only", () => {
  const names = ["architecture", "benchmarks", "decisions", "design", "proof"];
  const forContributors = names.map((name) => `docs/${name}.md`);
  const listed = [...documentPages.map(({ file }) => file), ...forContributors];
  const inDocs = documents.filter((file) => file.startsWith("docs/"));
  expect(inDocs.filter((file) => !listed.includes(file))).toEqual([]);
  const contributing = repositoryFiles.read("CONTRIBUTING.md");
  for (const file of forContributors) expect(contributing).toContain(`](${file})`);
  for (const { slug, file } of documentPages) {
    const page = byPath.get(`/docs/${slug}`);
    expect(page?.markdown, file).toBe(repositoryFiles.read(file));
    expect(page?.html.match(/<h1 /g), file).toHaveLength(1);
  }
});

test("Every link of a page leads to a page, a section or a path of the service", () => {
  const paths = new Set(operations.map(({ path }) => path));
  const broken = pages.flatMap(({ path: from, html }) => {
    const links = Array.from(html.matchAll(/ href="([^"]*)"/g), ([, href = ""]) => href);
    return links.filter((href) => !leads(href, from, paths)).map((href) => ({ from, href }));
  });
  expect(broken).toEqual([]);
});

function leads(href: string, from: string, paths: ReadonlySet<string>): boolean {
  if (/^(?:https?:|mailto:)/.test(href)) return true;
  const [target = "", fragment] = href.split("#");
  const page = byPath.get(target === "" ? from : target);
  if (!page) return paths.has(target) || target === "/";
  return fragment === undefined || page.html.includes(` id="${decodeURIComponent(fragment)}"`);
}

test("Anchors are unique, and no page shows markup as text", () => {
  for (const { path, html, sections } of pages) {
    const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size, path).toBe(ids.length);
    expect(
      sections.filter(({ text }) => /undefined|\[object/.test(text)),
      path,
    ).toEqual([]);
  }
});

test("A code block keeps its text, and its language decides what is coloured", () => {
  const CASES: Array<[language: string, code: string, coloured: string[]]> = [
    ["sh", `export A="<b>" # it's ours`, ["export", '"<b>"', "# it's ours"]],
    ["json", '{"a": [true, 12, "b & c"]}', ['"a"', "true", "12", '"b & c"']],
    ["ts", 'const a = "b"; // c', ["const", '"b"', "// c"]],
    ["go", "func main() { return 12 }", ["func", "return", "12"]],
    ["yaml", 'a: "b" # c', ['"b"', "# c"]],
    ["http", 'GET /"a" HTTP/1.1', []],
  ];
  const surroundings = { link: () => undefined, image: () => ({ src: "", width: 1, height: 1 }) };
  for (const [language, code, coloured] of CASES) {
    const { html } = renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``, surroundings);
    const [, shown = ""] = /<code>(.*?)<\/code>/s.exec(html) ?? [];
    expect(unescaped(shown.replaceAll(/<[^>]*>/g, "")), language).toBe(code);
    const parts = shown.matchAll(/<span class="code-[a-z]+">(.*?)<\/span>/gs);
    expect(
      Array.from(parts, ([, part = ""]) => unescaped(part).trim()),
      language,
    ).toEqual(coloured);
  }
});

for (const operation of operations) {
  const { id, method, path, summary, body, query, description } = operation;
  test(`The reference describes ${id} with its fields, errors and examples`, () => {
    const page = byPath.get(`/docs/reference/${slugOf(tagOf(operation))}`);
    const [, after = ""] = page?.markdown.split(`\n## ${summary}\n`) ?? [];
    const section = after.split("\n## ")[0] ?? "";
    expect(page?.sections.map(({ heading }) => heading.id)).toContain(anchorOf(summary));
    expect(section).toContain(`\`${method} ${path}\``);
    if (description) expect(section).toContain(description.replaceAll("<", "&lt;").slice(0, 40));
    const fields = [...Object.keys(body?.shape ?? {}), ...Object.keys(query?.shape ?? {})];
    const parts = [
      ...fields.map((field) => `- **\`${field}\`** *`),
      ...codesOf(operation, operations).map((code) => `(/docs/errors.md#${code})`),
      "```sh curl\ncurl ",
      "```ts TypeScript\n",
    ];
    expect(parts.filter((part) => !section.includes(part))).toEqual([]);
  });
}

test("Every error code has a section that says what to do", () => {
  const sections = byPath.get("/docs/errors")?.sections ?? [];
  for (const code of errorCodes) {
    const section = sections.find(({ heading }) => heading.id === code);
    expect(section?.text, code).toMatch(/^\d{3}\. .+ What to do: .+/);
  }
});

test("The reference and the errors page name the status that an agent-auth endpoint answers", () => {
  const { markdown: reference = "" } = byPath.get("/docs/reference/agent-auth") ?? {};
  const sectionOf = (summary: string) => section(reference, `## ${summary}`);
  const revocation = sectionOf("Revoke a user's agents");
  const rejections = ["invalid_issuer", "invalid_signature", "invalid_audience", "expired"];
  for (const code of [...rejections, "replay_detected"]) {
    expect(sectionOf("Register an agent")).toContain(`- 401 [\`${code}\`]`);
    expect(revocation).toContain(`- 400 [\`${code}\`]`);
  }
  const claims = ["Start or resend the claim of an agent", "Complete the claim of an agent"];
  for (const claim of claims.map(sectionOf)) {
    expect(claim).toContain("- 404 [`invalid_claim_token`]");
    expect(claim).not.toContain("resource_not_found");
  }
  expect(reference).not.toContain("payload_too_large");
  const errors = byPath.get("/docs/errors")?.markdown ?? "";
  expect(section(errors, "## `invalid_claim_token`")).toMatch(/\*\*403\*\*.* \(404\)[,.]/s);
  expect(section(errors, "## `expired`")).toMatch(/\*\*401\*\*.* \(400\)[,.]/s);
});

test("The errors page names every operation that returns one of the rarer codes", () => {
  const errors = byPath.get("/docs/errors")?.markdown ?? "";
  const target = ["Schedule a message", "Create a schedule", "Replay a captured request"];
  const CASES: [code: string, summaries: string[]][] = [
    ["url_not_allowed", [...target, "Replay many events", "Ask a person"]],
    ["header_not_allowed", [...target, "Forward captured events"]],
    ["invalid_claim_token", ["Create a task", "Add and remove labels", "Claim everything at once"]],
    ["resource_already_claimed", ["Create a task", "Claim a public resource"]],
  ];
  for (const [code, summaries] of CASES) {
    const from = section(errors, `## \`${code}\``).split("**From**: ")[1];
    for (const summary of summaries) expect(from, code).toContain(`[${summary}](`);
  }
  expect(section(errors, "## `rate_limited`")).not.toContain("**From**");
});

test("Agents of a revoked registration, and of a server without email, are told what to do", () => {
  const errors = byPath.get("/docs/errors")?.markdown ?? "";
  const { markdown: agentAuth = "" } = byPath.get("/docs/agent-auth") ?? {};
  for (const [code, advice] of [
    ["claimed_or_in_flight", "register again"],
    ["mail_unavailable", "`MAIL_TRANSPORT=none` that never helps"],
  ] as const) {
    expect(section(errors, `## \`${code}\``)).toContain(advice);
    expect(agentAuth).toMatch(new RegExp(`\`${code}\` \\| .*${advice}`));
  }
});

const QUESTIONS: [question: string, page: string][] = [
  ["how do I get an API key", "/docs/accounts"],
  ["idempotency key reused", "/docs/errors#idempotency_key_reused"],
  ["forward webhooks to localhost", "/docs/guides/catch-a-webhook"],
  ["call me in an hour", "/docs/guides/call-me-back"],
  ["verify webhook signature", "/docs/guides/verify-signature"],
  ["rate limit", "/docs/limits"],
  ["lease next task", "/docs/reference/tasks"],
  ["invalid_param", "/docs/errors#invalid_param"],
  ["lease_lost", "/docs/errors#lease_lost"],
  ["dead letters", "/docs/inboxes#guarantees"],
  ["redrive dead events", "/docs/reference/inboxes#redrive-dead-events"],
  ["share link revoke", "/docs/artifacts"],
  ["nginx", "/docs/deployment"],
  ["backup the database", "/docs/operations"],
  ["WEB_CONCURRENCY", "/docs/configuration"],
  ["anonymous registration", "/docs/agent-auth"],
  ["schedule a message", "/docs/reference/messages#schedule-a-message"],
  ["fencing token", "/docs/tasks#guarantees"],
  ["stream events", "/docs/reference/webhooks#stream-events-as-they-are-captured"],
];

const search = openSearch(buildSearch(searchEntries(pages)));

test("The search answers questions on its first screen", () => {
  const missed = QUESTIONS.flatMap(([question, expected]) => {
    const found = search(question)
      .slice(0, 5)
      .map(({ id }) => id);
    return found.some((id) => id.startsWith(expected)) ? [] : [{ question, found }];
  });
  expect(missed).toEqual([]);
  expect(search("zzqqxx")).toEqual([]);
});

test("The search finds something for every heading of the documentation", () => {
  const titles = new Set(searchEntries(pages).map(({ title }) => title));
  expect(titles.size).toBeGreaterThan(300);
  expect([...titles].filter((title) => search(title).length === 0)).toEqual([]);
});

/** Words as people type them, and the section that they look for. */
const WORDS: [words: string, section: string][] = [
  ["pagination", "/docs/api#pagination"],
  ["CORS", "/docs/api#cors"],
  ["idempotency", "/docs/api#idempotency"],
  ["etag", "/docs/api#etags"],
  ["prisma", "/docs/database#prisma"],
  ["401", "/docs/troubleshooting#401-with-a-good-key"],
  ["401 with a good key", "/docs/troubleshooting#401-with-a-good-key"],
  ["429", "/docs/troubleshooting#429"],
  ["no message arrives", "/docs/troubleshooting#no-message-arrives"],
  ["claim link does not work", "/docs/troubleshooting#the-claim-link-does-not-work"],
  ["URL says localhost", "/docs/troubleshooting#urls-say-localhost"],
  ["FAQ", "/docs/troubleshooting"],
  ["docker", "/docs/deployment#containers"],
  ["kubernetes", "/docs/deployment#containers"],
  ["env", "/docs/configuration"],
  ["environment variables", "/docs/configuration"],
  ["vercel", "/docs/vercel"],
  ["uninstall", "/docs/database#where-the-data-is"],
  ["deprecation", "/docs/versioning#deprecation"],
  ["breaking changes", "/docs/versioning#what-may-change"],
  ["limit", "/docs/limits"],
  ["rate limit", "/docs/limits"],
  ["message", "/docs/messages"],
  ["inbox", "/docs/inboxes"],
  ["schedule", "/docs/schedules"],
  ["artifact", "/docs/artifacts"],
  ["key", "/docs/accounts#api-keys"],
  ["label", "/docs/tasks#labels"],
  ["replay", "/docs/webhooks#replay"],
  ["share", "/docs/artifacts#share-links"],
];

test("The search shows the section that the words are for first or second", () => {
  const missed = WORDS.flatMap(([words, section]) => {
    const found = search(words).slice(0, 2);
    return found.some(({ id }) => id === section) ? [] : [{ words, found }];
  });
  expect(missed.map(({ words, found }) => `${words}: ${found.map(({ id }) => id)}`)).toEqual([]);
});
