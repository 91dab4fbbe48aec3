import { runCommand } from "../support/backups";
import { expect, test } from "../support/fault-fixtures";

test("A database without Citus is not distributed, and says why", async ({ sharedDatabase }) => {
  const ended = await runCommand("distribute", ["--yes"], { DATABASE_URL: sharedDatabase });
  expect(ended).toEqual({
    status: 1,
    stdout: "",
    stderr: "The database lacks Citus. On each node: CREATE EXTENSION citus.\n",
  });
});
