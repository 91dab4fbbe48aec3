// `npm run create-key` and the like: from the sources, or from the build after `npm ci --omit=dev`.
import { existsSync } from "node:fs";

const [name] = process.argv.splice(2, 1);
if (existsSync("node_modules/tsx")) {
  const { register } = await import("tsx/esm/api");
  register();
  await import(`./${name}.ts`);
} else {
  await import(`../dist/scripts/${name}.js`);
}
