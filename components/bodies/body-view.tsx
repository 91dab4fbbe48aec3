import { bytes } from "@/components/ui/bytes";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy";
import { Icon } from "@/components/ui/icon";
import { Section } from "@/components/ui/section";
import { TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { truncate } from "@/components/ui/truncate";
import { WrapToggle } from "@/components/ui/wrap-toggle";
import { FindIn } from "./find-in";
import { JsonTree } from "./json-tree";

/** Longer bodies are truncated in the page. */
const CHARACTERS_MAX = 50_000;
const HEX_BYTES_MAX = 4096;

const views = ["pretty", "raw", "hex"] as const;
export type BodyChoice = (typeof views)[number];

interface Props {
  body: {
    body: string | null;
    body_encoding: "utf8" | "base64" | null;
    parsed_body: unknown;
    size_bytes: number | null;
  };
  /** Only the first part was kept. */
  truncated?: boolean;
  /** The requested view; undefined: the most readable one. */
  choice: string | undefined;
  hrefOf(choice: BodyChoice): string;
  /** The address of the download. */
  downloadHref?: string;
}

/** An untrusted body: formatted, as text, or as bytes. */
export function BodyView(props: Props) {
  const { body: sent, truncated = false, choice, hrefOf, downloadHref } = props;
  const { body, body_encoding, parsed_body, size_bytes } = sent;
  if (body === null) {
    return (
      <Section title="Body">
        <p className="text-muted">none</p>
      </Section>
    );
  }
  const possible = views.filter((view) => {
    if (view === "pretty") return parsed_body !== null;
    return view === "hex" || body_encoding === "utf8";
  });
  const view = possible.find((one) => one === choice) ?? possible[0] ?? "hex";
  const decoded = () => Buffer.from(body, body_encoding ?? "utf8");
  const isCopied = body_encoding === "utf8" && body.length <= CHARACTERS_MAX;
  const isCut = view === "raw" ? body.length > CHARACTERS_MAX : (size_bytes ?? 0) > HEX_BYTES_MAX;
  return (
    <Tabs chosen={view}>
      <Section
        title={`Body, ${bytes(size_bytes ?? 0)}`}
        aside={
          <TabList
            label="Body as"
            tabs={possible.map((one) => ({ name: one, href: hrefOf(one) }))}
          />
        }
      >
        <TabPanel of={view}>
          <FindIn
            key={view}
            tools={
              <>
                {view === "raw" && <WrapToggle />}
                {isCopied && <CopyButton text={body}>Copy</CopyButton>}
                {downloadHref && (
                  <a href={downloadHref} className="button" download>
                    <Icon name="download" />
                    Download
                  </a>
                )}
              </>
            }
          >
            {view === "pretty" && <JsonTree value={parsed_body} />}
            {view === "raw" && <CodeBlock label="Body">{truncate(body, CHARACTERS_MAX)}</CodeBlock>}
            {view === "hex" && (
              <CodeBlock label="Bytes">{hexDump(decoded().subarray(0, HEX_BYTES_MAX))}</CodeBlock>
            )}
          </FindIn>
          {view !== "pretty" && isCut && (
            <p className="mt-1 text-small text-muted">Truncated. Download to see all of it.</p>
          )}
          {truncated && (
            <p className="mt-1 text-small text-waiting">
              The body was too large: only its first part was stored.
            </p>
          )}
        </TabPanel>
      </Section>
    </Tabs>
  );
}

/** Eight bytes per line, to fit a narrow screen: the offset, hexadecimal, and printable ASCII. */
function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 8) {
    const line = [...bytes.subarray(start, start + 8)];
    const numbers = line.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = line
      .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${start.toString(16).padStart(6, "0")}  ${numbers.padEnd(23)}  ${text}`);
  }
  return lines.join("\n");
}
