import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { ROOT } from "../support/servers";

interface Package {
  integrity?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const packages: Array<[string, Package]> = Object.entries<Package>(
  read("package-lock.json").packages,
).flatMap(([place, one]) => (place === "" ? [] : [[place.replace(/.*node_modules\//, ""), one]]));

test("Every package in the lock file, of every platform, has an integrity hash", () => {
  const unverified = packages.filter(([, { integrity }]) => integrity === undefined);
  expect(unverified.map(([name]) => name)).toEqual([]);
});

test("Nothing of Prisma is installed in production", () => {
  const inProduction = packages.filter(([name, { dev }]) => !dev && name.includes("prisma"));
  expect(inProduction).toEqual([]);
});

test("The build finds its types without development dependencies: else Next would install them at start", () => {
  const names = packages.filter(([, { dev }]) => !dev).map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["typescript", "@types/node", "@types/react"]));
});

test("Every package with an install script is declared in allowScripts", () => {
  const scripts = packages.filter(([, one]) => one.hasInstallScript).map(([name]) => name);
  expect(Object.keys(read("package.json").allowScripts).sort()).toEqual(scripts.sort());
});

function read(name: string) {
  return JSON.parse(readFileSync(path.join(ROOT, name), "utf8"));
}
