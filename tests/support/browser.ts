import fs from "node:fs";
import { chromium, type LaunchOptions } from "playwright/test";

const DEBIAN_SHELL = "/usr/bin/chromium-headless-shell";
const DEBIAN_CHROMIUM = "/usr/bin/chromium";

/** How tests start Chromium, which must talk to nobody but the test's own server. */
export function browserLaunch(): LaunchOptions {
  return {
    executablePath: browserPath() ?? DEBIAN_SHELL,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Pages live too briefly to gain from optimized code, and compiling it takes a sixth of their
      // CPU time.
      "--js-flags=--no-turbofan --no-maglev",
    ],
  };
}

/** Whether there is none, or only a full Chromium, which takes twice the CPU time. */
export function lacksShell(): boolean {
  return [undefined, DEBIAN_CHROMIUM].includes(browserPath());
}

/** Throws in one line what to install where there is no browser. */
export function assertBrowser(): void {
  if (browserPath()) return;
  throw new Error(
    "No Chromium: run `npx playwright install chromium`, or install Debian's chromium-headless-shell, or set CHROMIUM_PATH.",
  );
}

/** The one in CHROMIUM_PATH, or a headless shell, which needs far less CPU, or a full Chromium. */
function browserPath(): string | undefined {
  const full = chromium.executablePath();
  const places = [
    process.env.CHROMIUM_PATH,
    playwrightShell(full),
    DEBIAN_SHELL,
    full,
    DEBIAN_CHROMIUM,
  ];
  return places.find((place) => place && fs.existsSync(place));
}

/** Playwright downloads both, but names the path of the full one only. */
function playwrightShell(full: string): string {
  return full.replace(
    /chromium-(\d+)\/chrome-([^/]+)\/.*/,
    "chromium_headless_shell-$1/chrome-headless-shell-$2/chrome-headless-shell",
  );
}
