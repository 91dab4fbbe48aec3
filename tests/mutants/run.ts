import { argumentsOf, refuse } from "../../scripts/arguments.mjs";
import { AREAS } from "./all";
import type { Copy, Verdict } from "./copy";
import { type Mutant, problemsOf } from "./mutant";

const USAGE = `Usage: npm run mutants -- [--area AREA] [--only TEXT]… [--spec TEXT] [--jobs 1] [--trust] [--list]

Breaks each guard of tests/mutants/areas in a copy of the working tree, runs the specs that should notice, and lists the
mutants that survive. --only takes those that have TEXT in their names, --spec those with TEXT in the name of a spec.
Specs first run on the whole service, and must pass; --trust leaves that out. --list runs nothing. Fails if a mutant
survives without a reason.`;

const { values } = argumentsOf(USAGE, {
  options: {
    area: { type: "string" },
    only: { type: "string", multiple: true, default: [""] },
    spec: { type: "string", default: "" },
    jobs: { type: "string", default: "1" },
    trust: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const chosen = Object.entries(AREAS)
  .filter(([area]) => values.area === undefined || area === values.area)
  .flatMap(([area, mutants]) => mutants.map((mutant) => ({ ...mutant, area })))
  .filter(({ name }) => values.only.some((text) => name.includes(text)))
  .filter(({ specs }) => specs.some((spec) => spec.includes(values.spec)));
const jobs = Number(values.jobs);
if (!(jobs >= 1)) refuse("--jobs is a number from 1.", USAGE);
if (chosen.length === 0) {
  refuse(`No such mutant. Areas: ${Object.keys(AREAS).join(", ")}.`, USAGE);
}
const problems = problemsOf(AREAS, process.cwd());
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
if (values.list) {
  for (const { area, name } of chosen) console.log(`${area}: ${name}`);
  console.log(`${chosen.length} mutants`);
  process.exit(0);
}

// Only now, since --help should not wait for it.
const { makeCopy } = await import("./copy");
const verdicts: Array<{ mutant: Mutant; verdict: Verdict }> = [];
const proven = new Set<string>();
const rest = [...chosen];
await Promise.all(Array.from({ length: jobs }, work));
const unexplained = verdicts.filter(
  ({ mutant, verdict }) =>
    verdict.kind === "undecided" || (verdict.kind === "survived" && !mutant.reason),
);
for (const { mutant } of unexplained) console.log(`Not killed: ${mutant.name} (${mutant.file})`);
const count = (kind: Verdict["kind"]) =>
  verdicts.filter(({ verdict }) => verdict.kind === kind).length;
console.log(
  `${verdicts.length} mutants: ${count("killed")} killed, ${count("survived")} survived, ` +
    `${count("undecided")} undecided; ${unexplained.length} without a reason`,
);
process.exit(unexplained.length === 0 ? 0 : 1);

/** Tries mutants in a copy of its own until none is left. */
async function work() {
  const copy = await makeCopy();
  try {
    for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) {
      const verdict = await judge(copy, mutant);
      verdicts.push({ mutant, verdict });
      const note = verdict.detail || mutant.reason || "";
      console.log(`${verdict.kind} in ${verdict.seconds} s: ${mutant.name}${note && ` (${note})`}`);
    }
  } finally {
    copy.remove();
  }
}

async function judge(copy: Copy, mutant: Mutant): Promise<Verdict> {
  const key = JSON.stringify([mutant.specs, mutant.grep]);
  if (!values.trust && !proven.has(key)) {
    const whole = await copy.run({ ...mutant, file: "" });
    if (whole.kind !== "survived") {
      const detail = `its specs fail on the whole service: ${whole.detail}`;
      return { ...whole, kind: "undecided", detail };
    }
    proven.add(key);
  }
  return copy.try(mutant);
}
