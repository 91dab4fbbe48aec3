// `--import` this to run openapi-typescript: it needs the compiler API that TypeScript 7 no longer has.
import { register } from "node:module";

const hooks = `export const resolve = (name, context, next) =>
  next(name === "typescript" ? "typescript-5" : name, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
