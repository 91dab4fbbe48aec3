import path from "node:path";
import { type Command, Option } from "commander";
import type { Artifact, ArtifactCreate, ArtifactUpdate } from "../../schema.js";
import { type Context, openContext } from "../context.js";
import { writeCreated } from "../output.js";
import { readInput, textOf } from "../payload.js";
import { printable } from "../printable.js";

type Format = Artifact["format"];

interface PublishOptions {
  share?: boolean;
  update?: string;
  name?: string;
  format?: Format;
}

export function addPublish(program: Command): void {
  program
    .command("publish")
    .summary("Publish a Markdown or HTML file")
    .description("Publish a Markdown or HTML file as an artifact.")
    .argument("<file>", "the file, or - for standard input; .html and .htm are HTML")
    .option("--share", "make a link that shows the document to anyone")
    .option("--update <artifact>", "replace the content of this artifact (art_…)")
    .option("--name <name>", "name of the artifact (default: the file's)")
    .addOption(
      new Option("--format <format>", "instead of the file's").choices(["markdown", "html"]),
    )
    .addHelpText(
      "after",
      `
Examples:
  agent-infra publish report.md --share
  agent-infra publish report.md --update art_…
  ./report.sh | agent-infra publish - --name "Nightly report"`,
    )
    .action(async (file: string, options: PublishOptions, command: Command) => {
      const context = await openContext(command);
      const content = textOf(await readInput(file), file === "-" ? "Standard input" : file);
      const format = options.format ?? formatOf(file);
      if (options.update !== undefined) {
        const changes = { content, format, name: options.name || undefined };
        return update(context, options.update, changes, options);
      }
      const name = options.name ?? (file === "-" ? "Untitled" : path.basename(file));
      await create(context, { name, content, format }, options);
    });
}

async function create(
  { client, output, baseUrl }: Context,
  body: ArtifactCreate,
  { share }: PublishOptions,
) {
  const artifact = await client.artifacts.create(body, { query: { share } });
  const { content: _content, ...shown } = artifact;
  writeCreated(
    output,
    shown,
    `Published ${printable(artifact.name)} (${artifact.size} bytes): ${printable(artifact.id)}`,
    printable(artifact.share_url ?? artifact.view_url ?? `${baseUrl}/artifacts/${artifact.id}`),
  );
}

async function update(
  { client, output }: Context,
  id: string,
  body: ArtifactUpdate,
  options: PublishOptions,
) {
  const artifact = await client.artifacts.update(id, body);
  const share = options.share ? await client.artifacts.share(id) : undefined;
  const { content: _content, ...shown } = artifact;
  output.result(
    { ...shown, ...(share && { share_url: share.url, survives_claim: share.survives_claim }) },
    [
      `Updated ${printable(artifact.name)} (${artifact.size} bytes): ${printable(id)}`,
      ...(share ? [printable(share.url)] : []),
    ].join("\n"),
  );
  if (share?.survives_claim === false) output.note("This link ends when the document is claimed.");
}

/** Undefined lets the service decide, or leaves the format unchanged. */
function formatOf(file: string): Format | undefined {
  const extension = path.extname(file).toLowerCase();
  if ([".html", ".htm"].includes(extension)) return "html";
  return [".md", ".markdown"].includes(extension) ? "markdown" : undefined;
}
