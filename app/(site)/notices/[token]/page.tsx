import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SiteFrame } from "@/components/site/frame";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { describeStop } from "@/lib/resources/notices/settings";
import manifest from "@/package.json" with { type: "json" };
import { stop } from "./actions";

export const metadata: Metadata = {
  title: "Stop notifications",
  robots: { index: false },
  // With `no-referrer`, a browser without scripts would send the form without its origin.
  referrer: "same-origin",
};

export default async function StopNoticesPage(props: { params: Promise<{ token: string }> }) {
  const { token } = await props.params;
  const setting = await describeStop(token);
  if (!setting) notFound();
  return (
    <SiteFrame version={manifest.version}>
      <article className="mx-auto max-w-[40rem] py-12 lg:py-20">
        <h1 className="text-title font-semibold tracking-tight">
          {setting.isOn ? "Stop these emails?" : "These emails are stopped"}
        </h1>
        {setting.isOn ? (
          <>
            <p className="mt-4 mb-6 text-muted">
              Notifications about{" "}
              <bdi className="wrap-anywhere text-ink">{setting.organizationName}</bdi> will no
              longer be sent to you. Nothing else changes.
            </p>
            <ActionForm action={stop} fields={{ token }}>
              <Submit>Stop notifications</Submit>
            </ActionForm>
          </>
        ) : (
          <p className="mt-4 text-muted">
            You get no notifications. Turn them on again in the{" "}
            <a href="/settings?tab=notices" className="link">
              settings
            </a>
            .
          </p>
        )}
      </article>
    </SiteFrame>
  );
}
