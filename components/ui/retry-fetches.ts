import { noteResponse } from "./connection";

const PAUSE_MS = 500;
const PAUSE_MS_MAX = 3000;
/** From a server with too many pages at once. */
const BUSY = 429;
/** The others are from a proxy that cannot reach the server, or from a server that cannot reach its database. */
const UNAVAILABLE = [BUSY, 502, 503, 504];
const CHUNK = /"(\/_next\/static\/chunks\/[^"\\]+\.(?:js|css)[^"\\]*)"/g;

/**
 * Makes the router's requests survive an outage, until the returned function is called. Otherwise a
 * failed navigation would replace the page by the browser's error page. A page is requested until
 * it is complete, including its scripts; a form is sent once. `begun` is called when the router
 * starts to load another page, and its result when that page has arrived.
 */
export function retryFetches(begun: () => () => void): () => void {
  const plain = window.fetch;
  let latest = 0;

  const retrying: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.has("next-action")) {
      return plain(input, init)
        .then((response) => whole(response, plain))
        .catch(lost);
    }
    const isPage = headers.has("rsc") && !headers.has("next-router-prefetch");
    if (!isPage || (init?.method ?? "GET") !== "GET") return plain(input, init);
    const ended = isHere(String(input)) ? undefined : begun();
    const number = ended ? ++latest : latest;
    try {
      for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
        const response = await plain(input, init)
          .then((one) => whole(one, plain))
          .catch(failed(init));
        if (response && !UNAVAILABLE.includes(response.status)) {
          noteResponse(true);
          return response;
        }
        // A busy server has responded.
        noteResponse(response?.status === BUSY);
        await online(pause);
        // The person has chosen another page since.
        if (ended && number !== latest) return await new Promise<never>(() => {});
      }
    } finally {
      ended?.();
    }
  };
  window.fetch = retrying;
  return () => {
    if (window.fetch === retrying) window.fetch = plain;
  };
}

function lost(error: unknown): never {
  noteResponse(false);
  throw error;
}

/** Undefined if the request failed on its way, so that it may be sent again. */
function failed(init: RequestInit | undefined) {
  return (error: unknown) => {
    if (init?.signal?.aborted) throw error;
    return undefined;
  };
}

/** The response, once all of it and the scripts that it names have arrived. */
async function whole(response: Response, plain: typeof fetch): Promise<Response> {
  const body = await response.arrayBuffer();
  const isPage = response.headers.get("content-type")?.startsWith("text/x-component") === true;
  if (isPage) await loadChunks(new TextDecoder().decode(body), plain);
  // A status without content allows no body.
  const copy = new Response(body.byteLength === 0 ? null : body, response);
  for (const name of ["url", "redirected"] as const) {
    Object.defineProperty(copy, name, { value: response[name] });
  }
  return copy;
}

/** Warms the browser's cache, so that the router finds them even without a network. */
async function loadChunks(page: string, plain: typeof fetch): Promise<void> {
  const loaded = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const named = [...new Set([...page.matchAll(CHUNK)].map(([, path]) => path ?? ""))];
  const missing = named.filter((path) => !loaded.has(new URL(path, location.href).href));
  await Promise.all(missing.map(async (path) => (await plain(path)).arrayBuffer()));
}

/** Whether the URL is the page's own, as in a refresh. */
function isHere(address: string): boolean {
  const { pathname, searchParams } = new URL(address, location.href);
  searchParams.delete("_rsc");
  const here = new URL(location.href);
  return pathname === here.pathname && searchParams.toString() === here.searchParams.toString();
}

/** Waits, or returns early on the `online` event. */
function online(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener("online", end);
  });
}
