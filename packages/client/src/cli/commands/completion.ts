import { Argument, type Command } from "commander";
import { completionScript, type Shell, shells } from "../completion.js";

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .summary("Print a completion script for your shell")
    .description("Print a script that completes commands and options in bash, zsh or fish.")
    .addArgument(new Argument("<shell>", "your shell").choices(shells))
    .addHelpText(
      "after",
      `
Examples:
  source <(agent-infra completion bash)          # in ~/.bashrc
  source <(agent-infra completion zsh)           # in ~/.zshrc, after compinit
  agent-infra completion fish | source           # in ~/.config/fish/config.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, program));
    });
}
