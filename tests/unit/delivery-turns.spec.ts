import { expect, test } from "playwright/test";
import { busyNow, takeSlot } from "@/lib/resources/messages/capacity";

/** Whose delivery was last. */

const HOSTS = 3000;

test("A lane's deliveries to many hosts do not displace another lane's last turn", () => {
  const deliver = (lane: string, host: string) => {
    const slot = takeSlot({ organization_id: null, lane, host });
    slot.ended();
    slot.release();
  };
  const [first, other] = ["198.51.100.1", "198.51.100.2"];
  deliver(first, "http://first.example");
  for (let n = 0; n < HOSTS; n += 1) deliver(other, `http://${n}.example`);
  const { lanes, queues } = busyNow().last;
  expect([...lanes]).toEqual([
    [first, 1],
    [other, HOSTS + 1],
  ]);
  expect(queues.size).toBeLessThan(HOSTS);
});
