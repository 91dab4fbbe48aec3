import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Starts a server on loopback to which the browser is redirected after a sign-in (RFC 8252).
 * `redirect` resolves to the parameters of the redirect with a state.
 */
export async function listenOnLoopback() {
  let expected: { state: string; resolve(parameters: URLSearchParams): void } | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = addressOf(request.url);
    // Any page may send requests here; only the service knows the state.
    const isRedirect = pathname === "/callback" && searchParams.get("state") === expected?.state;
    const failed = searchParams.has("error");
    response.writeHead(isRedirect ? 200 : 404, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(
      !isRedirect
        ? "Not found."
        : failed
          ? "You are not signed in. You can close this page."
          : "Continue in your terminal. You can close this page.",
    );
    if (isRedirect) expected?.resolve(searchParams);
  });
  // A browser opens connections ahead, and keeps them. They need not keep the program running.
  server.on("connection", (socket) => socket.unref());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    redirect: (state: string, signal: AbortSignal) =>
      new Promise<URLSearchParams>((resolve, reject) => {
        expected = { state, resolve };
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** The requested URL; that of the root if it cannot be one, as `//`. */
function addressOf(path = "/"): URL {
  const base = "http://127.0.0.1";
  return URL.canParse(path, base) ? new URL(path, base) : new URL(base);
}

/** Opens a page in the user's browser, if there is one. */
export function openBrowser(url: string): void {
  const [command, ...prefix] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"];
  const child = spawn(command ?? "", [...prefix, url], { detached: true, stdio: "ignore" });
  child.on("error", () => {}); // the address is printed as well
  child.unref();
}
