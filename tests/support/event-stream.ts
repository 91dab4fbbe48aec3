import http from "node:http";

interface Message {
  id: string;
  data: string;
}

/** A reader of server-sent events that records messages. */
export interface EventStream {
  status: number;
  contentType: string | undefined;
  messages: Message[];
  /** The `Last-Event-ID` with which to resume. */
  lastEventId: string;
  ended: Promise<void>;
  close(): void;
}

export function openEventStream(
  baseUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const { port, host } = new URL(baseUrl);
    const request = http.get({ host: "127.0.0.1", port, path, headers: { host, ...headers } });
    request.on("error", reject);
    request.on("response", (response) => {
      const stream: EventStream = {
        status: response.statusCode ?? 0,
        contentType: response.headers["content-type"],
        messages: [],
        lastEventId: "",
        ended: new Promise((end) => response.on("close", end)),
        close: () => request.destroy(),
      };
      let rest = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        const blocks = (rest + text).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) read(block, stream);
        resolve(stream);
      });
      response.on("error", () => {});
      response.on("end", () => resolve(stream));
    });
  });
}

function read(block: string, stream: EventStream) {
  let data: string | undefined;
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) stream.lastEventId = line.slice(4);
    if (line.startsWith("data: ")) data = line.slice(6);
  }
  if (data !== undefined) stream.messages.push({ id: stream.lastEventId, data });
}
