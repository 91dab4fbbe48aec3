import { parseArgs } from "node:util";

/**
 * The arguments of a script: its options, and from `min` to `max` others. With `--help` it prints
 * `usage` and exits. So it does for an unknown argument, since acting on the others alone could do harm.
 *
 * @template {Pick<import("node:util").ParseArgsConfig, "args" | "options">} Config
 * @param {string} usage
 * @param {Config & { min?: number, max?: number }} [config]
 * @returns {ReturnType<typeof parseArgs<Config & { allowPositionals: true }>>}
 */
export function argumentsOf(usage, { min = 0, max = 0, ...config } = {}) {
  const help = { type: "boolean", short: "h" };
  try {
    const options = { ...config.options, help };
    const parsed = parseArgs({ ...config, options, allowPositionals: true });
    const { positionals } = parsed;
    if (!parsed.values.help) {
      if (positionals.length > max) refuse(`Unexpected argument '${positionals[max]}'.`, usage);
      if (positionals.length < min) refuse("An argument is missing.", usage);
      return parsed;
    }
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
