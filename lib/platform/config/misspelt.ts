import { environment } from "./environment";

/**
 * Which of `names`, by default those of the environment, differ from a variable's by one letter or two
 * swapped ones, each with that variable.
 */
export function misspeltVariables(
  names = Object.keys(process.env),
): Array<{ name: string; meant: string }> {
  const long = Object.keys(environment).filter((known) => known.includes("_"));
  return names.flatMap((name) => {
    if (name in environment) return [];
    const meant = long.find((known) => isMisspelt(name, known));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isMisspelt(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === known[start]) start += 1;
  const [given, meant] = [name.slice(start), known.slice(start)];
  return (
    given.slice(1) === meant.slice(1) || // another letter
    given.slice(1) === meant || // one too many
    given === meant.slice(1) || // one too few
    (given.slice(2) === meant.slice(2) && given[0] === meant[1] && given[1] === meant[0])
  );
}
