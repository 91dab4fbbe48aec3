import { headers } from "next/headers";
import { type ReactNode, Suspense } from "react";
import { getTimeZone } from "@/app/_shared/display-settings";
import { ownerOf, visitor } from "@/app/_shared/session";
import { FocusAfterNavigation } from "@/app/(dashboard)/_frame/focus-after-navigation";
import { GlobalShortcuts } from "@/app/(dashboard)/_frame/global-shortcuts";
import { FormOwner } from "@/components/ui/action-form";
import { LiveView } from "@/components/ui/auto-refresh";
import { HomeLink } from "@/components/ui/logo";
import { NavigationState } from "@/components/ui/navigation-state";
import { TimeZoneProvider } from "@/components/ui/time";
import type { Account } from "@/lib/identity/sessions/visitor";
import { viewOf } from "@/lib/identity/sessions/visitor";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { countOpen } from "@/lib/resources/questions/service";
import { EarlyClicks } from "./_frame/early-clicks";
import type { May } from "./_frame/palette-items";
import { NarrowHeader, Rail } from "./_frame/rail";
import { TabOwner } from "./_frame/tab-owner";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const now = await visitor();
  const { caller, account } = now;
  const owner = ownerOf(now);
  return (
    <TimeZoneProvider zone={await getTimeZone()}>
      {/* Before the page, whose forms would restore another owner's drafts. */}
      {owner && <TabOwner owner={owner} />}
      <FormOwner key={owner} owner={owner}>
        {account ? (
          <Frame account={account} may={mayOf(caller)} waiting={await countOpen(caller)}>
            {children}
          </Frame>
        ) : (
          // A public resource.
          <>
            <header className="flex items-center justify-between border-b border-line px-4 py-3 sm:px-6">
              <HomeLink />
              <a href="/sign-in" className="link">
                Sign in
              </a>
            </header>
            <main id="main">{children}</main>
            <GlobalShortcuts isVisitor />
          </>
        )}
      </FormOwner>
      <LiveView view={viewOf(account)} />
      <NavigationState />
      <Suspense>
        <FocusAfterNavigation />
      </Suspense>
    </TimeZoneProvider>
  );
}

function mayOf(caller: Caller): May {
  if (!mayWrite(caller)) return "read";
  return caller.kind === "user" ? "all" : "write";
}

interface FrameProps {
  account: Account;
  may: May;
  /** How many questions wait for a person. */
  waiting: number;
  children: ReactNode;
}

async function Frame({ account, may, waiting, children }: FrameProps) {
  const isApple = /Mac OS X|iPad|iPhone/.test((await headers()).get("user-agent") ?? "");
  return (
    <div className="sm:grid sm:grid-cols-[auto_minmax(0,1fr)] print:block">
      <EarlyClicks />
      <a
        href="#main"
        className="sr-only z-30 bg-canvas p-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the page
      </a>
      <Rail {...{ account, isApple, waiting }} />
      <div className="min-w-0">
        <NarrowHeader account={account} />
        <main id="main" className="pb-24 sm:pb-8">
          {children}
        </main>
      </div>
      <GlobalShortcuts may={may} />
    </div>
  );
}
