/** A response ready to send. Services return plain data, unless they need more control. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** A stream is read at the client's pace and canceled when the client disconnects. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

  constructor(status: number, headers: Record<string, string>, body: HttpResponse["body"]) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
