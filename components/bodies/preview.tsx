"use client";

import { useHydrated } from "@/components/ui/use-hydrated";

interface Props {
  kind: "image" | "svg" | "html" | "pdf";
  href: string;
}

/** An untrusted document, which runs no scripts, loads nothing and cannot reach this page. */
export function Preview({ kind, href }: Props) {
  if (kind === "image") {
    return (
      <p className="rounded-md border border-line bg-surface p-3">
        <img
          src={href}
          alt="The body"
          width={960}
          height={480}
          className="h-[50dvh] w-full object-scale-down"
        />
      </p>
    );
  }
  if (kind === "pdf") return <PdfPreview href={href} />;
  return <iframe src={href} title="Preview" sandbox="" className={FRAME} />;
}

const FRAME = "block h-[60dvh] w-full rounded-md border border-line bg-white";

/** The browser's own viewer, which is sandboxed and does not start inside another sandbox. */
function PdfPreview({ href }: { href: string }) {
  const isHydrated = useHydrated();
  if (isHydrated && navigator.pdfViewerEnabled) {
    return <iframe src={href} title="Preview" className={FRAME} />;
  }
  return (
    <p className="rounded-md border border-line bg-surface p-3 text-muted">
      A PDF document. This browser does not show it here: download it.
    </p>
  );
}
