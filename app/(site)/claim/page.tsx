import type { Metadata } from "next";
import { requireSignIn } from "@/app/_shared/session";
import { organizationsOf } from "@/app/(site)/_components/organizations";
import { SiteCard } from "@/components/site/card";
import { BatchForm } from "./_components/batch-form";

export const metadata: Metadata = { title: "Claim several", robots: { index: false } };

export default async function ClaimSeveralPage() {
  const { account } = await requireSignIn("/claim");
  return (
    <SiteCard icon="keys" kind="Claim" title="Claim several at once">
      <BatchForm organizations={organizationsOf(account)} chosenId={account.organization.id} />
    </SiteCard>
  );
}
