import { parseArgs } from "node:util";

/**
 * The arguments of a script. Prints `usage` and exits for `--help`, and also for arguments that the
 * script does not have: it must not act on the rest of them.
 *
 * @template {import("node:util").ParseArgsConfig} Config
 * @param {string} usage
 * @param {Config} [config]
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function argumentsOf(usage, config) {
  const help = { type: "boolean", short: "h" };
  try {
    const parsed = parseArgs({ ...config, options: { ...config?.options, help } });
    if (!parsed.values.help) return parsed;
  } catch (error) {
    // Node's advice is for arguments that look like options.
    refuse(error.message.replace(/ To specify .*/s, ""), usage);
  }
  console.log(usage);
  process.exit();
}

/** @param {string} problem @param {string} usage @returns {never} */
export function refuse(problem, usage) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(1);
}
