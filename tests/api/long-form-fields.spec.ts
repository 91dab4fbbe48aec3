import { actionNamed, callAction, formBody, resultOf } from "../support/actions";
import { expect, test } from "../support/fixtures";
import { cookieOf, makePerson } from "../support/people";

/** Forms take megabytes. What is split, parsed or sent back of a field has a limit of its own. */

test("A long path to return to becomes the overview", async ({ baseUrl }) => {
  const otherAddress = actionNamed("otherAddress");
  const next = `/${"é".repeat(20_000)}`;
  const body = formBody({ next });
  body.set("0", '["$K1"]'); // an action without an earlier result
  const response = await callAction(baseUrl, otherAddress, body, {});
  const location = response.headers.get("x-action-redirect");
  expect(location).toContain("/sign-in?next=%2Fdashboard");
});

test("Scopes and authorization requests of any length are refused in a sentence", async ({
  baseUrl,
  db,
  organization,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const send = async (name: string, fields: Record<string, string>) => {
    const response = await callAction(baseUrl, actionNamed(name), formBody(fields), { cookie });
    return JSON.stringify(await resultOf(response));
  };
  const scopes = await send("createKey", { name: "x", days: "", scopes: " ".repeat(100_000) });
  expect(scopes.length).toBeLessThan(1000);
  expect(scopes).toContain("scopes");
  const request = await send("decide", { request: "a&".repeat(50_000), decision: "deny" });
  expect(request).toContain("too long");
});

test("Headers and conditions of any length are refused in a sentence", async ({
  baseUrl,
  db,
  organization,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const send = async (name: string, fields: Record<string, string>) =>
    resultOf(await callAction(baseUrl, actionNamed(name), formBody(fields), { cookie }));
  const lines = Array.from({ length: 5000 }, (_, n) => `x-${n}: 1`).join("\n");
  expect(await send("createMessage", { headers: lines })).toMatchObject({
    message: "Headers must have at most 32,768 characters.",
  });
  const value = JSON.stringify({ "$.a": Array(2000).fill(0) });
  for (const [name, label] of [
    ["match", "Match"],
    ["headers", "Headers"],
  ] as const) {
    expect(await send("setForward", { [name]: value })).toMatchObject({
      message: `${label} has more than 2000 values.`,
    });
  }
});
