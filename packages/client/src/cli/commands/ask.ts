import { type Command, Option } from "commander";
import { openContext } from "../context.js";
import { CliError } from "../failure.js";
import { collect, parseDuration } from "../option-values.js";
import { printable } from "../printable.js";

interface AskOptions {
  approve?: true;
  choice: string[];
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
    .addOption(new Option("--approve", "answered with a yes or a no").conflicts("choice"))
    .option("--choice <text>", "answered with one of these; repeatable", collect, [])
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
      const { approve, choice, context, expires } = options;
      const kind = approve ? "approve" : choice.length > 0 ? "choice" : "text";
      const { id, answer_url } = await client.questions.create({
        prompt,
        kind,
        ...(choice.length > 0 && { options: choice.map((label) => ({ id: label, label })) }),
        ...(context !== undefined && { context }),
        ...(expires !== undefined && { expires_in: expires }),
      });
      output.note(`Waiting for an answer at ${printable(answer_url ?? "")}`);
      let question = await client.questions.get(id, { wait: 25 });
      while (question.state === "open") question = await client.questions.get(id, { wait: 25 });
      const { state, answer } = question;
      output.result(question, printable(answer ?? state));
      if (answer === null || (kind === "approve" && answer !== "approve")) {
        throw new CliError("failure", `The question was ${answer === null ? state : "denied"}.`);
      }
    });
}
