import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { PageSection } from "@/components/ui/page-section";

/** A link to the page that deletes the organization. */
export function DeleteOrganization({ name }: { name: string }) {
  return (
    <Deletion href="/settings/delete-organization" label="Delete organization">
      The organization “{name}”, with everything that it owns
    </Deletion>
  );
}

/** A link to the page that deletes the person's account. */
export function DeleteAccount() {
  return (
    <Deletion href="/settings/delete-account" label="Delete account">
      Your account, and the organizations of which you are the only member
    </Deletion>
  );
}

function Deletion(props: { href: string; label: string; children: ReactNode }) {
  const { href, label, children } = props;
  return (
    <PageSection title="Delete">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{children}</span>
        <Link href={href} className="button button-danger">
          {label}
        </Link>
      </p>
    </PageSection>
  );
}
