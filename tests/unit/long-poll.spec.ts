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

test("A request whose response is lost at the end of the wait is sent once more, since it may have leased something", async () => {
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
  // The key of a server that died with its response is taken, which is not the reason of the failure.
  const died = new ConnectionError("It died.");
  const running = new ApiError("It is running.", { status: 409, code: "idempotency_in_progress" });
  const failures = [died, running];
  const send = async () => Promise.reject(failures.shift());
  const options = { until: () => true, wait: 0.1, leaseSeconds: 60 };
  await expect(poll(() => send, options)).rejects.toBe(died);
});
