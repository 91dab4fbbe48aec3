import { Command } from "commander";
import { VERSION } from "../operations.js";
import { addApi } from "./commands/api.js";
import { addAsk } from "./commands/ask.js";
import { addCompletion } from "./commands/completion.js";
import { addEvents } from "./commands/events.js";
import { addInbox } from "./commands/inbox.js";
import { addListen } from "./commands/listen.js";
import { addLogin, addLogout } from "./commands/login.js";
import { addMessages } from "./commands/messages.js";
import { addOpen } from "./commands/open.js";
import { addPublish } from "./commands/publish.js";
import { addSend } from "./commands/send.js";
import { addStatus } from "./commands/status.js";
import { addTasks } from "./commands/tasks.js";
import { addTrigger } from "./commands/trigger.js";
import { addWhoami } from "./commands/whoami.js";
import { addChannel, addWork } from "./commands/work.js";

/** The command line. It throws instead of ending the process. With `json` it prints no errors. */
export function createProgram(json: boolean): Command {
  const program = new Command("agent-infra")
    .description(
      "Tasks, webhooks, documents, delayed requests, inboxes, schedules and questions for agents.",
    )
    .version(VERSION)
    .option("--url <url>", "the service (default: AGENT_INFRA_URL, or that of the last login)")
    .option("--key <key>", "API key (default: AGENT_INFRA_KEY, or that of the last login)")
    .option("--json", "print JSON: one value, or one per line")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ ...(json && { writeErr: () => {} }) })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      "after",
      `
Examples:
  agent-infra listen --to 4000                  # catch webhooks on this machine
  agent-infra publish report.md --share         # hand over a document
  agent-infra work inbox_… -- ./handle-event    # run a command for each event of an inbox

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not signed in or not allowed,
4 the service cannot be reached, 5 nothing to do.`,
    );
  addLogin(program);
  addLogout(program);
  addWhoami(program);
  addStatus(program);
  addOpen(program);
  addListen(program);
  addTrigger(program);
  addEvents(program);
  addPublish(program);
  addSend(program);
  addAsk(program);
  addMessages(program);
  addTasks(program);
  addInbox(program);
  addWork(program);
  addChannel(program);
  addApi(program);
  addCompletion(program);
  return program;
}
