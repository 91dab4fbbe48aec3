import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { chromium, type LaunchOptions } from "playwright/test";

const DEBIANS = "/usr/bin/chromium";

/** How tests start Chromium, which must talk to nobody but the test's own server. */
export function browserLaunch(): LaunchOptions {
  return {
    executablePath: browserPath() ?? DEBIANS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}

/** Throws in one line what to install where there is no browser; as root on Debian it installs it. */
export function ensureBrowser(): void {
  if (browserPath()) return;
  if (process.getuid?.() === 0 && fs.existsSync("/etc/debian_version")) {
    const shell = "apt-get update -q && apt-get install -yq --no-install-recommends chromium";
    spawnSync("sh", ["-c", shell], { stdio: "inherit" });
    if (browserPath()) return;
  }
  throw new Error(
    "No Chromium: run `npx playwright install chromium`, or install Debian's package, or set CHROMIUM_PATH.",
  );
}

/** The one that was asked for, Playwright's own, or Debian's. */
function browserPath(): string | undefined {
  const places = [process.env.CHROMIUM_PATH, chromium.executablePath(), DEBIANS];
  return places.find((place) => place && fs.existsSync(place));
}
