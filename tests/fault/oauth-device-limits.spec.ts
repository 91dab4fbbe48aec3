import { expect, PUBLIC, QUIET } from "../support/fault-fixtures";
import { call } from "../support/http";
import { withOneServer } from "../support/one-server";
import { cookieOf, makePerson } from "../support/people";
import { startHour } from "../support/windows";

/** What only a public server limits. */

const test = withOneServer({ ...PUBLIC, ...QUIET });

test("A network gets a number of codes an hour, others still get theirs, and nobody can guess one", async ({
  db,
  organization,
  server: { baseUrl },
}) => {
  await startHour(db);
  const begin = (address: string) =>
    call(baseUrl, "POST", "/oauth/device_authorization", {
      raw: "client_id=agent-infra-cli",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-forwarded-for": address,
      },
    });
  const network = `198.51.100.${Math.ceil(Math.random() * 250)}`;
  const begun = await Promise.all(Array.from({ length: 31 }, () => begin(network)));
  expect(begun.filter(({ status }) => status === 429)).toHaveLength(1);
  const other = await begin(`203.0.113.${Math.ceil(Math.random() * 250)}`);
  expect(other.status).toBe(200);

  const person = await makePerson(db, organization.id);
  const cookie = await cookieOf(db, person.id);
  const open = async (user_code: string, site = "none") => {
    const headers = { cookie, "sec-fetch-site": site };
    return (await call(baseUrl, "GET", "/oauth/device", { query: { user_code }, headers })).text;
  };
  const { user_code } = JSON.parse(other.text);
  // Neither a code that is found nor what another site opens is a guess.
  for (let n = 0; n < 21; n += 1) {
    expect(await open(user_code)).toContain(`>${user_code}<`);
    const foreign = await open("BCDF-GHJK", "cross-site");
    expect(foreign).toContain('value="BCDF-GHJK"');
    expect(foreign).not.toContain("No terminal is waiting");
  }
  for (let n = 0; n < 20; n += 1)
    expect(await open("BCDF-GHJK")).toContain("No terminal is waiting");
  expect(await open(user_code), "even the right one").toContain("You have tried too many codes");
});
