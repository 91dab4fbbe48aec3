// Load with --import to run openapi-typescript, which needs the compiler API of TypeScript 5.
import { register } from "node:module";

const hooks = `export const resolve = (name, context, next) =>
  next(name === "typescript" ? "typescript-5" : name, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
