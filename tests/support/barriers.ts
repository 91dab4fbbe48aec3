import fs from "node:fs";
import path from "node:path";
import type axe from "axe-core";
import type { Page } from "playwright/test";
import { ROOT } from "./servers";

const AXE = fs.readFileSync(path.join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");

/**
 * What axe calls serious or worse, with where it is. Colours take most of its time, in light and in
 * dark. tests/unit/colours.spec.ts computes them all, so one page of each kind is enough for them.
 */
export async function barriersOn(page: Page, { colours = true } = {}) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const check = async (colorScheme: "light" | "dark", options: axe.RunOptions) => {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(async (given) => {
      const { axe: injected } = window as unknown as { axe: typeof axe };
      // It would wait for ever for a frame without scripts; what stands in it is an artifact's, not ours.
      const shared: axe.RunOptions = {
        iframes: false,
        preload: false,
        resultTypes: ["violations"],
      };
      const { violations } = await injected.run({ ...shared, ...given });
      return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes }));
    }, options);
    return found.filter(({ impact }) => impact === "serious" || impact === "critical");
  };
  // A target is 24 px, or has as much room around it. axe leaves that out by default.
  // `region` looks at every element, and is only moderate, which the filter above drops.
  const rules = {
    "target-size": { enabled: true },
    region: { enabled: false },
    "color-contrast": { enabled: colours },
  };
  const found = await check("light", { rules });
  // Nothing else is different in the dark.
  if (colours) found.push(...(await check("dark", { runOnly: ["color-contrast"] })));
  return found.map(({ id, nodes }) => ({
    path: page.url(),
    id,
    nodes: nodes.map(({ html }) => html),
  }));
}

/** Collects the errors of the console and of scripts, but for missing pages. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isMissing = message.text().includes("404");
    if (message.type() === "error" && !isMissing) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
