import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { queryParam, type SearchParams } from "@/app/_shared/query";
import { safeRedirectPath, visitor } from "@/app/_shared/session";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { AutoFocus } from "@/components/ui/auto-focus";
import { InputField } from "@/components/ui/field";
import { HomeLink } from "@/components/ui/logo";
import { config } from "@/lib/platform/config/config";
import { canSendMail } from "@/lib/platform/mail/send";
import { enterCode, enterKey, otherAddress, sendCode } from "./actions";
import { pendingSignIn } from "./sign-in-cookies";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

export default async function SignInPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const next = safeRedirectPath(queryParam(params, "next"));
  const { account } = await visitor();
  if (account) redirect(next);
  const begun = await pendingSignIn();
  const isRepeated = "again" in params;
  return (
    <main className="mx-auto min-h-dvh max-w-[22rem] px-4 pt-[max(3rem,20dvh)] pb-12">
      <HomeLink className="mb-8" />
      <h1 className="text-title font-semibold tracking-tight">Sign in</h1>
      {begun ? (
        <CodeStep email={begun.email} next={next} isRepeated={isRepeated} />
      ) : (
        <>
          {next.startsWith("/claim") && (
            <p className="mt-1 text-muted">
              Sign in to claim what an agent made. It will then belong to your organization.
            </p>
          )}
          {canSendMail() && <EmailStep next={next} />}
          <KeyStep next={next} only={!canSendMail()} />
        </>
      )}
    </main>
  );
}

function EmailStep({ next }: { next: string }) {
  return (
    <>
      <p className="mt-1 mb-5 text-muted">
        We will email you a code. New here? This creates your account.
      </p>
      <ActionForm action={sendCode} className="grid gap-3" fields={{ next }}>
        <AutoFocus />
        <InputField label="Email address" type="email" name="email" required autoComplete="email" />
        <Submit>Send the code</Submit>
      </ActionForm>
    </>
  );
}

function CodeStep(props: { email: string; next: string; isRepeated: boolean }) {
  const { email, next, isRepeated } = props;
  return (
    <>
      <p className="mt-1 mb-5 text-muted">
        {config().mail.transport === "console" ? (
          <>
            The {isRepeated && "new "}code for <span className="text-ink">{email}</span> is in the
            terminal that runs the server.
          </>
        ) : (
          <>
            We sent a {isRepeated && "new "}code to <span className="text-ink">{email}</span>. Enter
            the one from the newest email.
          </>
        )}{" "}
        It is valid for ten minutes.
      </p>
      <ActionForm action={enterCode} className="grid gap-3" fields={{ next }}>
        <AutoFocus />
        <InputField
          label="Code"
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 \-]{6,20}"
          title="The digits of the code"
          look="field font-mono text-title tracking-[0.3em]"
        />
        <Submit>Sign in</Submit>
      </ActionForm>
      <div className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
        <ActionForm action={sendCode} fields={{ next, email, again: 1 }}>
          <Submit className="link">Send a new code</Submit>
        </ActionForm>
        <form action={otherAddress}>
          <input type="hidden" name="next" value={next} />
          <button type="submit" className="link">
            Use another address
          </button>
        </form>
      </div>
    </>
  );
}

function KeyStep({ next, only }: { next: string; only: boolean }) {
  return (
    <details open={only} className="mt-8 border-t border-line pt-4">
      <summary className="cursor-pointer text-muted hover:text-ink">
        Sign in with an API key
      </summary>
      <p className="mt-2 mb-3 text-muted">
        You will see the key’s organization, with the key’s access, while the key is valid.
      </p>
      <ActionForm action={enterKey} className="grid gap-3" fields={{ next }}>
        <InputField
          label="API key"
          type="password"
          name="key"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="svc_live_…"
          look="field font-mono"
        />
        <Submit className="button">Sign in with the key</Submit>
      </ActionForm>
    </details>
  );
}
