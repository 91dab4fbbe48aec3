import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** One guard of the service, broken on purpose. */
export interface Mutant {
  /** What the broken service does wrong. */
  name: string;
  /** The source, or the migration that has the function's current text. */
  file: string;
  /** Occurs once in the file. */
  find: string;
  /** Without it, the text is removed. */
  replace?: string;
  /** A second guard of the file that must be broken too: text and replacement. */
  also?: readonly [find: string, replace: string];
  /** The specs that should notice, such as `api/tasks` or `unit/markdown`. */
  specs: readonly string[];
  /** Only the tests whose titles match. */
  grep?: string;
  /** The pages have the guard in a build of their own, as they have all that their forms do. */
  pages?: true;
  /** Why it does not matter that no test notices. */
  reason?: string;
}

/** Mutants that share a file or specs. */
export function mutantsOf<Shared extends Partial<Mutant>>(
  shared: Shared,
  own: readonly (Omit<Mutant, keyof Shared> & Partial<Mutant>)[],
): Mutant[] {
  return own.map((one) => ({ ...shared, ...one }) as Shared & typeof one & Mutant);
}

export type Areas = Readonly<Record<string, readonly Mutant[]>>;

/** What is wrong with entries: a text that is gone or not unique, a spec or title that does not exist, a name used twice. */
export function problemsOf(areas: Areas, root: string): string[] {
  const read = reader(root);
  const mutants = Object.values(areas).flat();
  const names = mutants.map(({ name }) => name);
  return mutants.flatMap((mutant) =>
    [
      names.indexOf(mutant.name) !== names.lastIndexOf(mutant.name) && "the name is used twice",
      mutant.find === mutant.replace && "`replace` changes nothing",
      sourceProblem(mutant, read),
      ...mutant.specs.map((spec) => specProblem(spec, mutant.grep, read)),
    ].flatMap((problem) => (problem ? [`${mutant.name}: ${problem}.`] : [])),
  );
}

/** The text of a source with the guard broken. */
export function broken({ find, replace = "", also }: Mutant, source: string): string {
  const once = source.replace(find, () => replace);
  return also ? once.replace(also[0], () => also[1]) : once;
}

/** Whether the pages must be rebuilt to show it. */
export function isOfPages({ file, pages }: Pick<Mutant, "file" | "pages">): boolean {
  return pages ?? /^(app\/|components\/|proxy\.ts$)/.test(file);
}

/** The tests that notice any of the mutants, for a run on the whole service. */
export function testsOf(mutants: readonly Mutant[]): Pick<Mutant, "specs" | "grep"> {
  const titles = mutants.flatMap(({ specs, grep = "" }) =>
    specs.map((spec) => `${path.basename(specFile(spec))}.*(${grep})`),
  );
  return {
    specs: [...new Set(mutants.flatMap(({ specs }) => specs))],
    grep: [...new Set(titles)].join("|"),
  };
}

export function specFile(spec: string): string {
  return `tests/${spec}.spec.ts`;
}

type Read = (file: string) => string | undefined;

function reader(root: string): Read & { migrations: string[] } {
  const texts = new Map<string, string | undefined>();
  const read = (file: string) => {
    const place = path.join(root, file);
    if (!texts.has(file)) {
      texts.set(file, existsSync(place) ? readFileSync(place, "utf8") : undefined);
    }
    return texts.get(file);
  };
  const migrations = readdirSync(path.join(root, "prisma/migrations"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `prisma/migrations/${name}/migration.sql`)
    .sort();
  return Object.assign(read, { migrations });
}

function sourceProblem({ file, find, also }: Mutant, read: Read & { migrations: string[] }) {
  const source = read(file);
  if (source === undefined) return `there is no ${file}`;
  for (const text of also ? [find, also[0]] : [find]) {
    const times = source.split(text).length - 1;
    if (times !== 1) return `${file} has “${text}” ${times} times`;
  }
  const name = functionAround(source, find);
  const isReplaced = read.migrations
    .slice(read.migrations.indexOf(file) + 1)
    .some((later) => name !== undefined && read(later)?.match(`CREATE.* FUNCTION ${name}\\(`));
  return file.endsWith(".sql") && isReplaced && `a later migration replaces ${name}`;
}

/** The name of the function that has the text; a trigger, for instance, is in none. */
function functionAround(source: string, text: string): string | undefined {
  const [before = ""] = source.slice(0, source.indexOf(text)).split("$$;").slice(-1);
  return /CREATE.* FUNCTION (\w+)\(/.exec(before)?.[1];
}

function specProblem(spec: string, grep: string | undefined, read: Read) {
  const source = read(specFile(spec));
  if (source === undefined) return `there is no ${specFile(spec)}`;
  return grep !== undefined && !new RegExp(grep).test(source) && `${spec} has no title “${grep}”`;
}
