import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { requireSignIn } from "@/app/_shared/session";
import { Confirm } from "@/components/ui/confirm";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { confirmationWord } from "@/lib/platform/confirmation-word";
import { countHoldings } from "@/lib/resources/overview/holdings";
import { Holdings } from "../_components/holdings";
import { removeOrganization } from "../deletions";

export const metadata: Metadata = { title: "Delete organization" };

export default async function DeleteOrganizationPage() {
  const { caller, account } = await requireSignIn("/settings/delete-organization");
  const { organization, memberships } = account;
  const here = memberships.find(({ organizationId }) => organizationId === organization.id);
  if (caller.kind !== "user" || here?.role !== "owner") redirect("/settings");
  const holdings = await countHoldings(caller, organization.id);
  return (
    <>
      <PageHeader
        title={`Delete the organization “${organization.name}”`}
        up={{ name: "Settings", href: "/settings" }}
      />
      <PageSection title="What is deleted">
        <div className="grid max-w-[46rem] gap-3 px-4 py-4 sm:px-6">
          <Holdings holdings={holdings} />
          <p className="text-muted">
            The organization’s name, settings, change feed and log go too. This cannot be undone.
          </p>
        </div>
      </PageSection>
      <PageSection title="What happens">
        <ul className="grid max-w-[46rem] list-disc gap-1.5 py-4 pr-4 pl-8 sm:pr-6 sm:pl-10">
          <li>
            At once, every member loses access, keys and share links stop working, and nothing more
            is sent or run.
          </li>
          <li>Capture URLs and inboxes stop within minutes, usually at once.</li>
          {memberships.length === 1 && (
            <li>
              It is your only organization, so you will be signed out. When you sign in again, you
              get an empty one.
            </li>
          )}
        </ul>
      </PageSection>
      <div className="px-4 py-6 sm:px-6">
        <Confirm
          label="Delete organization"
          title="Delete this organization?"
          consequence={`Deletes “${organization.name}” and everything in it. This cannot be undone.`}
          confirm="Delete organization"
          action={removeOrganization}
          typed={confirmationWord(organization)}
        />
      </div>
    </>
  );
}
