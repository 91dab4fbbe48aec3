import fs from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { STORED_CONTENT } from "@/lib/resources/stored-content";
import config from "@/next.config";
import { pagePaths } from "../support/page-paths";
import { ROOT } from "../support/servers";

test("What somebody sent or wrote has headers of its own, and no page lacks those of pages", () => {
  const stored = new RegExp(`^/${STORED_CONTENT}`);
  const names = ["raw", "view", "body", "reply", "preview"];
  for (const page of pagePaths()) {
    const isStored = names.some((name) => page.endsWith(`/${name}`));
    for (const value of [...names, "versions", "x"]) {
      const filled = page.replaceAll(/\[+[^\]]+\]+/g, value);
      expect(stored.test(filled), filled).toBe(isStored);
    }
  }
});

test("On Vercel, each route that renders a document has the worker for Markdown", () => {
  const files = fs.readdirSync(path.join(ROOT, "app"), { recursive: true, encoding: "utf8" });
  const rendering = files.filter(
    (file) =>
      path.basename(file) === "route.ts" &&
      fs.readFileSync(path.join(ROOT, "app", file), "utf8").includes("/artifacts/view"),
  );
  expect(rendering.length).toBeGreaterThan(3);
  for (const file of rendering) {
    const route = `/${path.dirname(file).replaceAll(/\([^)]*\)\//g, "")}`;
    const included = config.outputFileTracingIncludes?.[route.replaceAll(/[[\]]/g, "\\$&")];
    expect(included?.join(), route).toContain("markdown-worker");
  }
});
