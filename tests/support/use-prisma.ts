import { columns, type RowOf } from "@/lib/platform/db/columns";
import { closePools } from "@/lib/platform/db/connections";
import { prisma } from "@/lib/platform/db/prisma";
import { query, sql, transaction } from "@/lib/platform/db/sql";

/** Prints what Prisma Client does in and after transactions, for tests/fault/prisma.spec.ts. */

const COLUMNS = columns("Organization", "id, name, created_at");
const data = (name: string) => ({ data: { id: `org_${name}`, name } });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: Error) => error.message,
  );

const seen = await transaction(async (tx) => {
  await tx.organization.create(data("kept"));
  return query<RowOf<typeof COLUMNS>>(sql`SELECT ${COLUMNS} FROM organizations`, tx);
});
const rolledBack = await failure(
  transaction(async (tx) => {
    await tx.organization.create(data("lost"));
    throw new Error("No.");
  }),
);
const ended = await transaction(async (tx) => ({ tx, floating: tx.organization.findMany() }));
const together = await Promise.all(
  Array.from({ length: 6 }, (_, index) =>
    transaction((tx) => tx.organization.create(data(String(index)))),
  ),
);
const result = {
  seen: seen.map(({ id }) => id),
  number: typeof seen[0]?.created_at,
  rolledBack,
  floating: await failure(ended.floating),
  after: await failure(Promise.resolve().then(() => ended.tx.organization.count())),
  beside: await failure(transaction(() => prisma.organization.count())),
  undefinedCondition: await failure(prisma.organization.deleteMany({ where: { id: undefined } })),
  together: together.length,
  created: typeof together[0]?.created_at,
  ids: (await prisma.organization.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id),
};
console.log(JSON.stringify(result));
await closePools();
