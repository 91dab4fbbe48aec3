import { CopyText } from "./copy";

/** The owner of a resource. A public one can be claimed. */
export function Owner({ organizationId, id }: { organizationId: string | null; id: string }) {
  if (organizationId !== null) return <CopyText text={organizationId} />;
  return (
    <>
      public: anyone with the ID has access.{" "}
      <a href={`/claim/${id}`} className="link">
        Claim it
      </a>
    </>
  );
}
