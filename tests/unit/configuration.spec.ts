import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { environment } from "@/lib/config";

/** What an operator reads about the configuration is what the code reads. */

const ROOT = path.resolve(import.meta.dirname, "../..");
const variables = Object.keys(environment).sort();

test(".env.example names every variable of the configuration, and no other", () => {
  const text = fs.readFileSync(path.join(ROOT, ".env.example"), "utf8");
  const named = [...text.matchAll(/^#?\s*([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  expect([...new Set(named)].sort()).toEqual(variables);
});

test("The README's table names every variable of the configuration, and no other", () => {
  const text = fs.readFileSync(path.join(ROOT, "README.md"), "utf8");
  const named = [...text.matchAll(/^\|\s*`([A-Z][A-Z0-9_]+)`\s*\|/gm)].map((match) => match[1]);
  expect([...new Set(named)].sort()).toEqual(variables);
});
