import { kinds } from "@/lib/resources/kinds";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** Unclaimed resources expire. */

const DAY = 86_400;
for (const { name, table, first } of kinds) {
  const path = `/api/${name}`;
  test(`Only public resources of ${path} unused for 30 days are deleted`, async ({
    api,
    db,
    organization,
  }) => {
    // As another row, since the key of its state cannot change on a distributed database. In one statement, because
    // other tests sweep at the same time.
    const create = async (age: { made: number; written: number }, key?: string) => {
      const { id } = (await api("POST", path, { key, body: first.body })).body;
      const { rows } = await db.query<{ id: string }>(
        `WITH gone AS (DELETE FROM ${table} WHERE id = $1 RETURNING *)
         INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(gone) || jsonb_build_object(
           'id', split_part(id, '_', 1) || '_' || id_time((unix_now() - $2::bigint) * 1000000) || right(id, 16),
           'created_at', created_at - $2::bigint, 'updated_at', updated_at - $3::bigint))).*
         FROM gone RETURNING id`,
        [id, age.made * DAY, age.written * DAY],
      );
      await db.query(
        "UPDATE inbox_state SET active_at = active_at - $2::bigint WHERE inbox_id = $1",
        [rows[0]?.id, age.made * DAY],
      );
      return rows[0]?.id;
    };
    const old = await create({ made: 31, written: 31 });
    const young = await create({ made: 29, written: 29 });
    const owned = await create({ made: 31, written: 31 }, organization.key);
    const written = await create({ made: 31, written: 0 });

    await expect
      .poll(async () => {
        await db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
        await api("POST", "/api/messages/dispatch");
        return (await api("GET", `${path}/${old}`)).status;
      })
      .toBe(404);
    for (const id of [young, written]) expectStatus(await api("GET", `${path}/${id}`), 200);
    expectStatus(await api("GET", `${path}/${owned}`, { key: organization.key }), 200);
  });
}
