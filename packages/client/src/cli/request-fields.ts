import { InvalidArgumentError } from "commander";

/** The fields of a request, as in its JSON. */
export interface Fields {
  [name: string]: unknown;
}

/** Adds a `key=value` whose value is text. */
export function collectText(given: string, before: Fields = {}): Fields {
  const [path, value] = split(given);
  return withField(before, path, value, given);
}

/** Adds a `key=value` whose value is JSON, such as `5`, `true` or `null`. */
export function collectJson(given: string, before: Fields = {}): Fields {
  const [path, value] = split(given);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new InvalidArgumentError(`"${value}" is not JSON. Use -f for text.`);
  }
  return withField(before, path, parsed, given);
}

/** `a[b][]=v` is the path `a`, `b`, `` and the value `v`. */
function split(given: string): [path: string[], value: string] {
  const [, name = "", nested = "", value = ""] =
    /^([^[=]+)((?:\[[^\]]*\])*)=(.*)$/s.exec(given) ?? [];
  if (name === "") throw new InvalidArgumentError("Write a field as key=value.");
  const inner = Array.from(nested.matchAll(/\[([^\]]*)\]/g), ([, key = ""]) => key);
  return [[name, ...inner], value];
}

function withField(fields: Fields, path: string[], value: unknown, given: string): Fields {
  const [name = "", next, ...rest] = path;
  // Object.assign would take `__proto__` for the prototype.
  const set = (one: unknown): Fields =>
    Object.fromEntries([...Object.entries(fields), [name, one]]);
  if (next === undefined) return set(value);
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (next === "" && rest.length === 0 && (known === undefined || Array.isArray(known))) {
    return set([...(known ?? []), value]);
  }
  if (next !== "" && (known === undefined || isFields(known))) {
    return set(withField(known ?? {}, [next, ...rest], value, given));
  }
  throw new InvalidArgumentError(`"${given}" contradicts another field, or nests below [].`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
