import { CopyText } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { PageSection } from "@/components/ui/page-section";
import type { Account } from "@/lib/accounts/visitor";
import type { Scope } from "@/lib/caller";

/** What a session of an API key is, and what it may. */
export function KeySession({ account, scopes }: { account: Account; scopes: readonly Scope[] }) {
  const { name, organization } = account;
  return (
    <PageSection title="This session">
      <div className="grid max-w-[46rem] gap-4 px-4 py-4 sm:px-6">
        <p className="text-muted">
          You are signed in with an API key. Members, sessions and new keys are for people: sign in
          with your e-mail address to manage them.
        </p>
        <Facts>
          <Fact name="Organization">{organization.name}</Fact>
          <Fact name="ID">
            <CopyText text={organization.id} />
          </Fact>
          <Fact name="Key">{name}</Fact>
          <Fact name="It may">
            {scopes.includes("api.write")
              ? "see, create, change and delete what the organization owns"
              : "see what the organization owns, and change nothing"}{" "}
            <code className="font-mono text-small text-muted">{scopes.join(" ")}</code>
          </Fact>
          <Fact name="It ends">when you sign out, or when the key is revoked or expires</Fact>
        </Facts>
      </div>
    </PageSection>
  );
}
