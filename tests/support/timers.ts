import type { Page } from "playwright/test";

/** Makes a page's timers of so many milliseconds take 50 s: what they end is still there on a slow machine. */
export function stretchTimers(page: Page, milliseconds: number) {
  return page.addInitScript((stretched) => {
    const { setTimeout } = window;
    const stretching = (run: () => void, delay?: number, ...given: unknown[]) =>
      setTimeout(run, delay === stretched ? 50_000 : delay, ...given);
    Object.assign(window, { setTimeout: stretching });
  }, milliseconds);
}
