import { connect, type Socket } from "node:net";

export interface Request {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const TURN_MS = 400;

/** What was done in one turn. */
export interface Turn {
  operations: number;
  /** If one request does many of them. */
  requests?: number;
  seconds: number;
}

/** The bytes of a request, which may be sent many times. */
export function encode({ method, path, headers = {}, body = "" }: Request): Buffer {
  const all = { Host: "127.0.0.1", ...headers, "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/**
 * An HTTP connection that is kept alive and has one request at a time. It needs much less CPU than
 * `node:http`, which would take the machine from the servers.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #resolve: (body: string) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay();
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#reject(error));
    socket.on("close", () => this.#reject(new Error("The server closed the connection.")));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(new Connection(socket)));
      socket.once("error", reject);
    });
  }

  /** Resolves to the body of the response. Rejects when the status is 400 or more. */
  send(request: Buffer | Request): Promise<string> {
    const bytes = Buffer.isBuffer(request) ? request : encode(request);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = this.#received.toString("latin1", 0, end);
    const status = Number(head.slice(9, 12));
    const length = lengthOf(head, status, this.#received.subarray(end + 4));
    if (length === undefined || this.#received.length < end + 4 + length) return;
    const body = this.#received.toString("utf8", end + 4, end + 4 + length);
    this.#received = Buffer.alloc(0);
    if (status < 400) this.#resolve(body);
    else this.#reject(new Error(`${head.split("\r\n")[0]} ${body}`));
  }
}

/** The bytes of a response's body; undefined while chunks are missing. */
function lengthOf(head: string, status: number, received: Buffer): number | undefined {
  const stated = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (stated !== undefined) return Number(stated);
  if (status === 204) return 0;
  return received.toString("latin1").endsWith("0\r\n\r\n") ? received.length : undefined;
}

/**
 * Repeats `work` on each of several connections, until `milliseconds` have passed or it returns 0:
 * nothing is left. It returns the number of operations.
 */
export async function load(
  port: number,
  connections: number,
  work: (connection: Connection) => Promise<number>,
  milliseconds = TURN_MS,
): Promise<Turn> {
  const opened = await Promise.all(
    Array.from({ length: connections }, () => Connection.open(port)),
  );
  const started = performance.now();
  let requests = 0;
  const counts = opened.map(async (connection) => {
    let operations = 0;
    for (;;) {
      const done = await work(connection);
      requests += 1;
      operations += done;
      if (done === 0 || performance.now() - started > milliseconds) return operations;
    }
  });
  const operations = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - started) / 1000;
  for (const connection of opened) connection.close();
  return { operations, requests, seconds };
}

/** `load` of one request. */
export function repeat(port: number, connections: number, request: Request): Promise<Turn> {
  const bytes = encode(request);
  return load(port, connections, async (connection) => {
    await connection.send(bytes);
    return 1;
  });
}

/** One request on a connection of its own. */
export async function once(port: number, request: Request): Promise<string> {
  const connection = await Connection.open(port);
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}
