import { parseArgs } from "node:util";

/**
 * The arguments of a script. With `--help` it prints `usage` and exits. So it does for an unknown
 * argument, since acting on the others alone could do harm.
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
