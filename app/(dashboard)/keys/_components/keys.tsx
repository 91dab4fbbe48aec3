import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { NewButton } from "@/components/ui/new-button";
import { NoMatches } from "@/components/ui/no-matches";
import { PageSection } from "@/components/ui/page-section";
import type { GrantSummary } from "@/lib/identity/keys/grants";
import type { KeySummary } from "@/lib/identity/keys/organization-keys";
import { GrantTable, KeyTable } from "./key-tables";

interface Props {
  keys: KeySummary[];
  grants: GrantSummary[];
  isSearch: boolean;
  isCreating: boolean;
  /** Only people create and revoke keys. */
  isPerson: boolean;
  moreHref: string | undefined;
  /** The command with which an agent asks for a key. */
  registration: string;
}

/** The keys of the organization and the clients that members connected, or how to get one. */
export function Keys(props: Props) {
  const { keys, grants, isSearch, isCreating, isPerson, moreHref, registration } = props;
  return (
    <>
      {keys.length > 0 && <KeyTable keys={keys} canRevoke={isPerson} />}
      {isSearch && keys.length + grants.length === 0 && <NoMatches noun="keys" allHref="/keys" />}
      <LoadMore href={moreHref} />
      {keys.length === 0 && !isCreating && !isSearch && (
        <EmptyState
          title="No keys yet"
          text="What an agent creates with a key belongs to your organization and appears in its lists. An agent requests a key with this command, and you confirm with the code that we email you; the button creates one for you to hand over."
          command={registration}
          action={isPerson && <NewButton href="/keys?new=1">New key</NewButton>}
        />
      )}
      {grants.length > 0 && (
        <PageSection
          id="clients"
          title="Connected clients"
          intro="Members let them act for this organization."
        >
          <GrantTable grants={grants} canRevoke={isPerson} />
        </PageSection>
      )}
    </>
  );
}
