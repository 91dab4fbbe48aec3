import type { Metadata } from "next";
import { signedInAs, visitor } from "@/app/_shared/session";
import { SiteCard } from "@/components/site/card";
import { FormOwner } from "@/components/ui/action-form";
import { AnswerForm } from "../_components/answer-form";

export const metadata: Metadata = {
  title: "A question for you",
  robots: { index: false },
  // With `no-referrer`, a browser without scripts would send the form without its origin.
  referrer: "same-origin",
};

/** Shows nothing of the question: only the fragment of its link, which no server sees, opens it. */
export default async function AnswerPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <SiteCard icon="questions" kind="Question" title="An agent asks you" id={id}>
      <FormOwner owner={signedInAs(await visitor())}>
        <AnswerForm id={id} />
      </FormOwner>
    </SiteCard>
  );
}
