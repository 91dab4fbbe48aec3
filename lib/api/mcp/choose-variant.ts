import { ApiError, invalidParam, quote } from "@/lib/platform/errors";
import { wordList } from "@/lib/platform/http/issue-message";
import {
  type Arguments,
  type Condition,
  isMet,
  isPrefix,
  isValue,
  type Tool,
  type Variant,
  variantFor,
} from "./tool";

/** The operation that the tool runs for these arguments. Throws 400 if there is none. */
export function chosenVariant(tool: Tool, args: Arguments): Variant {
  const variant = variantFor(tool, args);
  if (variant) return variant;
  const given = Object.keys(args).filter((name) => isMet(true, args[name]));
  let candidates = tool.variants;
  for (const name of given) {
    const takesIt = ({ when = {} }: Variant) =>
      !Object.hasOwn(when, name) || isMet(when[name] ?? null, args[name]);
    const stillPossible = candidates.filter(takesIt);
    const requiringAValue = candidates.filter(({ when = {} }) => isValue(when[name]));
    const isOtherValue = requiringAValue.length > 0 && !requiringAValue.some(takesIt);
    if (stillPossible.length === 0 || isOtherValue) throw refused(name, candidates);
    candidates = stillPossible;
  }
  throw missing(candidates, given);
}

function refused(name: string, candidates: readonly Variant[]): ApiError {
  const allowed = [...new Set(candidates.map(({ when = {} }) => when[name]))];
  const prefixes = allowed.filter(isPrefix);
  const values = allowed.filter(isValue);
  const ways = [
    ...(values.length > 0 ? [`be ${wordList(values, "or")}`] : []),
    ...(prefixes.length > 0 ? [`begin with ${wordList(prefixes, "or")}`] : []),
  ];
  const must = ways.length > 0 ? `must ${ways.join(", or ")}` : "must be omitted here";
  return invalidParam(name, `${quote(name)} ${must}.`);
}

/** Names the fewest arguments that would be enough. */
function missing(candidates: readonly Variant[], given: string[]): ApiError {
  const missed = candidates.map(({ when = {} }) =>
    Object.entries(when).filter(([name, condition]) => condition !== null && !given.includes(name)),
  );
  const fewest = Math.min(...missed.map(({ length }) => length));
  const entries = missed.filter(({ length }) => length === fewest).flat();
  const names = [...new Set(entries.map(([name]) => name))];
  const [name = ""] = names;
  if (names.length > 1) {
    const message = `One of ${wordList(names.map(quote), "and")} is required.`;
    return new ApiError("missing_required_param", message, { param: name });
  }
  return new ApiError("missing_required_param", `${quote(name)} is required${hint(entries)}.`, {
    param: name,
  });
}

function hint(entries: [string, Condition][]): string {
  const conditions = [...new Set(entries.map(([, condition]) => condition))];
  const prefixes = conditions.filter(isPrefix);
  if (prefixes.length > 0) return `; it begins with ${wordList(prefixes, "or")}`;
  const values = conditions.filter((one): one is string => typeof one === "string");
  return values.length > 0 ? `: ${wordList(values, "or")}` : "";
}
