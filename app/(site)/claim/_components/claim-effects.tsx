import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";

/** Lists what a claim changes. */
export function ClaimEffects({ noun }: { noun: string }) {
  return (
    <section aria-label="What changes" className="border-t border-line px-5 py-4 sm:px-6">
      <h2 className="font-semibold">What changes</h2>
      <ul className="mt-2 grid gap-1.5 text-muted">
        <Change>
          Only your organization’s members and keys can open it; its ID alone no longer does.
        </Change>
        <Change>It appears in your organization’s lists and stays until you delete it.</Change>
        <Change>
          It keeps its ID and content. The token is used up, so this {noun} cannot be claimed again.
        </Change>
      </ul>
    </section>
  );
}

function Change({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2">
      <Icon name="check" className="mt-0.75 text-ok" />
      <span>{children}</span>
    </li>
  );
}
