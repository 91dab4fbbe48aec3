import { CopyText } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { PageSection } from "@/components/ui/page-section";
import type { Account } from "@/lib/identity/sessions/visitor";
import type { Scope } from "@/lib/platform/caller";

/** The settings of a session that signed in with an API key. */
export function KeySession({ account, scopes }: { account: Account; scopes: readonly Scope[] }) {
  const { name, organization } = account;
  return (
    <PageSection title="This session">
      <div className="grid gap-4 px-4 py-4 sm:px-6">
        <p className="text-muted">
          You are signed in with an API key. To manage members, sessions and keys, sign in with your
          email address.
        </p>
        <Facts>
          <Fact name="Organization">{organization.name}</Fact>
          <Fact name="ID">
            <CopyText text={organization.id} />
          </Fact>
          <Fact name="Key">{name}</Fact>
          <Fact name="Access">
            {scopes.includes("api.write")
              ? "read and write everything the organization owns"
              : "read everything the organization owns"}{" "}
            <code className="font-mono text-small text-muted">{scopes.join(" ")}</code>
          </Fact>
          <Fact name="Ends">when you sign out, or when the key is revoked or expires</Fact>
        </Facts>
      </div>
    </PageSection>
  );
}
