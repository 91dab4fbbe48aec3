import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { PageSection } from "@/components/ui/page-section";

/** A link to the page that deletes the account or the organization, which the children describe. */
export function Deletion(props: { of: "account" | "organization"; children: ReactNode }) {
  return (
    <PageSection title="Delete">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{props.children}</span>
        <Link href={`/settings/delete-${props.of}`} className="button button-danger">
          Delete {props.of}
        </Link>
      </p>
    </PageSection>
  );
}
