import { type Command, Option } from "commander";
import { poll } from "../../long-poll.js";
import { openContext } from "../context.js";
import { CliError } from "../failure.js";
import { collect, parseDuration, parseObject } from "../option-values.js";
import { CONNECTING_AGAIN, claimLines } from "../output.js";
import { printable } from "../printable.js";

/** The longest wait of one request. */
const WAIT_SECONDS_MAX = 25;
const OPTION_ID_MAX = 100;

interface AskOptions {
  approve?: true;
  choice: string[];
  form?: Record<string, unknown>;
  context?: string;
  expires?: number;
}

export function addAsk(program: Command): void {
  program
    .command("ask")
    .summary("Ask a person, and wait for the answer")
    .description(
      "Ask a person by a link that needs no account, and wait. Prints the answer; fails if it is a no, or if there is none.",
    )
    .argument("<prompt>", "the question")
    .addOption(new Option("--approve", "answered with a yes or a no").conflicts(["choice", "form"]))
    .option("--choice <text>", "answered with one of these; repeatable", collect, [])
    .addOption(
      new Option(
        "--form <json>",
        "answered with a form: a flat JSON Schema, as in MCP's elicitation",
      )
        .argParser(parseObject)
        .conflicts("choice"),
    )
    .option("--context <markdown>", "what the person reads with it")
    .option("--expires <duration>", "how long to wait (default: 7d)", parseDuration)
    .addHelpText(
      "after",
      `
Examples:
  agent-infra ask "Deploy version 2?" --approve && ./deploy
  agent-infra ask "Which colour?" --choice red --choice blue`,
    )
    .action(async (prompt: string, options: AskOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const { approve, choice, form, context, expires } = options;
      const kind = approve ? "approve" : form ? "form" : choice.length > 0 ? "choice" : "text";
      const created = await client.questions.create({
        prompt,
        kind,
        options: choice.length > 0 ? optionsOf(choice) : undefined,
        form,
        context,
        expires_in: expires,
      });
      output.note(`Waiting for an answer at ${printable(created.answer_url ?? "")}`);
      for (const line of claimLines(created)) output.note(line);
      const question = await poll(() => (wait) => client.questions.get(created.id, { wait }), {
        until: ({ state }) => state !== "open",
        wait: Number.POSITIVE_INFINITY, // the question expires
        waitMax: WAIT_SECONDS_MAX,
        onBreak: (_, breaks) => {
          if (breaks === 1) output.note(CONNECTING_AGAIN);
        },
      });
      const { state, answer, options: offered } = question;
      const words = typeof answer === "object" ? answer && JSON.stringify(answer) : answer;
      const label = offered?.find((option) => option.id === answer)?.label;
      output.result({ ...created, ...question }, printable(label ?? words ?? state));
      if (answer === null || (kind === "approve" && answer !== "approve")) {
        throw new CliError("failure", `The question was ${answer === null ? state : "denied"}.`);
      }
    });
}

/** Each choice is its own ID, unless one is too long for that. */
function optionsOf(labels: string[]) {
  const areShort = labels.every((label) => label.length <= OPTION_ID_MAX);
  return labels.map((label, n) => ({ id: areShort ? label : `option-${n + 1}`, label }));
}
