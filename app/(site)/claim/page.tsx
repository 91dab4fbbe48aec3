import type { Metadata } from "next";
import { requireSignIn } from "@/app/_shared/session";
import { SiteCard } from "@/components/site/card";
import { BatchForm } from "./_components/batch-form";
import { organizationsOf } from "./_components/organizations";
import { claimBatch } from "./actions";

export const metadata: Metadata = { title: "Claim several", robots: { index: false } };

export default async function ClaimSeveralPage() {
  const { account } = await requireSignIn("/claim");
  return (
    <SiteCard icon="keys" kind="Claim" title="Claim several at once">
      <BatchForm
        action={claimBatch}
        organizations={organizationsOf(account)}
        chosenId={account.organization.id}
      />
    </SiteCard>
  );
}
