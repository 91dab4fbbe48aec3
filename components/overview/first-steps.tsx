import { Command } from "@/components/ui/command";
import { CopyButton } from "@/components/ui/copy";
import { Icon, type IconName } from "@/components/ui/icon";

/** An empty organization: one card for each job, each with a call that works as it stands. */
export function FirstSteps({ baseUrl }: { baseUrl: string }) {
  return (
    <div className="max-w-[60rem] px-4 py-6 sm:px-6">
      <h2 className="text-lead font-semibold">Five jobs, five calls</h2>
      <p className="mt-1 mb-4 text-muted">
        Each works as it stands, and what it makes is public until somebody claims it. With{" "}
        <code className="font-mono text-small text-ink">-H "Authorization: Bearer $API_KEY"</code>{" "}
        it belongs to this organization and appears here.
      </p>
      <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
        {jobsOf(baseUrl).map(({ icon, name, text, command, href }) => (
          <li
            key={name}
            className="grid gap-x-8 gap-y-3 bg-canvas p-4 md:grid-cols-[15rem_minmax(0,1fr)]"
          >
            <div>
              <h3 className="flex items-center gap-2 font-semibold">
                <Icon name={icon} className="text-muted" />
                {name}
              </h3>
              <p className="mt-1 text-muted">{text}</p>
            </div>
            <div>
              <Command>{command}</Command>
              <p className="mt-2 flex gap-2">
                <CopyButton text={command}>Copy the call</CopyButton>
                <a href={href} className="button">
                  Or do it here
                </a>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Job {
  icon: IconName;
  name: string;
  text: string;
  command: string;
  href: string;
}

function jobsOf(baseUrl: string): Job[] {
  return [
    {
      icon: "tasks",
      name: "Remember tasks",
      text: "Names with a priority, a due date and labels.",
      command: `curl ${baseUrl}/api/tasks -d '{"name": "Say hello", "labels": ["demo"]}'`,
      href: "/tasks?new=1",
    },
    {
      icon: "webhooks",
      name: "Capture requests",
      text: "A URL that keeps whatever is sent to it, bytes and all.",
      command: `curl ${baseUrl}/api/webhooks -d '{"name": "Payments"}'`,
      href: "/webhooks?new=1",
    },
    {
      icon: "artifacts",
      name: "Publish documents",
      text: "Markdown or HTML, rendered, shared by a link that can be revoked.",
      command: `curl ${baseUrl}/api/artifacts -d '{"name": "Report", "content": "# Hello"}'`,
      href: "/artifacts?new=1",
    },
    {
      icon: "messages",
      name: "Send later",
      text: "An HTTP request at a time, tried again until it is taken.",
      command: `curl ${baseUrl}/api/messages -d '{"url": "https://example.com/", "delay_seconds": 3600}'`,
      href: "/messages?new=1",
    },
    {
      icon: "inboxes",
      name: "Queue events",
      text: "An inbox that workers empty, one event at a time, and none twice.",
      command: `curl ${baseUrl}/api/inboxes -d '{"name": "Jobs"}'`,
      href: "/inboxes?new=1",
    },
  ];
}
