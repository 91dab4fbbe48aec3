import { expect, test } from "playwright/test";
import { ApiError, ConnectionError } from "@/packages/client/src/api-error";
import { poll } from "@/packages/client/src/long-poll";

test("A request whose server was killed is repeated as it was, and replaced once it can no longer be running", async () => {
  const sent: number[] = [];
  let made = 0;
  const heard: string[] = [];
  const answer = await poll(
    () => {
      const number = ++made;
      return async () => {
        sent.push(number);
        if (number > 1) return "leased";
        if (sent.length === 1) throw new ConnectionError("The server was killed.");
        throw new ApiError("It is running.", { status: 409, code: "idempotency_in_progress" });
      };
    },
    {
      until: () => true,
      wait: Number.POSITIVE_INFINITY,
      waitMax: 0,
      leaseSeconds: 60,
      onBreak: ({ message }) => heard.push(message),
    },
  );
  expect(answer).toBe("leased");
  expect(sent.slice(0, 2)).toEqual([1, 1]);
  expect(sent.at(-1)).toBe(2);
  expect(heard).toEqual(["The server was killed."]);
});

test("What a response leased that was lost at the end of the wait is asked for once more", async () => {
  let sent = 0;
  const pollWith = (losses: number) =>
    poll(
      () => async () => {
        sent += 1;
        if (sent <= losses) throw new ConnectionError("The response was lost.");
        return "leased";
      },
      { until: () => true, wait: 0.1, leaseSeconds: 60 },
    );
  expect(await pollWith(1)).toBe("leased");
  sent = 0;
  await expect(pollWith(3)).rejects.toThrow("lost");
  expect(sent).toBe(2);
});
