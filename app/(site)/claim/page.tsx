import type { Metadata } from "next";
import { requireSignIn, signedInAs } from "@/app/_shared/session";
import { organizationsOf } from "@/app/(site)/_components/organizations";
import { SiteCard } from "@/components/site/card";
import { FormOwner } from "@/components/ui/action-form";
import { BatchForm } from "./_components/batch-form";

export const metadata: Metadata = { title: "Claim several", robots: { index: false } };

export default async function ClaimSeveralPage() {
  const { caller, account } = await requireSignIn("/claim");
  return (
    <SiteCard icon="keys" kind="Claim" title="Claim several at once">
      <FormOwner owner={signedInAs({ caller, account })}>
        <BatchForm organizations={organizationsOf(account)} chosenId={account.organization.id} />
      </FormOwner>
    </SiteCard>
  );
}
