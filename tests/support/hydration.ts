import type { BrowserContext, Page } from "playwright/test";

/**
 * Makes `goto` and `reload` on the pages of a browser wait until React has hydrated what they opened,
 * as a person would: an earlier click or key is lost. With `waitUntil` they wait for that only.
 */
export function waitForHydration(context: BrowserContext) {
  // A context that another test has used has its page already.
  for (const page of context.pages()) waitOn(page);
  context.on("page", waitOn);
}

function waitOn(page: Page) {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await hydrated(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await hydrated(page);
    return response;
  };
}

async function hydrated(page: Page) {
  try {
    const drawn = await page.waitForFunction(drawnByReact, undefined, { timeout: 30_000 });
    if ((await drawn.jsonValue()) === "yes") await page.evaluate(runEffects);
  } catch (error) {
    // Some pages leave again at once.
    if (!/Execution context was destroyed|has been closed/.test(String(error))) throw error;
  }
}

/** Runs in the page. Undefined until React has hydrated it. */
function drawnByReact() {
  if (!document.querySelector("script[src*='/_next/']")) return "no";
  const key = Object.keys(document).find((name) => name.startsWith("__reactContainer$"));
  const root = key && Reflect.get(document, key).stateNode.current;
  return root?.memoizedState?.isDehydrated === false ? "yes" : undefined;
}

/** Runs in the page. React schedules effects as messages, too; timers may be the test's clock. */
async function runEffects() {
  const { port1, port2 } = new MessageChannel();
  for (let turns = 0; turns < 10; turns += 1) {
    const next = new Promise((resolve) => {
      port1.onmessage = resolve;
    });
    port2.postMessage(null);
    await next;
  }
}
