// Load with --import: replaces the text PLANT_FROM by PLANT_TO in the built server, and says so. It must be there once.
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const { PLANT_FROM: from, PLANT_TO: to } = process.env;
  if (!from || !url.includes("/dist/")) return loaded;
  const [before, after, ...more] = String(loaded.source).split(from);
  if (after === undefined) return loaded;
  if (more.length > 0) throw new Error(`${url} has the text of the planted fault more than once.`);
  console.error("Planted.");
  return { ...loaded, source: before + to + after };
}
