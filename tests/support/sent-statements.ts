import type { Socket } from "node:net";
import { pause } from "./servers";

const HEADER_BYTES = 5;

/**
 * For a proxy in front of Postgres. Reports the text of each statement, and what contains its values, when the
 * client waits for its result: one round trip.
 */
export function onStatement(report: (text: string, values: string, client: Socket) => void) {
  return (client: Socket) => {
    client.on(
      "data",
      statementReader((text, values) => report(text, values, client)),
    );
  };
}

/** Counts the statements that contain `part`. */
export function statementCounter(part: string) {
  const counter = {
    count: 0,
    /** For a proxy in front of Postgres. */
    read: onStatement((text) => {
      if (text.includes(part)) counter.count += 1;
    }),
    /** How many come within a second. */
    async more() {
      const before = counter.count;
      await pause(1000);
      return counter.count - before;
    },
  };
  return counter;
}

/** For a proxy in front of Postgres. Reports the bytes of the rows of each result. */
export function onResult(report: (bytes: number) => void) {
  return (_: Socket, postgres: Socket) => {
    postgres.on("data", resultReader(report));
  };
}

/** Reads what a client sends over one connection. */
function statementReader(report: (text: string, values: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  let executed = "";
  let values = "";

  function read(type: string, body: Buffer) {
    const message = body.toString("utf8");
    const [first = "", second = ""] = message.split("\0");
    if (type === "Q")
      report(first, ""); // Query
    else if (type === "P")
      texts.set(first, second); // Parse: name, text
    else if (type === "B")
      [executed, values] = [texts.get(second) ?? "", message]; // Bind: portal, name, values
    else if (type === "S") report(executed, values); // Sync
  }

  return messageReader(read, false);
}

/** Reads what Postgres sends over one connection. */
function resultReader(report: (bytes: number) => void): (chunk: Buffer) => void {
  let bytes = 0;
  return messageReader((type, body) => {
    if (type === "D") bytes += body.length; // DataRow
    if (type !== "C") return; // CommandComplete
    report(bytes);
    bytes = 0;
  }, true);
}

/** Reads messages of the protocol. The first that a client sends, before it has started, has no type. */
function messageReader(read: (type: string, body: Buffer) => void, hasStarted: boolean) {
  let isStarted = hasStarted;
  let unread: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    const typeBytes = () => (isStarted ? 1 : 0);
    while (unread.length >= HEADER_BYTES) {
      const end = typeBytes() + unread.readUInt32BE(typeBytes());
      if (unread.length < end) return;
      if (isStarted) read(unread.toString("latin1", 0, 1), unread.subarray(HEADER_BYTES, end));
      isStarted = true;
      unread = unread.subarray(end);
    }
  };
}
