import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { config } from "@/lib/platform/config/config";
import { atRequestedOrigin } from "@/lib/platform/http/own-origin";
import { remembered } from "@/lib/platform/memoize";

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface RenderedPage {
  headers: IncomingHttpHeaders;
  policy: string[];
  /** The page, split at each nonce. */
  html: string[];
}

const POLICY = "content-security-policy";

/**
 * Serves the home page from memory. It depends only on the display settings and the origin, so Next
 * renders it once for each; every response gets a new nonce.
 */
export class HomePage {
  readonly #pages: NodeHandler;
  readonly #rendered = new Map<string, Promise<RenderedPage>>();

  constructor(pages: NodeHandler) {
    this.#pages = pages;
  }

  /** Returns false without sending anything unless the request is for the whole home page. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (!asksForHomePage(request)) return false;
    const settings = displaySettings(request);
    const { baseUrl } = config();
    const page = await remembered(this.#rendered, `${baseUrl} ${settings}`, () =>
      this.#render(settings, new URL(baseUrl).host),
    ).catch(() => null);
    if (!page) return false; // Next shows its error page
    const { headers, policy, html } = page;
    const nonce = randomBytes(16).toString("base64");
    response.setHeader(POLICY, policy.join(nonce));
    const body = Buffer.from(html.join(nonce));
    response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
    return true;
  }

  async #render(settings: string, host: string): Promise<RenderedPage> {
    const headers = { host, accept: "text/html", cookie: settings };
    // An in-process connection.
    const [client, connection] = duplexPair();
    createServer((request, response) =>
      atRequestedOrigin(host, () => this.#pages(request, response)),
    ).emit("connection", connection);
    const asked = get({ path: "/", headers, createConnection: () => client });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const html = await text(response);
    const {
      [POLICY]: policy,
      date: _date,
      connection: _connection,
      "transfer-encoding": _encoding,
      ...headersSent
    } = response.headers;
    const nonce = /'nonce-([^']+)'/.exec(String(policy))?.[1];
    if (response.statusCode !== 200 || !nonce) throw new Error("The home page was not rendered.");
    return {
      headers: headersSent,
      policy: String(policy).split(nonce),
      html: html.split(nonce),
    };
  }
}

function asksForHomePage({ method, url, headers }: IncomingMessage): boolean {
  if (method !== "GET" || url !== "/") return false;
  // Requests with these headers get only parts of a page from Next.
  return !Object.keys(headers).some((name) => /^(rsc$|next-|x-nextjs-|x-middleware-)/.test(name));
}

/** The cookies that change the page, in a fixed order. */
function displaySettings({ headers }: IncomingMessage): string {
  const cookies = headers.cookie ?? "";
  const found = [/(?:^|; ?)theme=(?:light|dark)(?=;|$)/, /(?:^|; ?)wrap=off(?=;|$)/].flatMap(
    (cookie) => cookie.exec(cookies)?.[0].replace(/^; ?/, "") ?? [],
  );
  return found.join("; ");
}
