import { CopyText } from "./copy";

/** Whose a resource is; a public one can be claimed. */
export function Owner({ organizationId, id }: { organizationId: string | null; id: string }) {
  if (organizationId !== null) return <CopyText text={organizationId} />;
  return (
    <>
      public: whoever knows the ID.{" "}
      <a href={`/claim/${id}`} className="link">
        Claim it
      </a>
    </>
  );
}
