import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "playwright/test";
import { externalPackages } from "../../scripts/external-packages.mjs";
import { ROOT } from "../support/servers";

interface Package {
  integrity?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
}

/** What npm downloads, by name. */
const packages: Array<[string, Package]> = Object.entries<Package>(
  read("package-lock.json").packages,
).flatMap(([place, one]) =>
  place.includes("node_modules/") && !one.link
    ? [[place.replace(/.*node_modules\//, ""), one]]
    : [],
);

test("Every package in the lock file, of every platform, has an integrity hash", () => {
  const unverified = packages.filter(([, { integrity }]) => integrity === undefined);
  expect(unverified.map(([name]) => name)).toEqual([]);
});

test("Every package that ships is a dependency, not a development dependency", async () => {
  const { dependencies } = read("package.json");
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["server/main.ts", "app/**/*.tsx", "app/**/*.ts"],
    outdir: "unwritten",
    packages: "external",
    bundle: true,
    splitting: true, // each file once, not once for each page
    jsx: "automatic",
    loader: { ".css": "empty", ".svg": "empty", ".woff2": "empty" },
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
  });
  const names = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external))
    .filter(({ path }) => !isBuiltin(path))
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  expect([...new Set(names)].filter((name) => !(name in dependencies))).toEqual([]);
});

test("The packages that a built server loads take less than 400 MB, and none is a compiler, a browser, an image library or Prisma's", () => {
  const places = externalPackages();
  const unwanted = /typescript|esbuild|tsx|tailwind|playwright|prisma|@types|@img/;
  expect(places.filter((place) => unwanted.test(place))).toEqual([]);
  const bytes = places
    .map((place) => path.join(ROOT, place))
    .filter((place) => existsSync(place))
    .flatMap(filesIn)
    .reduce((sum, file) => sum + lstatSync(file).size, 0);
  expect(bytes / 1_000_000).toBeLessThan(400);
});

/** What each start loads, of the service's own files and of packages, before it is needed. */
const starts = {
  "server/main.ts": [],
  "server/serve.ts": [],
  "proxy.ts": [/^(?!proxy\.ts$)/],
  "app/_shared/instrumentation.ts": [/^pg$/],
  "lib/resources/tasks/operations.ts": [/^lib\/resources\/(?!tasks)\w+\/(?:contract|service)/],
  "app/api/[kind]/[id]/route.ts": [/^lib\/resources\/\w+\/(?:contract|service|operations)/],
};

for (const [entry, others] of Object.entries(starts)) {
  test(`${entry} loads Prisma, MCP and OpenTelemetry only when they are used`, async () => {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: [entry],
      outdir: "unwritten",
      packages: "external",
      bundle: true,
      splitting: true,
      platform: "node",
      format: "esm",
      write: false,
      metafile: true,
    });
    expect(metafile.inputs).toHaveProperty([entry]);
    const loaded = new Set([entry]);
    for (const file of loaded) {
      for (const { path, kind } of metafile.inputs[file]?.imports ?? []) {
        if (kind !== "dynamic-import") loaded.add(path);
      }
    }
    const late = [
      /^@prisma\/(?!client-runtime-utils)/,
      /^@modelcontextprotocol/,
      /^@opentelemetry/,
    ];
    const isLate = (path: string) => [...late, ...others].some((pattern) => pattern.test(path));
    expect([...loaded].filter(isLate)).toEqual([]);
  });
}

test("Every package with an install script is declared in allowScripts", () => {
  const scripts = packages.filter(([, one]) => one.hasInstallScript).map(([name]) => name);
  expect(Object.keys(read("package.json").allowScripts).sort()).toEqual(scripts.sort());
});

test("Vercel builds with a major version of Node that this project names, never with a later one", () => {
  const { engines } = read("package.json");
  for (const range of engines.node.split(" || ")) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
});

/** The files of a package, without those of packages installed within it. */
function filesIn(place: string): string[] {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(place, entry.name);
    if (!entry.isDirectory()) return [file];
    return entry.name === "node_modules" ? [] : filesIn(file);
  });
}

function read(name: string) {
  return JSON.parse(readFileSync(path.join(ROOT, name), "utf8"));
}
