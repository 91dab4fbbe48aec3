import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Command } from "@/components/ui/command";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { FormId } from "@/components/ui/form-id";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { kinds } from "@/lib/resources/kinds";

interface Props {
  baseUrl: string;
  /** Runs the command for the organization; undefined if the caller may not write. */
  create: FormAction | undefined;
  formId: string;
}

/** The overview of an empty organization: the first call for each kind of resource. */
export function FirstSteps({ baseUrl, create, formId }: Props) {
  return (
    <div className="max-w-[60rem] px-4 py-6 sm:px-6">
      <h2 className="text-lead font-semibold">One call for each job</h2>
      <p className="mt-1 mb-4 max-w-[44rem] text-muted">
        Each call works unchanged, and creates a public resource that anyone with its claim token
        can claim. With{" "}
        <code className="font-mono text-small text-ink">-H "Authorization: Bearer $API_KEY"</code>,
        or with the button, it belongs to this organization and appears here.
      </p>
      <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
        {kinds.map(({ name, first: { title, text, button, body } }) => {
          const command = curl(`${baseUrl}/api/${name}`, { key: false, body });
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
                  {create && (
                    <ActionForm action={create}>
                      <FormId id={formId} />
                      <input type="hidden" name="kind" value={name} />
                      <Submit className="button">{button}</Submit>
                    </ActionForm>
                  )}
                  <CopyButton text={command}>Copy command</CopyButton>
                </div>
              </div>
            </li>
          );
        })}
      </ul>
      <section aria-labelledby="claim" className="mt-8">
        <h2 id="claim" className="text-lead font-semibold">
          Claim what an agent created
        </h2>
        <p className="mt-1 mb-3 max-w-[44rem] text-muted">
          Resources created without a key are public until they are claimed. Open the{" "}
          <code className="font-mono text-small text-ink">claim_link</code>, or paste the response
          that the agent received.
        </p>
        <Link href="/claim" className="button">
          Claim
        </Link>
      </section>
    </div>
  );
}
