"use client";

import { useEffect, useRef } from "react";
import { printInFull, printInPage } from "./print-document";

interface Props {
  src: string;
  title: string;
  format: "markdown" | "html";
  className: string;
}

/**
 * A possibly hostile document, in a sandbox with an opaque origin. Printing shows all of it; without
 * scripts, the document's own page does.
 */
export function DocumentFrame({ src, title, format, className }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!frame.current || !paper.current) return;
    return format === "html"
      ? printInFull(frame.current)
      : printInPage(frame.current, paper.current);
  }, [format]);
  return (
    <div data-print className="flex min-h-0 flex-1 flex-col">
      <iframe
        ref={frame}
        src={src}
        title={title}
        sandbox={
          format === "html" ? "allow-scripts" : "allow-popups allow-popups-to-escape-sandbox"
        }
        referrerPolicy="no-referrer"
        className={`block w-full border-0 print:noscript:h-[90vh] ${className}`}
      />
      <p className="hidden px-4 py-2 text-small text-muted not-print:noscript:block sm:px-6">
        To print all of it, open{" "}
        <a href={src} className="link">
          the document alone
        </a>
        .
      </p>
      <div ref={paper} hidden />
    </div>
  );
}
