import { randomBytes } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { createRequestResponseMocks } from "next/dist/server/lib/mock-request.js";
import { config } from "@/lib/config/config";
import { preferredType } from "@/lib/http/accept";

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface RenderedPage {
  headers: OutgoingHttpHeaders;
  policy: string[];
  /** Split at each nonce. */
  html: string[];
}

const POLICY = "content-security-policy";

/**
 * The home page from memory. It is the same for every visitor but for the display settings, so Next
 * renders it once for each of them; every response gets a new nonce.
 */
export class HomePage {
  readonly #pages: NodeHandler;
  readonly #rendered = new Map<string, Promise<RenderedPage>>();

  constructor(pages: NodeHandler) {
    this.#pages = pages;
  }

  /** Returns false, having sent nothing, for a request that is not for the home page as HTML. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (!asksForHomePage(request)) return false;
    const page = await this.#page(displaySettings(request)).catch(() => null);
    if (!page) return false; // Next shows its error page
    const { headers, policy, html } = page;
    const nonce = randomBytes(16).toString("base64");
    response.setHeader(POLICY, policy.join(nonce));
    const body = Buffer.from(html.join(nonce));
    response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
    return true;
  }

  #page(settings: string): Promise<RenderedPage> {
    let page = this.#rendered.get(settings);
    if (!page) {
      page = this.#render(settings);
      this.#rendered.set(settings, page);
      page.catch(() => this.#rendered.delete(settings));
    }
    return page;
  }

  async #render(settings: string): Promise<RenderedPage> {
    const { host } = new URL(config().baseUrl);
    const headers = { host, accept: "text/html", cookie: settings };
    const chunks: Buffer[] = [];
    const resWriter = (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk)) > 0;
    const { req, res } = createRequestResponseMocks({ url: "/", headers, resWriter });
    const isRendered = finished(res);
    await this.#pages(req, res);
    await isRendered;
    const { [POLICY]: policy, ...headersSent } = res.getHeaders();
    const nonce = /'nonce-([^']+)'/.exec(String(policy))?.[1];
    if (res.statusCode !== 200 || !nonce) throw new Error("The home page could not be rendered.");
    const html = Buffer.concat(chunks).toString();
    return {
      headers: headersSent,
      policy: String(policy).split(nonce),
      html: html.split(nonce),
    };
  }
}

function asksForHomePage({ method, url, headers }: IncomingMessage): boolean {
  if (method !== "GET" || url !== "/") return false;
  // With these, Next sends only parts of a page.
  if (Object.keys(headers).some((name) => /^(rsc$|next-|x-nextjs-|x-middleware-)/.test(name))) {
    return false;
  }
  const offered = ["text/html", "text/markdown", "text/plain"];
  return preferredType(headers.accept ?? null, offered) === "text/html";
}

/** The cookies that change the page, in a fixed order. */
function displaySettings({ headers }: IncomingMessage): string {
  const cookies = headers.cookie ?? "";
  const found = [/(?:^|; ?)theme=(?:light|dark)(?=;|$)/, /(?:^|; ?)wrap=off(?=;|$)/].flatMap(
    (cookie) => cookie.exec(cookies)?.[0].replace(/^; ?/, "") ?? [],
  );
  return found.join("; ");
}
