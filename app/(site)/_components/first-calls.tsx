import { curl } from "@/components/ui/curl";
import { kinds } from "@/lib/resources/kinds";
import { CopyCommand } from "./copy-command";

/** The first call for each kind of resource; each works unchanged in any POSIX shell. */
export function FirstCalls({ baseUrl }: { baseUrl: string }) {
  return (
    <ol className="*:grid *:gap-x-12 *:gap-y-3 *:border-t *:border-line *:py-5 lg:*:grid-cols-[18rem_minmax(0,1fr)]">
      {kinds.map(({ name, first: { title, text, body } }) => (
        <li key={name}>
          <div>
            <h3 className="font-semibold">
              <a href={`/docs/${name}`} className="hover:underline">
                {title}
              </a>
            </h3>
            <p className="mt-1 text-muted">{text}</p>
          </div>
          <div>
            <CopyCommand
              text={curl(`${baseUrl}/api/${name}`, { key: false, body })}
              what={`the call for ${name}`}
            />
            {name === "tasks" && <TaskResponse baseUrl={baseUrl} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

const ID = "tsk_8DmMnNkJcR3nT5yB7mXe2GhLs";

/** The response to the first call for tasks: what to do with it. */
function TaskResponse({ baseUrl }: { baseUrl: string }) {
  return (
    <pre className="mt-2 border border-line px-3 py-2 font-mono text-small text-muted wrap-anywhere whitespace-pre-wrap">
      {`{\n  "id": "${ID}",\n  "name": "Say hello",\n  …\n  `}
      <strong className="font-normal text-ink">
        {`"claim_link": "${baseUrl}/claim/${ID}#claim_token=clm_8sKq2VnY4tRw…"`}
      </strong>
      {"\n}"}
    </pre>
  );
}
