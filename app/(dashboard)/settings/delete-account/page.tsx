import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { requireSignIn } from "@/app/_shared/session";
import { switchOrganization } from "@/app/(dashboard)/_frame/actions";
import { ActionForm } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { callerOf } from "@/lib/identity/organizations/members";
import { type AccountOrganization, accountOrganizations } from "@/lib/identity/people/deletion";
import { counted } from "@/lib/platform/counted";
import { countHoldings } from "@/lib/resources/overview/holdings";
import { Holdings } from "../_components/holdings";
import { removeAccount } from "../deletions";

export const metadata: Metadata = { title: "Delete account" };

export default async function DeleteAccountPage() {
  const { caller, account } = await requireSignIn("/settings/delete-account");
  if (caller.kind !== "user") redirect("/settings");
  const organizations = await accountOrganizations(caller);
  const of = (fate: AccountOrganization["fate"]) =>
    organizations.filter((organization) => organization.fate === fate);
  const [blocked, deleted, left] = [of("blocked"), of("deleted"), of("left")];
  return (
    <>
      <PageHeader title="Delete your account" up={{ name: "Settings", href: "/settings" }} />
      {blocked.length > 0 && (
        <PageSection title="Before you can delete your account">
          <p className="max-w-[46rem] px-4 pt-4 text-muted sm:px-6">
            {blocked.length === 1
              ? "You are the only owner of an organization with other members. Make someone else an owner, or delete it."
              : "You are the only owner of organizations with other members. In each, make someone else an owner, or delete it."}
          </p>
          <ul className="mt-2 max-w-[46rem]">
            {blocked.map(({ id, name }) => (
              <li
                key={id}
                className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1.5 sm:px-6"
              >
                <bdi className="min-w-0 flex-1 wrap-anywhere">{name}</bdi>
                <ActionForm
                  action={switchOrganization}
                  isSmall
                  fields={{ organization: id, to: "/settings" }}
                >
                  <button
                    type="submit"
                    aria-label={`Open the members of ${name}`}
                    className="button"
                  >
                    Open members
                  </button>
                </ActionForm>
              </li>
            ))}
          </ul>
        </PageSection>
      )}
      {deleted.map(({ id, name }) => (
        <PageSection
          key={id}
          title={
            <>
              <bdi>{name}</bdi> will be deleted
            </>
          }
          intro="You are its only member."
        >
          <div className="max-w-[46rem] px-4 py-4 sm:px-6">
            <OrganizationHoldings userId={caller.userId} id={id} />
          </div>
        </PageSection>
      ))}
      {left.length > 0 && (
        <PageSection title="You leave">
          <ul className="grid max-w-[46rem] gap-1 px-4 py-4 sm:px-6">
            {left.map(({ id, name }) => (
              <li key={id} className="wrap-anywhere">
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
          <p className="max-w-[46rem] px-4 text-muted sm:px-6">
            They keep what you created there, and their logs keep your user ID. Keys that you
            created, agents that you claimed and clients that you connected stop working there.
          </p>
        </PageSection>
      )}
      {blocked.length === 0 && (
        <PageSection title="Your account">
          <p className="max-w-[46rem] px-4 pt-4 text-muted sm:px-6">
            Your address, sessions and notification settings are deleted at once, and you are signed
            out everywhere. This cannot be undone.
          </p>
          <div className="px-4 py-6 sm:px-6">
            <Confirm
              label="Delete account"
              title="Delete your account?"
              consequence={`Deletes your account${deleted.length > 0 ? ` and ${counted(deleted.length, "organization")}` : ""}. This cannot be undone.`}
              confirm="Delete account"
              action={removeAccount}
              typed={account.name}
            />
          </div>
        </PageSection>
      )}
    </>
  );
}

async function OrganizationHoldings({ userId, id }: { userId: string; id: string }) {
  return <Holdings holdings={await countHoldings(await callerOf(userId, id), id)} />;
}
