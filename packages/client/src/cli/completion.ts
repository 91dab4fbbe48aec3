import type { Command } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** A script that completes the commands and options of this program without starting it. */
export function completionScript(shell: Shell, program: Command): string {
  const places = placesOf(program);
  if (shell === "bash") return bash(program.name(), places);
  if (shell === "zsh") return zsh(program.name(), places);
  return fish(program.name(), places);
}

/** The words that may follow a command. The root path is empty; others look like `tasks next`. */
interface Place {
  path: string;
  /** Commands, or the values of its argument. */
  words: { name: string; description: string }[];
  options: { name: string; description: string; takesValue: boolean; choices: string[] }[];
}

function placesOf(program: Command): Place[] {
  const help = program.createHelp();
  const visit = (command: Command, path: string[]): Place[] => {
    const options = [...help.visibleOptions(command), ...(path.length > 0 ? program.options : [])];
    const commands = help.visibleCommands(command);
    const choices = command.registeredArguments[0]?.argChoices ?? [];
    return [
      {
        path: path.join(" "),
        words: [
          ...commands.map((one) => ({ name: one.name(), description: one.summary() })),
          ...choices.map((name) => ({ name, description: "" })),
        ],
        options: options.flatMap(({ long, description, required, argChoices }) =>
          long
            ? [{ name: long, description, takesValue: required, choices: argChoices ?? [] }]
            : [],
        ),
      },
      ...commands
        .filter((one) => one.name() !== "help")
        .flatMap((one) => visit(one, [...path, one.name()])),
    ];
  };
  return visit(program, []);
}

function bash(name: string, places: Place[]): string {
  const run = functionName(name);
  return `# Completion for bash. Load it with: source <(${name} completion bash)
${run}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local place="" subcommands="" options="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -- ]] && return
    case "$place:\${COMP_WORDS[i]}" in
${steps(places)}
    esac
  done
  case "$place:$previous" in
${values(places, (choices) => `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return`, "return")}
  esac
  case "$place" in
${lines(places, ({ path, words, options }) => {
  const names = (list: { name: string }[]) => list.map((one) => one.name).join(" ");
  return `    "${path}") subcommands="${names(words)}" options="${names(options)}" ;;`;
})}
  esac
  [[ $current == -* ]] && subcommands=$options
  COMPREPLY=($(compgen -W "$subcommands" -- "$current"))
}
complete -o default -F ${run} ${name}
`;
}

function zsh(name: string, places: Place[]): string {
  const run = functionName(name);
  const described = (list: { name: string; description: string }[]) =>
    list.map((one) => quoted(`${one.name}:${one.description.replaceAll(":", "\\:")}`)).join(" ");
  return `#compdef ${name}
# Completion for zsh. Load it with: source <(${name} completion zsh)
${run}() {
  local place="" word
  local -a subcommands_ options_
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -- ]] && { _files; return }
    case "$place:$word" in
${steps(places)}
    esac
  done
  case "$place:\${words[CURRENT-1]}" in
${values(places, (choices) => `compadd -- ${choices.join(" ")}; return`, "_files; return")}
  esac
  case "$place" in
${lines(places, ({ path, words, options }) => {
  return `    "${path}") subcommands_=(${described(words)}) options_=(${described(options)}) ;;`;
})}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option options_
  elif (( $#subcommands_ )); then
    _describe command subcommands_
  else
    _files
  fi
}
if [[ \${funcstack[1]} == ${run} ]]; then ${run} "$@"; else compdef ${run} ${name}; fi
`;
}

function fish(name: string, places: Place[]): string {
  return [
    `# Completion for fish. Load it with: ${name} completion fish | source`,
    `complete -c ${name} -e`,
    ...places.flatMap(({ path, words, options }) => {
      const seen = path.split(" ").filter(Boolean);
      const here = seen.map((word) => `__fish_seen_subcommand_from ${word}`);
      const none = `not __fish_seen_subcommand_from ${words.map((one) => one.name).join(" ")}`;
      const condition = (parts: string[]) =>
        parts.length > 0 ? `-n '${parts.join("; and ")}' ` : "";
      return [
        ...words.map(
          (one) =>
            `complete -c ${name} -f ${condition([...here, none])}-a ${one.name} -d ${quoted(one.description)}`,
        ),
        ...options.map((one) => {
          const choices = one.choices.length > 0 ? ` -f -a '${one.choices.join(" ")}'` : "";
          const value = one.takesValue ? ` -r${choices}` : "";
          const long = one.name.replace(/^--/, "");
          return `complete -c ${name} ${condition(here)}-l ${long}${value} -d ${quoted(one.description)}`;
        }),
      ];
    }),
    "",
  ].join("\n");
}

/** The branches of a `case` that walk from word to word. */
function steps(places: Place[]): string {
  return lines(
    places.filter(({ path }) => path !== ""),
    ({ path }) => {
      const words = path.split(" ");
      return `      "${words.slice(0, -1).join(" ")}:${words.at(-1)}") place="${path}" ;;`;
    },
  );
}

/** The branches of a `case` for the value of an option. */
function values(places: Place[], choose: (choices: string[]) => string, other: string): string {
  return lines(places, ({ path, options }) => {
    const free = options.filter((one) => one.takesValue && one.choices.length === 0);
    const chosen = options.filter((one) => one.takesValue && one.choices.length > 0);
    return [
      ...chosen.map((one) => `    "${path}:${one.name}") ${choose(one.choices)} ;;`),
      ...(free.length > 0
        ? [`    ${free.map((one) => `"${path}:${one.name}"`).join(" | ")}) ${other} ;;`]
        : []),
    ].join("\n");
  });
}

function lines(places: Place[], line: (place: Place) => string): string {
  return places.map(line).filter(Boolean).join("\n");
}

function functionName(name: string): string {
  return `_${name.replaceAll("-", "_")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
