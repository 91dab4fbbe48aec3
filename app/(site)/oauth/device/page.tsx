import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { queryParam, type SearchParams } from "@/app/_shared/query";
import { visitor } from "@/app/_shared/session";
import { AutoFocus } from "@/components/ui/auto-focus";
import { InputField } from "@/components/ui/field";
import { Time } from "@/components/ui/time";
import { commandLine } from "@/lib/identity/oauth/clients";
import { findDevice } from "@/lib/identity/oauth/device";
import { ApiError } from "@/lib/platform/errors";
import { Consent, ConsentCard, Fact, PersonNeeded } from "../_components/card";
import { decide } from "./actions";

export const metadata: Metadata = { title: "Connect a terminal", robots: { index: false } };

/** Where a person types the code of a machine without a browser (RFC 8628 §3.3). */
export default async function DevicePage(props: { searchParams: Promise<SearchParams> }) {
  const query = await props.searchParams;
  const done = queryParam(query, "done");
  if (done) return <DoneCard allowed={done === "allowed"} />;
  const typed = queryParam(query, "user_code")?.trim().slice(0, 40) ?? "";
  const here = `/oauth/device${typed && `?user_code=${encodeURIComponent(typed)}`}`;
  const { caller, account } = await visitor();
  if (!account) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  if (caller.kind !== "user") return <PersonNeeded account={account} here={here} />;
  // Another site must not use up the person's guesses, so they send its code themselves.
  const site = (await headers()).get("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") return <CodeCard typed={typed} />;
  const device = await deviceOf(typed, caller.userId);
  if (!device || "problem" in device) return <CodeCard problem={device?.problem} />;
  return (
    <Consent
      action={decide}
      request={device.user_code}
      clientName={commandLine.name}
      account={account}
      audience={device.audience}
      scopes={device.scopes}
      here={here}
    >
      <Fact name="Code">
        <strong className="font-mono text-ink">{device.user_code}</strong>: continue only if your
        own terminal shows it, and you started this just now
      </Fact>
      <Fact name="Asked">
        <Time unix={device.created_at} /> from {device.ip ?? "an unknown address"}
      </Fact>
    </Consent>
  );
}

/** The request with the typed code, or why there is none. Undefined if no code was typed. */
async function deviceOf(typed: string, personId: string) {
  if (!typed) return undefined;
  try {
    const problem =
      "No terminal is waiting for this code. It may have expired: start the sign-in again.";
    return (await findDevice(typed, personId)) ?? { problem };
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") {
      return { problem: "You have tried too many codes. Try again in ten minutes." };
    }
    throw error;
  }
}

function DoneCard({ allowed }: { allowed: boolean }) {
  return (
    <ConsentCard title={allowed ? "Your terminal is connected" : "Your terminal was not connected"}>
      <p>Go back to it; you can close this page.</p>
    </ConsentCard>
  );
}

function CodeCard({ problem, typed }: { problem?: string | undefined; typed?: string }) {
  return (
    <ConsentCard title="Enter the code from your terminal">
      {problem && (
        <p role="alert" className="mb-4 wrap-anywhere">
          {problem}
        </p>
      )}
      <form className="grid gap-3">
        <AutoFocus />
        <InputField
          label="Code"
          name="user_code"
          defaultValue={typed}
          required
          autoComplete="off"
          autoCapitalize="characters"
          placeholder="WDJB-MJHT"
          look="field font-mono text-title tracking-[0.2em]"
        />
        <button type="submit" className="button button-primary min-h-9 justify-center">
          Continue
        </button>
      </form>
      <p className="mt-4 text-muted">
        <code>agent-infra login --device</code> shows it. Nobody else should give you a code.
      </p>
    </ConsentCard>
  );
}
