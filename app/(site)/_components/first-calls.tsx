import { curl } from "@/components/ui/curl";
import { kinds } from "@/lib/resources/kinds";
import { CopyCommand } from "./copy-command";

/** The first call for each kind of resource; each works unchanged in any POSIX shell. */
export function FirstCalls({ baseUrl, created }: { baseUrl: string; created: object }) {
  return (
    <ol>
      {kinds.map(({ name, first: { title, text, body } }) => (
        <li
          key={name}
          className="grid gap-x-12 gap-y-3 border-t border-line py-5 lg:grid-cols-[18rem_minmax(0,1fr)]"
        >
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
            {name === "tasks" && <JsonResponse resource={created} />}
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
