import { expect, test } from "playwright/test";
import { documents, read, shellOf, withoutQuotes } from "../support/documents";

/** The variables in the shell commands of the documents. */

test("Commands of a document use only variables that it sets before", () => {
  const given = ["API_KEY", "CRON_SECRET", "DATABASE_URL", "METRICS_TOKEN"];
  given.push("HOME", "PATH", "PORT", "PWD");
  const missing = documents.flatMap((name) => {
    const set = new Set(given);
    return shellOf(read(name)).flatMap((line) => {
      const used = [...line.matchAll(/(?<!\\)\$\{?([A-Z][A-Z_]*)\b/g)].map(
        ([, variable = ""]) => variable,
      );
      for (const [, variable = ""] of line.matchAll(/\b([A-Z][A-Z_]*)=/g)) set.add(variable);
      for (const [, variable = ""] of line.matchAll(/\b(?:read -r|for) (\w+)/g)) set.add(variable);
      return used
        .filter((variable) => !set.has(variable))
        .map((variable) => `${name}: $${variable}`);
    });
  });
  expect(missing).toEqual([]);
});

test("Commands of a document quote each variable, so that its value cannot become several words", () => {
  const unquoted = documents.flatMap((name) =>
    shellOf(read(name))
      .filter((line) => /\$\{?[A-Za-z_]/.test(withoutQuotes(line)))
      .map((line) => `${name}: ${line}`),
  );
  expect(unquoted).toEqual([]);
});
