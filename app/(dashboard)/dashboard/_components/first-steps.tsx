import Link from "next/link";
import { FIRST_JOB_TEXTS } from "@/app/_shared/first-job-texts";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Command } from "@/components/ui/command";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { FormId } from "@/components/ui/form-id";
import { Icon } from "@/components/ui/icon";
import type { Quickstart } from "@/lib/overview/first-jobs";

interface Props {
  baseUrl: string;
  jobs: readonly Pick<Quickstart, "name" | "path" | "body">[];
  /** Does what a job's command does, for the organization; undefined: who looks may not write. */
  doJob: FormAction | undefined;
  /** What names this showing of the forms. */
  formId: string;
}

/** An empty organization: one card for each job, each with a call that works as it stands. */
export function FirstSteps({ baseUrl, jobs, doJob, formId }: Props) {
  return (
    <div className="max-w-[60rem] px-4 py-6 sm:px-6">
      <h2 className="text-lead font-semibold">Five jobs, five calls</h2>
      <p className="mt-1 mb-4 max-w-[44rem] text-muted">
        Each call works as it stands, and what it makes is public until somebody claims it. With{" "}
        <code className="font-mono text-small text-ink">-H "Authorization: Bearer $API_KEY"</code>,
        or by the button, it belongs to this organization and appears here.
      </p>
      <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
        {jobs.map(({ name, path, body }) => {
          const command = curl(`${baseUrl}${path}`, { key: false, body });
          const { title, text, button } = FIRST_JOB_TEXTS[name];
          return (
            <li
              key={name}
              className="grid gap-x-8 gap-y-3 bg-canvas p-4 md:grid-cols-[15rem_minmax(0,1fr)]"
            >
              <div>
                <h3 className="flex items-center gap-2 font-semibold">
                  <Icon name={name} className="text-muted" />
                  {title}
                </h3>
                <p className="mt-1 text-muted">{text}</p>
              </div>
              <div>
                <Command>{command}</Command>
                <div className="mt-2 flex flex-wrap gap-2">
                  {doJob && (
                    <ActionForm action={doJob}>
                      <FormId id={formId} />
                      <input type="hidden" name="job" value={name} />
                      <Submit className="button">{button}</Submit>
                    </ActionForm>
                  )}
                  <CopyButton text={command}>Copy the call</CopyButton>
                </div>
              </div>
            </li>
          );
        })}
      </ul>
      <section aria-labelledby="claim" className="mt-8">
        <h2 id="claim" className="text-lead font-semibold">
          Claim what an agent made
        </h2>
        <p className="mt-1 mb-3 max-w-[44rem] text-muted">
          What an agent made without a key is public until somebody claims it. Open its{" "}
          <code className="font-mono text-small text-ink">claim_link</code>, or paste what the agent
          was answered.
        </p>
        <Link href="/claim" className="button">
          Claim
        </Link>
      </section>
    </div>
  );
}
