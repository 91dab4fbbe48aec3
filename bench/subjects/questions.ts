import { setTimeout as pause } from "node:timers/promises";
import { fieldsIn, formOf, post } from "../../tests/support/forms";
import { makeKey, type Stage } from "../stage";
import type { Table } from "../table";
import { quantile } from "../times";

const ROUNDS = 100;
/** How long an agent has waited before the person taps. */
const WAITED_MS = 300;
const SECOND_MS = 1000;

/** From a tap on the page without scripts to the response of an agent that waits at another server. */
export async function questions(stage: Stage, table: Table) {
  const [one, other] = [await stage.service(), await stage.service()];
  const headers = { Authorization: `Bearer ${await makeKey(stage.db, "asker")}` };
  const api = `http://127.0.0.1:${one.port}/api/questions`;
  const page = `http://127.0.0.1:${other.port}`;
  const body = JSON.stringify({ prompt: "Deploy version 2?", kind: "approve" });
  const times: number[] = [];
  // The first rounds load the page.
  for (let round = -10; round < ROUNDS; round += 1) {
    const asked = await fetch(api, { method: "POST", headers, body });
    const { id, answer_url } = await asked.json();
    const path = `/answer/${id}`;
    const open = await formOf(page, path, "", "answer_token");
    const shown = await open({ answer_token: new URL(answer_url).hash.slice(1) });
    const fields = fieldsIn(shown.body, "answer");
    const waiting = fetch(`${api}/${id}?wait=25`, { headers }).then((response) => response.json());
    await pause(WAITED_MS);
    const tapped = performance.now();
    const tap = post(page, path, { ...fields, answer: "approve" }, { origin: page });
    const { state } = await waiting;
    if (state !== "answered") throw new Error(`The agent heard that the question is ${state}.`);
    if (round >= 0) times.push(performance.now() - tapped);
    await tap;
  }
  const row = (share: number, name: string) =>
    table.smaller(
      `from a tap to the waiting agent, ms, ${name}`,
      quantile(times, share),
      SECOND_MS,
      "a second",
    );
  row(0.5, "median");
  row(0.99, "99th percentile");
}
