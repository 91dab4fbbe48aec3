/** The width of printed documents in CSS pixels, which fits on A4 and Letter. */
const PAPER_WIDTH = 680;
/** The most by which lines grow on paper, where their heights are not rounded to pixels. */
const LINE_GROWTH = 1.07;
/** About 180 pages. The frame's reported height cannot be trusted. */
const HEIGHT_MAX = 200_000;

/**
 * While printing, replaces the frame of a rendered Markdown document by its content, since a frame
 * would be cut at page boundaries. The document is sanitized, and the page's policy allows it no
 * scripts. Returns a function that stops this.
 */
export function printInPage(frame: HTMLIFrameElement, paper: HTMLElement): () => void {
  const fill = () => {
    const rendered = readNow(frame.src);
    const main = rendered?.querySelector("main");
    if (!rendered || !main) return;
    const root = paper.shadowRoot ?? paper.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    const style = rendered.querySelector("style")?.textContent ?? "";
    const hosted = style.replaceAll(/^(:root|body)(?= \{)/gm, ":host");
    sheet.replaceSync(`${hosted} :host { color-scheme: light; }`);
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(document.importNode(main, true));
    paper.hidden = false;
    frame.hidden = true;
  };
  const clear = () => {
    paper.shadowRoot?.replaceChildren();
    paper.hidden = true;
    frame.hidden = false;
  };
  const over = whilePrinting(fill, clear);
  return () => over.abort();
}

/**
 * While printing, makes the frame of an HTML document as high as the document, which reports its
 * height (lib/resources/artifacts/view.ts). The document's scripts and origin stay in the frame.
 * Returns a function that stops this.
 */
export function printInFull(frame: HTMLIFrameElement): () => void {
  let height = 0;
  const onMessage = ({ source, data }: MessageEvent<unknown>) => {
    if (source !== frame.contentWindow || typeof data !== "object" || data === null) return;
    const given = "documentHeight" in data ? Number(data.documentHeight) : Number.NaN;
    if (given > 0) height = Math.min(given, HEIGHT_MAX);
  };
  const ask = () => frame.contentWindow?.postMessage({ paperWidth: PAPER_WIDTH }, "*");
  const grow = () => {
    frame.style.width = `${PAPER_WIDTH}px`;
    frame.style.height = `${Math.max(height, frame.clientHeight) * LINE_GROWTH}px`;
  };
  const over = whilePrinting(grow, () => frame.removeAttribute("style"));
  window.addEventListener("message", onMessage, over);
  frame.addEventListener("load", ask, over);
  ask(); // it may have loaded already
  return () => over.abort();
}

function whilePrinting(before: () => void, after: () => void): AbortController {
  const over = new AbortController();
  window.addEventListener("beforeprint", before, over);
  window.addEventListener("afterprint", after, over);
  return over;
}

/** The page must be complete when the event ends, so this blocks until it has been read. */
function readNow(url: string): Document | undefined {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  try {
    request.send();
  } catch {
    return undefined;
  }
  // It may have become an HTML document since, which nobody has sanitized.
  const policy = request.getResponseHeader("Content-Security-Policy");
  if (request.status !== 200 || !policy?.startsWith("default-src 'none'")) return undefined;
  return new DOMParser().parseFromString(request.responseText, "text/html");
}
