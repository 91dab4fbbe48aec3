import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { formOf } from "../support/forms";
import { ask } from "../support/questions";

test("Wrong and truncated secrets of a question are limited like claim tokens, by the page as well, and the right one still works", async ({
  start,
}) => {
  // Its own: this uses up the network's tries.
  const { api, baseUrl } = await start(QUIET);
  const question = await ask(api, undefined);
  const { answer_token } = question;
  const guesses = [answer_token.slice(0, -1), `ans_${"0".repeat(32)}`, "ans_"];
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      question.answer("approve", { answer_token: guesses[n % guesses.length] }),
    ),
  );
  const refused = responses.filter(({ status }) => status === 403);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(30);
  for (const response of refused)
    expectError(response, 403, "invalid_answer_token", "answer_token");
  for (const response of responses.filter(({ status }) => status !== 403)) {
    expectError(response, 429, "rate_limited");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const open = await formOf(baseUrl, `/answer/${question.id}`, "", "answer_token");
  const { body } = await open({ answer_token: `ans_${"1".repeat(32)}` });
  expect(body).not.toContain("Deploy version 2?");
  expect(body).toContain("Too many");
  // Claim tokens are counted with them.
  const claiming = { headers: { "claim-with": `clm_${"0".repeat(32)}` } };
  expectError(
    await api("POST", `/api/questions/${question.id}/withdraw`, claiming),
    429,
    "rate_limited",
  );
  expectStatus(await question.answer("deny"), 200);
});
