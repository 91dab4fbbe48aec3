import { argumentsOf, refuse } from "../../scripts/arguments.mjs";
import { AREAS } from "./all";
import type { Copy, Verdict } from "./copy";
import { isOfPages, type Mutant, problemsOf, testsOf } from "./mutant";
import { Report } from "./report";

const USAGE = `Usage: npm run mutants -- [--area AREA]… [--only TEXT]… [--spec TEXT] [--report FILE [--resume]] [--jobs 1]
                          [--trust] [--list]

Breaks each guard of tests/mutants/areas in a copy of the working tree, runs the specs that should notice, and lists the
mutants that survive. --only takes those that have TEXT in their names, --spec those with TEXT in the name of a spec.
Specs first run on the whole service, and must pass; --trust leaves that out. --report adds each verdict to a file, and
--resume leaves out what the file has; SIGTERM lets the mutant that runs end. --list runs nothing, and counts what the
file has. Fails if a mutant survives without a reason.`;

const { values } = argumentsOf(USAGE, {
  options: {
    area: { type: "string", multiple: true, default: Object.keys(AREAS) },
    only: { type: "string", multiple: true, default: [""] },
    spec: { type: "string", default: "" },
    report: { type: "string" },
    resume: { type: "boolean", default: false },
    jobs: { type: "string", default: "1" },
    trust: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const report = values.report === undefined ? undefined : new Report(values.report);
// Builds of the pages take long, so these come last.
const chosen = Object.entries(AREAS)
  .filter(([area]) => values.area.includes(area))
  .flatMap(([area, mutants]) => mutants.map((mutant) => ({ ...mutant, area })))
  .filter(({ name }) => values.only.some((text) => name.includes(text)))
  .filter(({ specs }) => specs.some((spec) => spec.includes(values.spec)))
  .filter((mutant) => !(values.resume && report?.isDone(mutant)))
  .sort((one, other) => Number(isOfPages(one)) - Number(isOfPages(other)));
const jobs = Number(values.jobs);
if (!(jobs >= 1)) refuse("--jobs is a number from 1.", USAGE);
if (values.resume && !report) refuse("--resume needs --report.", USAGE);
if (values.area.some((area) => !(area in AREAS)) || (chosen.length === 0 && !values.resume)) {
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
  if (report) console.log(report.table(AREAS));
  process.exit(0);
}

// Only now, since --help should not wait for it.
const { makeCopy } = await import("./copy");
type Chosen = (typeof chosen)[number];
const verdicts: Array<{ mutant: Mutant; verdict: Verdict }> = [];
/** Runs on the whole service, by what they ran. */
const proofs = new Map<string, Promise<Verdict>>();
const rest = [...chosen];
process.once("SIGTERM", () => rest.splice(0));
await Promise.all(Array.from({ length: Math.min(jobs, rest.length) }, work));
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
if (report) console.log(report.table(AREAS));
process.exit(unexplained.length === 0 ? 0 : 1);

/** Tries mutants in a copy of its own until none is left. */
async function work() {
  const copy = await makeCopy();
  try {
    for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) {
      const verdict = await judge(copy, mutant);
      verdicts.push({ mutant, verdict });
      report?.add(mutant, verdict);
      const note = verdict.detail || mutant.reason || "";
      console.log(
        `${verdict.kind} in ${verdict.seconds} s: ${mutant.name}${note && ` (${note.slice(0, 300)})`}`,
      );
    }
  } finally {
    copy.remove();
  }
}

async function judge(copy: Copy, mutant: Chosen): Promise<Verdict> {
  const detail = values.trust ? undefined : await problemOnWhole(copy, mutant);
  return detail === undefined ? copy.try(mutant) : { kind: "undecided", detail, seconds: 0 };
}

/** Why the mutant's specs would say nothing. The specs of its area run once, and its own if one of those fails. */
async function problemOnWhole(copy: Copy, mutant: Chosen): Promise<string | undefined> {
  const all = chosen.filter(({ area }) => area === mutant.area);
  for (const mutants of [all, [mutant]]) {
    const whole = { name: "", file: "", ...testsOf(mutants) };
    const key = JSON.stringify(whole);
    const proof = proofs.get(key) ?? copy.run(whole, mutants.length * 60);
    proofs.set(key, proof);
    const { kind, detail } = await proof;
    if (kind === "survived") return undefined;
    console.log(`Fails on the whole service: ${detail}`);
  }
  return "its specs fail on the whole service";
}
