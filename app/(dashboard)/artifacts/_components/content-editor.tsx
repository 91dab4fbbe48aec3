"use client";

import { type KeyboardEvent, useId, useRef, useState } from "react";
import { bytes } from "@/components/ui/bytes";
import { lineCount } from "@/components/ui/line-count";
import { TextArea } from "@/components/ui/text-area";

interface Props {
  defaultValue: string;
  rows: number;
  canPreview: boolean;
}

/** The content of an artifact as text or preview. ⌘S saves. */
export function ContentEditor({ defaultValue, rows, canPreview }: Props) {
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  const [content, setContent] = useState(defaultValue);
  const [previewing, setPreviewing] = useState(false);
  const save = (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    text.current?.form?.requestSubmit();
  };
  const show = () => {
    setPreviewing(true);
    const form = text.current?.form;
    if (form) sendTo(`preview-${id}`, new FormData(form));
  };
  return (
    <div className="sm:col-span-full">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-small text-muted">
        <label htmlFor={id}>Content</label>
        <span className="tabular-nums">
          {bytes(new TextEncoder().encode(content).length)}, {lineCount(content)}
        </span>
        {canPreview && (
          <span className="ml-auto flex gap-0.5 rounded-md bg-surface p-0.5">
            <Tab chosen={!previewing} onClick={() => setPreviewing(false)}>
              Write
            </Tab>
            <Tab chosen={previewing} onClick={show}>
              Preview
            </Tab>
          </span>
        )}
      </div>
      <TextArea
        ref={text}
        id={id}
        name="content"
        rows={rows}
        value={content}
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={save}
        hidden={previewing}
        className="field font-mono"
      />
      {canPreview && (
        <iframe
          name={`preview-${id}`}
          title="Preview"
          hidden={!previewing}
          sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
          className="field h-[70dvh] p-0"
        />
      )}
    </div>
  );
}

function Tab(props: { chosen: boolean; onClick(): void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={props.chosen}
      onClick={props.onClick}
      className="rounded px-2 leading-6 text-muted hover:text-ink aria-pressed:bg-canvas aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--color-line)]"
    >
      {props.children}
    </button>
  );
}

/** Posts to the frame, since only the response's headers carry the sandbox. */
function sendTo(frame: string, data: FormData) {
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = "multipart/form-data";
  form.action = "/artifacts/preview/view";
  form.target = frame;
  for (const name of ["format", "content"]) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = String(data.get(name) ?? "");
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}
