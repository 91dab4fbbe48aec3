import { curl } from "@/components/ui/curl";
import { kinds } from "@/lib/resources/kinds";
import type { CreatedTask } from "@/lib/resources/tasks/contract";
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
            {name === "tasks" && <JsonResponse resource={createdTask(baseUrl)} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A JSON response, one property per line. */
function JsonResponse({ resource }: { resource: object }) {
  return (
    <pre className="mt-2 border border-line px-3 py-2 font-mono text-small text-muted wrap-anywhere whitespace-pre-wrap">
      {JSON.stringify(resource, null, 2)}
    </pre>
  );
}

const ID = "tsk_8DmMnNkJcR3nT5yB7mXe2GhLs";
const TOKEN = "clm_8sKq2VnY4tRwZ6xB1cDfG3hJ5kLm7pQr";

/** The response to the first call for tasks. */
function createdTask(baseUrl: string): CreatedTask {
  return {
    id: ID,
    object: "task",
    organization_id: null,
    name: "Say hello",
    description: null,
    priority: "low",
    due_at: null,
    labels: ["demo"],
    external_id: null,
    created_at: 1795248000,
    updated_at: 1795248000,
    claim_token: TOKEN,
    claim_url: `/api/claim/${ID}`,
    claim_link: `${baseUrl}/claim/${ID}#claim_token=${TOKEN}`,
    view_url: `${baseUrl}/tasks/${ID}`,
  };
}
