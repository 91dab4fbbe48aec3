import { Source } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy";
import { Section } from "@/components/ui/section";
import { config } from "@/lib/platform/config/config";
import type { Inbox } from "@/lib/resources/inboxes/contract";

/** Programs that receive the inbox's events, work, and acknowledge them. */
export function WorkerCode({ inbox }: { inbox: Inbox }) {
  const { baseUrl } = config();
  const programs = programsFor(baseUrl, inbox);
  return (
    <Section title="Consume events">
      <fieldset className="radio-tabs">
        <legend className="sr-only">Language</legend>
        {programs.flatMap(({ name, language, code }, index) => [
          <label key={name} className="pill cursor-pointer">
            <input
              type="radio"
              name="worker"
              value={name}
              defaultChecked={index === 0}
              className="sr-only"
            />
            {name}
          </label>,
          <div key={`${name} code`} className="relative mt-2">
            <Source code={code} language={language} />
            <div className="mt-2">
              <CopyButton text={code}>{`Copy ${name}`}</CopyButton>
            </div>
          </div>,
        ])}
      </fieldset>
    </Section>
  );
}

function programsFor(baseUrl: string, { id, organization_id: owner }: Inbox) {
  const key = owner === null ? "" : ' \\\n    -H "Authorization: Bearer $API_KEY"';
  const apiKey = owner === null ? "" : ",\n  apiKey: process.env.API_KEY";
  const header = owner === null ? "" : ' \\\n  --header "Authorization: Bearer $API_KEY"';
  return [
    {
      name: "curl",
      language: "sh",
      code: `url=${baseUrl}/api/inboxes/${id}
ack='[]'
while true; do
  got=$(curl -sSf "$url/events/receive"${key} \\
    -d '{"wait_seconds": 20, "ack": '"$ack"'}') ||
    { sleep 1; continue; }
  printf '%s' "$got" | jq -c '.data[].body' &&   # your work
    ack=$(printf '%s' "$got" | jq -c \\
      '[.data[] | {event_id: .id, lease_id}]') ||
    ack='[]'
done`,
    },
    {
      name: "TypeScript",
      language: "ts",
      code: `// npm install ${baseUrl}/client.tgz
import { createClient } from "agent-infrastructure-client";

const client = createClient({
  baseUrl: "${baseUrl}"${apiKey},
});
await client.work("${id}", async (event) => {
  console.log(event.body); // your work
}, { onError: console.error });`,
    },
    {
      name: "MCP",
      language: "sh",
      code: `claude mcp add --transport http agent-infrastructure \\
  ${baseUrl}/mcp${header}
claude "Call receive_work on ${id} until it is empty.
  Do what each event asks, then call finish_work."`,
    },
  ];
}
