import type { ArtifactCreate } from "@/lib/resources/artifacts/contract";

/** Reports, drafts and pages. `drafts` are earlier contents of a document, the oldest first. */
export const DOCUMENTS: (ArtifactCreate & { drafts?: string[] })[] = [
  {
    name: "Weekly operations report",
    format: "markdown",
    content: `# Week 46

Throughput rose by **4.2 %**; returns fell below 2 % for the first time.

| Line | Orders | Errors |
|------|-------:|-------:|
| A    | 4 112  | 12     |
| B    | 3 870  | 31     |
| C    | 1 004  | 2      |

## What stood out

1. Belt 4 stopped on four days at noon. The charger shares its circuit.
2. The carrier's sandbox was down for six hours; nothing was lost.

> Line B needs a second scanner before December.

\`\`\`sql
SELECT line, count(*) FROM orders GROUP BY line;
\`\`\`
`,
    drafts: [
      "# Week 46\n\nFigures follow.\n",
      "# Week 46\n\nThroughput rose by **4.2 %**; returns fell below 2 % for the first time.\n",
      "# Week 46\n\nThroughput rose by **4.2 %**; returns fell below 2 % for the first time.\n\n## What stood out\n\n1. Belt 4 stopped on four days at noon. Nobody knows why yet; the charger, the drive and the timetable of the cleaners are suspects.\n2. The carrier's sandbox was down for six hours.\n3. Two pallets were found that the system had lost in October.\n",
    ],
  },
  {
    name: "Packing guidelines",
    format: "markdown",
    content: "# Packing\n\n- Fragile goods go on top.\n- Two layers of paper, never plastic.\n",
  },
  {
    name: "Throughput by hour",
    format: "html",
    content:
      "<!doctype html><title>Throughput</title><style>body{font:16px system-ui;padding:2rem}b{color:#3046c9}</style><h1>Throughput</h1><p>Peak at 14:00 with <b>612</b> orders.</p>",
  },
  {
    name: "Draft: answer to the safety audit",
    format: "markdown",
    content:
      "# Answer\n\nDear Ms Okafor,\n\nthank you for the visit. The horn was replaced on Tuesday; exit 2 has a line on the floor now.\n",
    drafts: ["# Answer\n\nDear Ms Okafor,\n"],
  },
  {
    name: "Release notes 4.7 (Portuguese)",
    format: "markdown",
    content:
      "# Notas da versão 4.7\n\n- As etiquetas térmicas já não saem em branco.\n- O leitor de códigos acorda em dois segundos.\n",
    drafts: ["# Notas da versão 4.7\n", "# Notas da versão 4.7\n\n- As etiquetas térmicas.\n"],
  },
  {
    name: "Quotes for thermal labels",
    format: "markdown",
    content:
      "# Quotes\n\n| Supplier | 1 000 | Lead time |\n|---|---:|---|\n| Adler | 18.40 € | 4 days |\n| Norte | 16.90 € | 9 days |\n| Printex | 19.10 € | 2 days |\n\nPrintex, if the audit is before December.\n",
  },
  {
    name: "Onboarding of a new agent",
    format: "markdown",
    content:
      "# Before the first run\n\n- [x] A key of its own, with an end\n- [x] An inbox for what it cannot decide\n- [ ] A person who reads that inbox\n",
  },
];
