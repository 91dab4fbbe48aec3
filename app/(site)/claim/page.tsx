import type { Metadata } from "next";
import { signedIn } from "@/app/session";
import { BatchForm } from "@/components/claims/batch-form";
import { ClaimCard } from "@/components/claims/card";
import { claimBatch } from "./actions";
import { organizationsOf } from "./organizations";

export const metadata: Metadata = { title: "Claim several", robots: { index: false } };

export default async function ClaimSeveralPage() {
  const { account } = await signedIn("/claim");
  return (
    <ClaimCard icon="keys" kind="Claim" title="Claim several at once">
      <BatchForm
        action={claimBatch}
        organizations={organizationsOf(account)}
        chosenId={account.organization.id}
      />
    </ClaimCard>
  );
}
