import { expect, test } from "playwright/test";
import { STORED_CONTENT } from "@/lib/resources/stored-content";
import config from "@/next.config";
import { pagePaths } from "../support/page-paths";

test("Exactly the paths of stored content are without the headers of pages", () => {
  const stored = new RegExp(`^/${STORED_CONTENT}`);
  const names = ["raw", "view", "body", "reply", "preview"];
  for (const page of pagePaths()) {
    const isStored = names.some((name) => page.endsWith(`/${name}`));
    for (const value of [...names, "versions", "x"]) {
      const filled = page.replaceAll(/\[+[^\]]+\]+/g, value);
      for (const path of [filled, `${filled}/`]) expect(stored.test(path), path).toBe(isStored);
    }
  }
});

test("On Vercel, each route that renders a document has the worker for Markdown", () => {
  const routes = Object.entries(config.outputFileTracingIncludes ?? {})
    .filter(([, files]) => files.join().includes("markdown-worker"))
    .map(([route]) => route.replaceAll("\\", ""));
  expect(routes.sort()).toEqual([
    "/a/[token]/view",
    "/artifacts/[id]/versions/[n]/view",
    "/artifacts/[id]/view",
    "/artifacts/preview/view",
    "/questions/[id]/[part]/[signature]/view",
    "/tasks/[id]",
  ]);
});
