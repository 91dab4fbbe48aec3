import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { whileUncommitted } from "../support/locks";
import { rowsOf } from "../support/rows";
import { pause } from "../support/servers";

/** Share links: one artifact, for anyone with the link, until it ends. */

test("A share link shows an owned artifact to anyone, and nothing else", async ({
  api,
  baseUrl,
  organization,
  key,
}) => {
  const content = "# Title\n\ntext";
  const { id, url } = await share(api, key, { content });
  expect(url.startsWith(`${baseUrl}/a/`)).toBe(true);
  const path = new URL(url).pathname;
  expect(path).toMatch(/^\/a\/[0-9A-Za-z]{40,}$/);
  expect(path).not.toContain(id.slice(4));

  const page = await api("GET", path);
  expectStatus(page, 200);
  expect(page.headers.get("content-type")).toMatch(/^text\/html\b/);
  expect(page.headers.get("x-robots-tag")).toMatch(/noindex/);
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("cache-control")).toMatch(/no-store/);
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
  expect(page.text).toMatch(/<meta name="robots" content="noindex, nofollow"/);
  expect(page.text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(page.text).not.toContain(organization.id);
  expect(page.text).not.toContain(id);

  const raw = await api("GET", `${path}/raw`);
  expectStatus(raw, 200);
  expect(raw.text).toBe(content);
  expect(Object.fromEntries(raw.headers.pairs)).toMatchObject({
    "content-type": "text/markdown; charset=utf-8",
    "content-security-policy": "sandbox",
    "cache-control": "private, no-cache",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });
  const download = await api("GET", `${path}/raw`, { query: { download: 1 } });
  expect(download.headers.get("content-disposition")).toMatch(/^attachment; filename="Shared.md"/);

  const view = await api("GET", `${path}/view`);
  expectStatus(view, 200);
  expect(view.text).toContain('<h1 id="title">Title</h1>');
  const policy = view.headers.need("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("sandbox allow-popups allow-popups-to-escape-sandbox");
  expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
});

test("An HTML artifact is shown in a frame that may only run scripts", async ({ api, key }) => {
  const { url } = await share(api, key, { format: "html", content: "<p>x" });
  const path = new URL(url).pathname;
  expect((await api("GET", path)).text).toContain('sandbox="allow-scripts"');
  const view = await api("GET", `${path}/view`);
  expect(view.text).toMatch(/^<p>x\n<script>[^<]*documentHeight[^<]*<\/script>$/);
  for (const each of [view, await api("GET", `${path}/raw`)]) {
    expect(each.headers.get("content-security-policy")).toBe(
      "sandbox allow-scripts allow-forms allow-popups allow-modals",
    );
    expect(each.headers.get("x-frame-options")).toBeNull();
  }
});

test("A share link shows the current version", async ({ api, key }) => {
  const { id, url } = await share(api, key);
  const path = new URL(url).pathname;
  const body = { name: "<b>New & name</b>", content: "new", format: "html" };
  await api("PATCH", `/api/artifacts/${id}`, { key, body });
  expect((await api("GET", `${path}/raw`)).text).toBe("new");
  const page = (await api("GET", path)).text;
  expect(page).toContain("&lt;b&gt;New &amp; name&lt;/b&gt;");
  expect(page).not.toContain("<b>New");
});

test("expires_in is one second to 366 days or absent, and the body is optional", async ({
  api,
  key,
}) => {
  const { id } = await share(api, key);
  const path = `/api/artifacts/${id}/share`;
  const plain = [await api("POST", path, { key }), await api("POST", path, { key, body: {} })];
  plain.push(await api("POST", path, { key, body: { expires_in: null } }));
  for (const response of plain) {
    expectStatus(response, 200);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^shr_/),
      object: "artifact_share",
      artifact_id: id,
      url: expect.stringMatching(/\/a\/\w+$/),
      share_url: response.body.url,
      survives_claim: true,
      expires_at: null,
      created_at: expect.any(Number),
    });
  }
  expect(new Set(plain.map(({ body }) => body.url)).size).toBe(3);
  for (const expires_in of [1, 31_622_400]) {
    const response = await api("POST", path, { key, body: { expires_in } });
    expectStatus(response, 200);
    expect(response.body.expires_at).toBe(response.body.created_at + expires_in);
  }
  for (const expires_in of [31_622_401, 0, -1, 60.5, "60", 1e300]) {
    const response = await api("POST", path, { key, body: { expires_in } });
    expectError(response, 400, "invalid_param", "expires_in");
  }
  expectError(await api("POST", path, { key, raw: "[]" }), 400, "invalid_json");
});

test("A dead link says whether it expired, was revoked or lost its artifact", async ({
  api,
  db,
  key,
}) => {
  const expired = await share(api, key);
  const { rowCount } = await db.query(
    "UPDATE artifact_shares SET expires_at = unix_now() WHERE artifact_id = $1",
    [expired.id],
  );
  expect(rowCount).toBe(1);
  await expectNothing(api, expired.url, "has expired");

  const revoked = await share(api, key);
  const second = await api("POST", `/api/artifacts/${revoked.id}/share`, { key });
  const gone = await api("DELETE", `/api/artifacts/${revoked.id}/share`, { key });
  expectStatus(gone, 204);
  await expectNothing(api, revoked.url, "was revoked");
  await expectNothing(api, second.body.url, "was revoked");
  const third = await api("POST", `/api/artifacts/${revoked.id}/share`, { key });
  expectStatus(await api("GET", new URL(third.body.url).pathname), 200);

  const deleted = await share(api, key);
  await api("DELETE", `/api/artifacts/${deleted.id}`, { key });
  await expectNothing(api, deleted.url, "was deleted");
  await api("DELETE", `/api/artifacts/${revoked.id}`, { key });
  await expectNothing(api, revoked.url, "was revoked");
  await expectNothing(api, third.body.url, "was deleted");
});

test("After 90 days a dead link gives no reason", async ({ api, db, key }) => {
  const old = await share(api, key);
  const deleted = await share(api, key);
  const recent = await share(api, key);
  const lately = await share(api, key);
  await api("DELETE", `/api/artifacts/${deleted.id}`, { key });
  await db.query(
    "UPDATE artifact_shares SET created_at = unix_now() - $2::bigint WHERE artifact_id = $1",
    [lately.id, 91 * 86_400],
  );
  await api("DELETE", `/api/artifacts/${lately.id}`, { key });
  const DAYS: Array<[token: string, days: number]> = [
    [old.url, 91],
    [deleted.url, 91],
    [recent.url, 89],
  ];
  for (const [url, days] of DAYS) {
    await db.query(
      `UPDATE artifact_shares SET created_at = unix_now() - $2::bigint,
         expires_at = CASE WHEN artifact_id IS NOT NULL THEN unix_now() - $2::bigint END
       WHERE id = $1`,
      [`shr_${new URL(url).pathname.slice(3, -32)}`, days * 86_400],
    );
  }
  for (const { url } of [old, deleted]) {
    await expect
      .poll(async () => {
        await db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
        await api("POST", "/api/messages/dispatch");
        return (await api("GET", `${new URL(url).pathname}/raw`)).body.error.message;
      })
      .toBe("This share link no longer works.");
  }
  await expectNothing(api, recent.url, "has expired");
  await expectNothing(api, lately.url, "document behind this share link was deleted");
});

test("A claim revokes links that others created before it, and they say so", async ({
  api,
  key,
}) => {
  const { id, url, claim_token } = await share(api);
  expectStatus(await api("GET", new URL(url).pathname), 200);
  await claim(api, key, id, claim_token);
  await expectNothing(api, url, "claimed");
  expect((await listShares(api, id, key)).data).toEqual([]);
  const made = await api("POST", `/api/artifacts/${id}/share`, { key });
  expectStatus(await api("GET", new URL(made.body.url).pathname), 200);
  await expectNothing(api, url, "claimed");
  // Revoking all links does not change the reason of links that ended before.
  expectStatus(await api("DELETE", `/api/artifacts/${id}/share`, { key }), 204);
  await expectNothing(api, url, "claimed");
  await expectNothing(api, made.body.url, "was revoked");
});

test("The creator's links survive a claim, and the new owner can list and revoke them", async ({
  api,
  key,
}) => {
  const created = await api("POST", "/api/artifacts", {
    query: { share: "true" },
    body: { name: "Shared", content: "shared" },
  });
  expectStatus(created, 201);
  const { id, claim_token, share_url } = created.body;
  const path = `/api/artifacts/${id}/share`;
  const made = await api("POST", path, { body: { claim_token, expires_in: 3600 } });
  expectStatus(made, 200);
  expect(JSON.stringify(made.body)).not.toContain(claim_token);
  const stranger = await api("POST", path);
  expect((await listShares(api, id)).data.map((one) => one.survived_claim)).toEqual([
    false,
    false,
    false,
  ]);

  await claim(api, key, id, claim_token);
  for (const url of [share_url, made.body.url]) {
    expect((await api("GET", `${new URL(url).pathname}/raw`)).text).toBe("shared");
  }
  await expectNothing(api, stranger.body.url, "claimed");

  const { data } = await listShares(api, id, key);
  const [newest, oldest] = data;
  expect(data).toHaveLength(2);
  expect(newest).toEqual({
    id: made.body.id,
    object: "artifact_share",
    artifact_id: id,
    survived_claim: true,
    survives_claim: true,
    expires_at: made.body.expires_at,
    created_at: made.body.created_at,
  });
  const one = `/api/artifacts/${id}/shares/${oldest?.id}`;
  expectError(await api("DELETE", one), 403, "forbidden");
  expectStatus(await api("DELETE", one, { key }), 204);
  await expectNothing(api, share_url, "was revoked");
  expectStatus(await api("GET", new URL(made.body.url).pathname), 200);
  expectError(await api("DELETE", one, { key }), 404, "resource_not_found");
  expect((await listShares(api, id, key)).data.map((link) => link.id)).toEqual([made.body.id]);

  // The token is spent: its holder cannot create further links.
  expectError(await api("POST", path, { body: { claim_token } }), 403, "forbidden");
});

test("The list of links shows no URLs, so others cannot take a link that survives a claim", async ({
  api,
}) => {
  const { id, url, claim_token } = await share(api);
  await api("POST", `/api/artifacts/${id}/share`, { body: { claim_token } });
  const listed = await api("GET", `/api/artifacts/${id}/shares`, { query: { limit: 1 } });
  expectStatus(listed, 200);
  expect(listed.body.has_more).toBe(true);
  expect(listed.text).not.toContain("/a/");
  expect(listed.text).not.toContain(url.slice(-32));
});

test("A link can be revoked only under its own artifact", async ({
  api,
  organization,
  key,
  otherOrganization,
}) => {
  const mine = await share(api, key);
  const theirs = await share(api, otherOrganization.key);
  const [link] = (await listShares(api, theirs.id, otherOrganization.key)).data;
  const listed = await api("GET", `/api/artifacts/${theirs.id}/shares`, { key });
  expectError(listed, 403, "forbidden");
  for (const [artifact, status] of [
    [mine.id, 404],
    [theirs.id, 403],
  ] as const) {
    const response = await api("DELETE", `/api/artifacts/${artifact}/shares/${link?.id}`, { key });
    expectStatus(response, status);
  }
  expectStatus(await api("GET", new URL(theirs.url).pathname), 200);
  const unknown = await api("DELETE", `/api/artifacts/${mine.id}/shares/shr_x`, { key });
  expectError(unknown, 404, "resource_not_found");
  const readOnly = { key: organization.readKey };
  const [own] = (await listShares(api, mine.id, organization.readKey)).data;
  const refused = await api("DELETE", `/api/artifacts/${mine.id}/shares/${own?.id}`, readOnly);
  expectError(refused, 403, "insufficient_scope");
});

test("A claim token for an owned artifact is refused, and does not count as an attempt", async ({
  api,
  key,
}) => {
  const owned = await share(api, key);
  const { claim_token } = await share(api);
  const path = `/api/artifacts/${owned.id}/share`;
  for (let tries = 0; tries < 31; tries += 1) {
    const response = await api("POST", path, { key, body: { claim_token } });
    expectError(response, 400, "resource_not_claimable", "claim_token");
  }
  expect((await listShares(api, owned.id, key)).data).toHaveLength(1);
  expectError(await api("POST", path, { body: { claim_token } }), 403, "forbidden");
});

test("An artifact has at most 100 links that work", async ({ api, db, key }) => {
  const { id } = await share(api, key);
  const path = `/api/artifacts/${id}/share`;
  await db.query(
    `INSERT INTO artifact_shares (id, artifact_id, organization_id, expires_at)
     SELECT 'shr_' || md5($1::text || n), $1, organization_id, CASE WHEN n > 98 THEN unix_now() END
     FROM artifacts, generate_series(1, 99) AS n WHERE id = $1`,
    [id],
  );
  const last = await api("POST", path, { key });
  expectStatus(last, 200);
  expectError(await api("POST", path, { key }), 400, "invalid_param", "id");
  expectStatus(await api("DELETE", `${path}s/${last.body.id}`, { key }), 204);
  expectStatus(await api("POST", path, { key }), 200);
});

test("An artifact remembers its newest 1000 links that ended", async ({ api, db, key }) => {
  const { id } = await share(api, key);
  await db.query(
    `INSERT INTO artifact_shares (id, artifact_id, organization_id, expires_at)
     SELECT 'shr_' || md5($1::text || n), $1, organization_id, unix_now() - n
     FROM artifacts, generate_series(1, 1100) AS n WHERE id = $1`,
    [id],
  );
  const path = `/api/artifacts/${id}/share`;
  expectStatus(await api("POST", path, { key, body: { expires_in: 3600 } }), 200);
  const { rows } = await db.query(
    `SELECT count(*)::int AS links, max(expires_at) - min(expires_at) AS seconds
     FROM artifact_shares WHERE artifact_id = $1 AND expires_at <= unix_now()`,
    [id],
  );
  expect(rows).toEqual([{ links: 1000, seconds: "999" }]);
  expect((await listShares(api, id, key)).data).toHaveLength(2);
});

test("Strangers cannot use up the links of an artifact's creator", async ({ api, db }) => {
  const { id, claim_token } = await share(api);
  const path = `/api/artifacts/${id}/share`;
  await db.query(
    `INSERT INTO artifact_shares (id, artifact_id)
     SELECT 'shr_' || md5($1::text || n), $1 FROM generate_series(1, 99) AS n`,
    [id],
  );
  expectError(await api("POST", path), 400, "invalid_param", "id");
  expectStatus(await api("POST", path, { body: { claim_token } }), 200);
});

test("A link that a stranger creates while a claim commits is refused", async ({
  api,
  db,
  organization,
  key,
}) => {
  const { id } = await share(api);
  const statements = [
    `SELECT FROM artifacts WHERE id = '${id}' FOR UPDATE`,
    `UPDATE artifacts SET organization_id = '${organization.id}' WHERE id = '${id}'`,
  ];
  const response = await whileUncommitted(db, statements, "INSERT INTO artifact_shares", () =>
    api("POST", `/api/artifacts/${id}/share`),
  );
  expectError(response, 403, "forbidden");
  const { data } = await listShares(api, id, key);
  expect(data.filter((one) => !one.survived_claim)).toEqual([]);
});

test("A revocation of all links also revokes those of an artifact that is claimed before it writes", async ({
  api,
  db,
  organization,
  key,
}) => {
  const body = { name: "Shared", content: "shared" };
  const { id } = (await api("POST", "/api/artifacts", { query: { share: "true" }, body })).body;
  // The revocation has read the owner when it waits for the table.
  const statements = [
    "LOCK TABLE artifact_shares IN EXCLUSIVE MODE",
    `UPDATE artifacts SET organization_id = '${organization.id}' WHERE id = '${id}'`,
  ];
  const response = await whileUncommitted(db, statements, "WITH revoked AS", () =>
    api("DELETE", `/api/artifacts/${id}/share`, { key }),
  );
  expectStatus(response, 204);
  expect((await listShares(api, id, key)).data).toEqual([]);
});

test("Of links created during a claim, only those with the token survive it", async ({
  api,
  key,
}) => {
  for (let round = 0; round < 2; round += 1) {
    const { id, claim_token } = await share(api);
    const path = `/api/artifacts/${id}/share`;
    const responses = await Promise.all([
      ...Array.from({ length: 5 }, () => api("POST", path)),
      claim(api, key, id, claim_token),
      ...Array.from({ length: 5 }, () => api("POST", path, { body: { claim_token } })),
    ]);
    const [strangers, creators] = [responses.slice(0, 5), responses.slice(6)];
    for (const { status, body } of strangers) {
      if (status === 200) await expectNothing(api, body.url, "claimed");
      else expect(status).toBe(403);
    }
    const working = creators.filter(({ status }) => status === 200).map(({ body }) => body.id);
    const { data } = await listShares(api, id, key);
    expect(data.map((one) => one.id).sort()).toEqual(working.sort());
  }
});

test("share must be true or false", async ({ api, key }) => {
  const body = { name: "x", content: "x" };
  const owned = await api("POST", "/api/artifacts", { key, query: { share: "true" }, body });
  expectStatus(await api("GET", new URL(owned.body.share_url).pathname), 200);
  expect(owned.body).not.toHaveProperty("claim_token");
  const plain = await api("POST", "/api/artifacts", { query: { share: "false" }, body });
  expectStatus(plain, 201);
  expect(plain.body).not.toHaveProperty("share_url");
  for (const share of ["yes", "", "TRUE"]) {
    const response = await api("POST", "/api/artifacts", { query: { share }, body });
    expectError(response, 400, "invalid_param", "share");
  }
});

test("A link cannot be forged with a different signature or that of another link", async ({
  api,
  db,
  key,
}) => {
  const { id, url } = await share(api, key);
  const other = await share(api, key);
  const token = new URL(url).pathname.slice(3);
  const otherToken = new URL(other.url).pathname.slice(3);
  const row = await rowsOf(db).artifactShare.findFirstOrThrow({ where: { artifact_id: id } });
  const stored = row.id.slice(4);
  expect(token.startsWith(stored)).toBe(true);
  expect(token.length - stored.length).toBe(32);
  for (const forged of [
    stored,
    stored + "0".repeat(32),
    stored + otherToken.slice(-32),
    token.toUpperCase(),
    `${token}0`,
    token.slice(0, -1),
    "x",
    "%00",
    "x".repeat(5000),
  ]) {
    await expectNothing(api, `http://x/a/${forged}`, "not a valid share link");
  }
});

test("Hostile Markdown is rendered within seconds without delaying other requests", async ({
  api,
}) => {
  // One has a megabyte. Of the others, a small part shows just as well whether they take long.
  const bombs = [
    "[".repeat(1_000_000),
    "*a **a".repeat(15_000),
    `${">".repeat(40_000)}a`,
    Array.from({ length: 350 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
    `|${"a|".repeat(10_000)}\n|${"-|".repeat(10_000)}\n${"|b\n".repeat(300)}`,
    "<div>".repeat(20_000),
    "<table><tr><td>".repeat(5000),
    "# a\n".repeat(50_000),
  ];
  let slowest = 0;
  let over = false;
  const others = (async () => {
    while (!over) {
      const started = performance.now();
      expectStatus(await api("GET", "/api/tasks"), 200);
      slowest = Math.max(slowest, performance.now() - started);
      await pause(50);
    }
  })();
  for (const content of bombs) {
    const { url } = await share(api, undefined, { content });
    const path = `${new URL(url).pathname}/view`;
    const started = performance.now();
    const view = await api("GET", path);
    expectStatus(view, 200);
    expect(view.text).toContain("</html>");
    await expectWithin(api, 10_000, performance.now() - started, content.slice(0, 20));
    // The second time it is cached.
    const again = performance.now();
    expect((await api("GET", path)).text).toBe(view.text);
    await expectWithin(api, 3000, performance.now() - again, content.slice(0, 20));
  }
  over = true;
  await others;
  await expectWithin(api, 10_000, slowest);
});

async function share(api: Api, key?: string, fields: Record<string, string> = {}) {
  const body = { name: "Shared", content: "shared", ...fields };
  const made = await api("POST", "/api/artifacts", { key, body });
  expectStatus(made, 201);
  const { id, claim_token } = made.body;
  const response = await api("POST", `/api/artifacts/${id}/share`, { key });
  expectStatus(response, 200);
  return { id, claim_token, url: response.body.url };
}

/** Expects page and API to refuse the link with this reason. */
async function expectNothing(api: Api, url: string, why: string) {
  const path = url.slice(url.indexOf("/a/"));
  const page = await api("GET", path, { headers: { accept: "text/html" } });
  expectStatus(page, 404);
  // Without scripts, too.
  const [, text] =
    /<main[^>]*>(.*?)<\/main>/s.exec(page.text.replaceAll(/<script.*?<\/script>/gs, "")) ?? [];
  expect(text).toContain(why);
  expect(page.headers.get("x-robots-tag")).toMatch(/noindex/);
  for (const part of ["raw", "view"]) {
    const response = await api("GET", `${path}/${part}`);
    expectError(response, 404, "resource_not_found");
    expect(response.body.error.message).toContain(why);
  }
}

async function claim(api: Api, key: string, id: string, claim_token: string) {
  const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
  expectStatus(response, 200);
  return response;
}

async function listShares(api: Api, id: string, key?: string) {
  const listed = await api("GET", `/api/artifacts/${id}/shares`, { key });
  expectStatus(listed, 200);
  return listed.body;
}
