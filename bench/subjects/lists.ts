import type pg from "pg";
import { compare } from "../compare";
import type { Request } from "../load";
import { makeKey, type Stage } from "../stage";
import type { Table } from "../table";

const CONNECTIONS = 8;
const MANY = 100_000;

/** A page of artifacts of a large organization, beside one of a small organization. */
export async function lists(stage: Stage, table: Table) {
  const small = await makeArtifacts(stage.db, "small", 25);
  const large = await makeArtifacts(stage.db, "large", MANY);
  await stage.db.query("VACUUM ANALYZE artifacts");
  const service = await stage.service();
  const middle = `art_large${String(MANY / 2).padStart(10, "0")}`;
  const listing = (name: string, key: string, query = "") =>
    stage.repeating(service, CONNECTIONS, pageOf(key, query), name);
  const [ofSmall, first, deep] = await compare([
    listing("of 25", small),
    listing("of 100 000", large),
    listing("deep", large, `?after=${middle}`),
  ]);
  table.row(`a page of 100 000 artifacts, ${CONNECTIONS} connections`, first, ofSmall);
  table.row(`a page in the middle of them, ${CONNECTIONS} connections`, deep, ofSmall);
}

/** A page of the artifacts of the key's organization. */
export function pageOf(key: string, query = ""): Request {
  const headers = { Authorization: `Bearer ${key}` };
  return { method: "GET", path: `/api/artifacts${query}`, headers };
}

/** Creates artifacts of every size up to 100 kB, in an organization of that name. Returns a key. */
export async function makeArtifacts(db: pg.Pool, name: string, artifacts: number): Promise<string> {
  const key = await makeKey(db, name);
  await db.query(
    `INSERT INTO artifacts (id, organization_id, name, content, size)
     SELECT 'art_' || $1::text || lpad(n::text, 10, '0'), 'org_' || $1, 'Artifact ' || n, content,
            length(content)
     FROM generate_series(1, $2::int) AS n,
          LATERAL repeat(md5(n::text), CASE WHEN n % 100 = 0 THEN 3000 ELSE 1 + n % 40 END) AS content`,
    [name, artifacts],
  );
  return key;
}
