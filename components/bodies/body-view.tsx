import { bytes as sizeOf } from "@/components/ui/bytes";
import { CopyButton } from "@/components/ui/copy";
import { Icon } from "@/components/ui/icon";
import { Pills } from "@/components/ui/pills";
import { WrapToggle } from "@/components/ui/wrap-toggle";
import { UNPACKED_BYTES_MAX } from "@/lib/platform/bodies/unpack";
import { recordedBytes } from "@/lib/platform/http/recorded-body";
import { type BodyChoice, CHARACTERS_MAX, HEX_BYTES_MAX, readBody } from "./body-content";
import { hexDump } from "./hex-dump";
import { PartView } from "./part-view";
import { PrettyView } from "./pretty-view";
import { Preview } from "./preview";

interface Props {
  body: {
    body: string | null;
    body_encoding: "utf8" | "base64" | null;
  };
  contentType: string | null;
  contentEncoding: string | null;
  /** Only the first part was stored. */
  truncated?: boolean;
  /** The requested view; undefined for the most readable one. */
  choice: string | undefined;
  hrefOf(choice: BodyChoice): string;
  /** The URL of the bytes. Their preview is below it. */
  href: string;
}

/** An untrusted body: formatted for its type, as a preview, as text, or as bytes. */
export async function BodyView(props: Props) {
  const { truncated = false, choice, hrefOf, href } = props;
  if (props.body.body === null) {
    return <p className="text-muted">No body</p>;
  }
  const stored = recordedBytes(props.body);
  const content = await readBody(stored, { ...props, truncated });
  const { packed, kind, text, charset, views } = content;
  const view = views.find((one) => one === choice) ?? content.best;
  const isCopied = text !== null && text.length <= CHARACTERS_MAX;
  const tools = (
    <>
      {(view === "raw" || (view === "pretty" && content.pretty?.as === "text")) && <WrapToggle />}
      {isCopied && view !== "hex" && <CopyButton text={text}>Copy</CopyButton>}
      <a href={href} className="button" download>
        <Icon name="download" />
        Download
      </a>
    </>
  );
  const unpackedHref = packed.encoding === null ? href : `${href}?unpacked=1`;
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <Pills
          label="Body as"
          pills={views.map((one) => ({ name: one, href: hrefOf(one), chosen: one === view }))}
        />
        <div className="flex gap-2">{tools}</div>
      </div>
      <Note when={packed.encoding !== null && packed.extent !== "unknown"}>
        {`${packed.encoding}, ${packed.extent === "limit" ? "over " : ""}${sizeOf(packed.bytes.length)} unpacked.`}
      </Note>
      {view === "pretty" && (
        <PrettyView key={href} content={content} href={href} rawHref={hrefOf("raw")} />
      )}
      {view === "preview" && <Preview kind={previewKind(kind)} href={`${href}/preview`} />}
      {view === "raw" && text !== null && (
        <PartView
          key={`${href} raw`}
          label="Body"
          first={text.slice(0, CHARACTERS_MAX).toWellFormed()}
          partLength={CHARACTERS_MAX}
          length={text.length}
          origin={{ href: unpackedHref, charset }}
          language={kind === "json" ? "json" : isMarkup(kind) ? "html" : undefined}
        />
      )}
      {view === "hex" && (
        <PartView
          key={`${href} hex`}
          label="Bytes"
          first={hexDump(stored.subarray(0, HEX_BYTES_MAX))}
          partLength={HEX_BYTES_MAX}
          length={stored.length}
          origin={{ href, charset: null }}
        />
      )}
      <Note when={packed.extent === "limit"}>
        {`Only the first ${sizeOf(UNPACKED_BYTES_MAX)} were unpacked.`}
      </Note>
      <Note when={packed.extent === "damaged"}>
        {`The ${packed.encoding} data is damaged: this is what could be unpacked.`}
      </Note>
      <Note when={packed.extent === "unknown"}>
        {`Encoded with ${packed.encoding}, and could not be unpacked.`}
      </Note>
      <Note when={text !== null && view === "raw" && charset !== "utf-8"}>
        {`Decoded from ${charset}.`}
      </Note>
      <Note when={truncated}>The body was too large: only its first part was stored.</Note>
    </div>
  );
}

function previewKind(kind: string) {
  return kind === "svg" || kind === "html" || kind === "pdf" ? kind : "image";
}

function isMarkup(kind: string): boolean {
  return ["xml", "svg", "html"].includes(kind);
}

function Note({ when, children }: { when: boolean; children: string }) {
  return when ? <p className="mt-1 text-small text-waiting">{children}</p> : null;
}
