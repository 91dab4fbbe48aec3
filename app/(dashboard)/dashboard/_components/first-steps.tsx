"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { type CreatedKey, createKey } from "@/app/(dashboard)/keys/actions";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Command } from "@/components/ui/command";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { usePoll } from "@/components/ui/use-poll";
import { type KindName, kinds } from "@/lib/resources/kinds";
import { createFirst } from "../actions";

interface Props {
  baseUrl: string;
  /** The kinds of which the organization has a resource. */
  made: KindName[];
  hasKey: boolean;
  canWrite: boolean;
  /** Only people create keys. */
  isPerson: boolean;
  formId: string;
}

/** A key, and the first call for each kind of resource. Each is ticked when it has arrived. */
export function FirstSteps({ baseUrl, made, hasKey, canWrite, isPerson, formId }: Props) {
  const [arrived, setArrived] = useState(made);
  const [key, setKey] = useState<string>();
  const router = useRouter();
  usePoll("/dashboard/steps", (text) => {
    if (text !== null) return setArrived(JSON.parse(text));
    // Only this page shows the new key, which may still be under way.
    const isBusy = document.querySelector("form[aria-busy=true]") !== null;
    if (key === undefined && !isBusy) router.refresh();
  });
  const isKeyMade = hasKey || key !== undefined;
  return (
    <div className="max-w-[60rem] px-4 py-6 sm:px-6">
      <h2 className="text-lead font-semibold">
        First steps{" "}
        <span className="font-normal text-muted tabular-nums" role="status">
          {arrived.length + Number(isKeyMade)} of {kinds.length + 1}
        </span>
      </h2>
      <p className="mt-1 mb-4 max-w-[44rem] text-muted">
        One key, and one call for each job. Run a command in any terminal: it is ticked as soon as
        it arrives here.
      </p>
      <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
        <Step
          icon="keys"
          title="Create a key"
          text="Anyone who has the key can act for this organization."
          isDone={isKeyMade}
        >
          {isPerson && (
            <ActionForm<CreatedKey>
              action={createKey}
              formId={`${formId}-key`}
              fields={{ name: "First steps", scopes: "api.read api.write", days: 90 }}
            >
              {(created) =>
                created ? (
                  <NewKey text={created.key} onCreated={setKey} />
                ) : (
                  <Submit className={isKeyMade ? "button" : "button button-primary"}>
                    {isKeyMade ? "Create another key" : "Create a key"}
                  </Submit>
                )
              }
            </ActionForm>
          )}
        </Step>
        {kinds.map(({ name, first: { title, text, button, body } }) => {
          const command = curl(`${baseUrl}/api/${name}`, { body }).replace(
            "$API_KEY",
            key ?? "$API_KEY",
          );
          return (
            <Step key={name} icon={name} title={title} text={text} isDone={arrived.includes(name)}>
              <Command>{command}</Command>
              <div className="mt-2 flex flex-wrap gap-2">
                {canWrite && (
                  <ActionForm action={createFirst} formId={formId} fields={{ kind: name }}>
                    <Submit className="button">{button}</Submit>
                  </ActionForm>
                )}
                <CopyButton text={command}>Copy command</CopyButton>
              </div>
            </Step>
          );
        })}
      </ul>
      <h2 className="mt-6 font-semibold">Claim what an agent created</h2>
      <p className="mt-1 mb-3 text-muted">
        What an agent created without a key is public until a person claims it, with its claim link
        or with the response that the agent got.
      </p>
      <Link href="/claim" className="button">
        Claim
      </Link>
    </div>
  );
}

/** Shows the key, and passes it on for the commands. */
function NewKey({ text, onCreated }: { text: string; onCreated(key: string): void }) {
  useEffect(() => onCreated(text), [text, onCreated]);
  return (
    <>
      <Command>{`export API_KEY=${text}`}</Command>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <CopyButton text={text}>Copy key</CopyButton>
        <span className="text-small text-muted">
          Store it now: it is not shown again. It expires in 90 days. The commands below use it.
        </span>
      </div>
    </>
  );
}

function Step(props: {
  icon: KindName | "keys";
  title: string;
  text: string;
  isDone: boolean;
  children: ReactNode;
}) {
  const { icon, title, text, isDone } = props;
  return (
    <li className="grid gap-x-8 gap-y-3 bg-canvas p-4 md:grid-cols-[15rem_minmax(0,1fr)]">
      <div>
        <h3 className="flex items-center gap-2 font-semibold">
          <Icon name={isDone ? "check" : icon} className={isDone ? "text-ok" : "text-muted"} />
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </h3>
        <p className="mt-1 text-muted">{text}</p>
      </div>
      <div className="min-w-0">{props.children}</div>
    </li>
  );
}
