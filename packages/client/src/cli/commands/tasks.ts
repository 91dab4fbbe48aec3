import { hostname } from "node:os";
import { type Command, Option } from "commander";
import { ApiError } from "../../api-error.js";
import { leaseNext } from "../../next-task.js";
import type { Task } from "../../schema.js";
import { forgetLease, rememberedLease, rememberLease } from "../config.js";
import { openContext, requireKey } from "../context.js";
import { CliError, exitCodes } from "../failure.js";
import { formatTime } from "../format.js";
import { collect, durationOption, parseCount, parseTime } from "../option-values.js";
import { CONNECTING_AGAIN, type Output, writeCreated } from "../output.js";
import { printable } from "../printable.js";

const PRIORITIES = ["low", "medium", "high", "critical"] as const;

export function addTasks(program: Command): void {
  const tasks = program
    .command("tasks")
    .summary("Take, finish, list and add tasks")
    .description("Take, finish, list and add tasks.");
  addNext(tasks);
  addDone(tasks);
  addList(tasks);
  addAdd(tasks);
}

interface NextOptions {
  label: string[];
  holder: string;
  lease: number;
  wait: number;
}

function addNext(tasks: Command): void {
  tasks
    .command("next")
    .summary("Lease the next free task")
    .description("Lease the next free task of your organization. Exit code 5 if there is none.")
    .option("--label <label>", "only tasks with this label; repeatable", collect, [])
    .option("--holder <name>", "name of this worker", `${hostname()}`)
    .addOption(durationOption("--lease <duration>", "how long the task is yours", "15m"))
    .addOption(durationOption("--wait <duration>", "how long to wait for a task", "0s"))
    .addHelpText(
      "after",
      `
Example:
  agent-infra tasks next --label docs --wait 20s --json`,
    )
    .action(async (options: NextOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const { label, holder, wait, lease: leaseSeconds } = options;
      const labels = label.length > 0 ? label : undefined;
      const wanted = { holder, labels, wait, leaseSeconds };
      const leased = await leaseNext(client, wanted, (_, breaks) => {
        if (breaks === 1) output.note(CONNECTING_AGAIN);
      });
      const object = "task_lease_result";
      if (!leased) {
        process.exitCode = exitCodes.nothing;
        return output.result({ object, task: null, lease: null }, "No task is free.");
      }
      const { task, lease } = leased;
      try {
        // First, since a reader of the output may complete the task at once.
        await rememberLease(task.id, lease.lease_id);
      } finally {
        // The caller must learn of the lease even if it cannot be stored.
        output.result(
          { object, task, lease },
          `${lineOf(output, task)}\nLease ${printable(lease.lease_id)} until ${formatTime(lease.expires_at)}`,
        );
      }
    });
}

interface DoneOptions {
  lease?: string;
  note?: string;
}

function addDone(tasks: Command): void {
  tasks
    .command("done")
    .summary("Mark a task as done")
    .description("Label a task `done`, remove the label `in-progress`, and release its lease.")
    .argument("<task>", "ID of the task (tsk_…)")
    .option("--lease <lease>", "your lease (default: that of the last tasks next on this machine)")
    .option("--note <text>", "a note to add")
    .action(async (id: string, { lease, note }: DoneOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const lease_id = lease ?? (await rememberedLease(id));
      const task = await client.tasks.complete(id, { lease_id, note }).catch(async (error) => {
        const isLost = error instanceof ApiError && error.code === "lease_lost";
        if (!isLost || lease !== undefined) throw error;
        await forgetLease(id);
        const advice = "Run this again to complete the task without your lease.";
        throw new CliError("failure", `${error.message} ${advice}`, { code: error.code });
      });
      output.result(task, `Done: ${lineOf(output, task)}`);
      await forgetLease(id);
    });
}

interface ListOptions {
  label: string[];
  all?: boolean;
  limit: number;
}

function addList(tasks: Command): void {
  tasks
    .command("list")
    .summary("List tasks")
    .description("List the open tasks of your organization, newest first, one per line.")
    .option("--label <label>", "only tasks with this label; repeatable", collect, [])
    .option("--all", "also those that are done")
    .option("--limit <count>", "how many at most", parseCount, 20)
    .action(async ({ label, all, limit }: ListOptions, command: Command) => {
      const { client, output } = requireKey(await openContext(command));
      const not_label = all || label.includes("done") ? [] : ["done"];
      const query = { limit: Math.min(limit, 100), label, not_label };
      await output.list(client.tasks.list(query), limit, "There are no such tasks.", (task) =>
        lineOf(output, task),
      );
    });
}

interface AddOptions {
  description?: string;
  priority?: (typeof PRIORITIES)[number];
  label: string[];
  due?: number;
}

function addAdd(tasks: Command): void {
  tasks
    .command("add")
    .summary("Add a task")
    .description("Add a task.")
    .argument("<name>", "what is to be done")
    .option("--description <text>", "more about it")
    .addOption(new Option("--priority <priority>", "how urgent it is").choices(PRIORITIES))
    .option("--label <label>", "a label; repeatable", collect, [])
    .option("--due <time>", "when it is due: 2026-01-31T12:00Z, or Unix seconds", parseTime)
    .action(async (name: string, options: AddOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const { description, priority, label, due: due_at } = options;
      const labels = label.length > 0 ? label : undefined;
      const task = await client.tasks.create({ name, description, priority, labels, due_at });
      writeCreated(output, task, lineOf(output, task));
    });
}

function lineOf(output: Output, { id, priority, name, labels, due_at }: Task): string {
  return [
    output.style("dim", printable(id)),
    printable(priority).padEnd(8),
    printable(name),
    ...(labels.length > 0 ? [output.style("cyan", printable(`[${labels.join(", ")}]`))] : []),
    ...(due_at === null ? [] : [`due ${formatTime(due_at)}`]),
  ].join("  ");
}
