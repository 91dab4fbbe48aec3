import { truncate } from "@/lib/platform/truncate";
import { CopyText } from "./copy";
import { Fact, TimeFact } from "./facts";

/** A page has the text of a copied ID three times. */
const COPIED_CHARACTERS_MAX = 1000;

interface Props {
  of: {
    id: string;
    external_id: string | null;
    organization_id: string | null;
    created_at: number;
    updated_at: number;
  };
}

/** The facts beside the ID: its owner only if there is none, the last change only after the creation. */
export function ResourceFacts({ of: resource }: Props) {
  const { id, external_id, organization_id, created_at, updated_at } = resource;
  return (
    <>
      {external_id !== null && (
        <Fact name="External ID">
          <ExternalId id={external_id} />
        </Fact>
      )}
      {organization_id === null && <PublicFact id={id} />}
      <TimeFact name="Created" unix={created_at} />
      {updated_at !== created_at && <TimeFact name="Changed" unix={updated_at} />}
    </>
  );
}

/** An external ID, or the beginning of a very long one. */
export function ExternalId({ id }: { id: string }) {
  if (id.length <= COPIED_CHARACTERS_MAX) return <CopyText text={id} />;
  return (
    <span className="font-mono text-small wrap-anywhere text-muted">{truncate(id, 200)}…</span>
  );
}

/** The fact that a resource has no owner yet. */
export function PublicFact({ id }: { id: string }) {
  return (
    <Fact name="Owner">
      public: anyone with the ID has access.{" "}
      <a href={`/claim/${id}`} className="link">
        Claim it
      </a>
    </Fact>
  );
}
