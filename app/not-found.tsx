import type { Metadata } from "next";
import { SiteFrame } from "@/components/site/frame";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <SiteFrame>
      <div className="mx-auto max-w-[40rem] py-12 lg:py-20">
        <p className="font-mono text-small text-muted">404</p>
        <h1 className="mt-1 text-title font-semibold tracking-tight">There is no page here</h1>
        <p className="mt-4 text-muted">
          The address may be mistyped, or cut off where it was copied. IDs are long, and capital
          letters count.
        </p>
        <ul className="mt-6 text-body">
          <Place href="/" name="Home" text="What this service is, and four calls to try" />
          <Place href="/openapi.json" name="OpenAPI" text="Every path of the API" />
          <Place
            href="/api/health"
            name="Health"
            text="Whether the service and its database work"
          />
        </ul>
      </div>
    </SiteFrame>
  );
}

function Place({ href, name, text }: { href: string; name: string; text: string }) {
  return (
    <li className="grid gap-x-4 border-t border-line py-3 last:border-b sm:grid-cols-[7rem_1fr]">
      <a href={href} className="link justify-self-start">
        {name}
      </a>
      <span className="text-muted">{text}</span>
    </li>
  );
}
