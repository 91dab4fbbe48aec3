import { Readable } from "node:stream";
import type pg from "pg";

const BLOCK_BYTES = 65_536;

/** The COPY functions of pg's connection, which its types lack. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Streams the data of a `COPY … TO STDOUT`. The database pauses while nobody reads. A caller that
 * stops early must close the connection.
 */
export function copyOut(client: pg.ClientBase, statement: string): Readable {
  return client.query(new CopyOut(statement));
}

class CopyOut extends Readable implements pg.Submittable {
  private readonly statement: string;
  private connection: pg.Connection | undefined;
  private block = Buffer.allocUnsafe(BLOCK_BYTES);
  private used = 0;

  constructor(statement: string) {
    super();
    this.statement = statement;
  }

  submit(connection: pg.Connection): void {
    this.connection = connection;
    connection.query(this.statement);
  }

  override _read(): void {
    this.connection?.stream.resume();
  }

  /** Each message holds one row, in a buffer that pg reuses. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    for (let start = 0; start < chunk.length; ) {
      const copied = chunk.copy(this.block, this.used, start);
      start += copied;
      this.used += copied;
      if (this.used === BLOCK_BYTES) this.flush();
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(connection: pg.Connection): void {
    this.flush();
    this.push(null);
    // Lets the next statement run: nothing more is read from this one.
    connection.stream.resume();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  private flush(): void {
    const full = this.block.subarray(0, this.used);
    this.block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.used = 0;
    if (full.length > 0 && !this.push(full)) this.connection?.stream.pause();
  }
}

/**
 * Runs a `COPY … FROM STDIN` with these chunks, at the database's pace, and returns the number of
 * rows. If reading the chunks fails, the statement fails with that error.
 */
export function copyIn(
  client: pg.ClientBase,
  statement: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, chunks, resolve, reject));
  });
}

class CopyIn implements pg.Submittable {
  private readonly statement: string;
  private readonly chunks: AsyncIterable<Buffer>;
  private readonly resolve: (rows: number) => void;
  private readonly reject: (error: unknown) => void;
  private rows = 0;
  private failure: unknown;

  constructor(
    statement: string,
    chunks: AsyncIterable<Buffer>,
    resolve: (rows: number) => void,
    reject: (error: unknown) => void,
  ) {
    this.statement = statement;
    this.chunks = chunks;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.send(connection).then(
      () => connection.endCopyFrom(),
      (error: unknown) => {
        this.failure ??= error;
        connection.sendCopyFail("The data ended early.");
      },
    );
  }

  private async send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.chunks) {
      // Postgres has refused a row and ignores the rest.
      if (this.failure !== undefined) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await drained(connection);
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(text.replace("COPY ", ""));
  }

  handleReadyForQuery(): void {
    this.resolve(this.rows);
  }

  handleError(error: Error): void {
    this.failure ??= error;
    this.reject(this.failure);
  }
}

/** Resolves also when the connection is lost: pg reports that to the statement. */
function drained({ stream }: pg.Connection): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.once("drain", done).once("close", done);
    if (stream.destroyed) done();
  });
}
