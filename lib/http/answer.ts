/** An answer ready to be sent. Services return plain data; an operation that must say more returns this. */
export class Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** A stream is read as fast as the caller takes it, and cancelled when the caller has gone. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

  constructor(status: number, headers: Record<string, string>, body: Answer["body"]) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
