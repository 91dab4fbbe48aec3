import type { BrowserContext } from "playwright/test";

/**
 * Makes `goto` and `reload` on the pages of a browser wait until React has hydrated what they opened,
 * as a person would: an earlier click or key is lost. With `waitUntil` they wait for that only.
 */
export function waitForHydration(context: BrowserContext) {
  context.on("page", (page) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    // A page may leave again at once.
    const ready = () => page.evaluate(hydrated).catch(() => {});
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (!options?.waitUntil) await ready();
      return response;
    };
    page.reload = async (options) => {
      const response = await reload(options);
      if (!options?.waitUntil) await ready();
      return response;
    };
  });
}

/** Runs in the page. Returns at once if React does not draw it. */
async function hydrated() {
  if (!document.querySelector("script[src*='/_next/']")) return;
  // Timers may be replaced by the test's clock; messages are not.
  const { port1, port2 } = new MessageChannel();
  const turn = () =>
    new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  const isHydrated = () => {
    const [key] = Object.keys(document).filter((name) => name.startsWith("__reactContainer$"));
    const root = key && Reflect.get(document, key).stateNode.current;
    return root?.memoizedState?.isDehydrated === false;
  };
  const deadline = performance.now() + 20_000;
  while (!isHydrated() && performance.now() < deadline) await turn();
  // Effects run after that.
  for (let turns = 0; turns < 10; turns += 1) await turn();
}
