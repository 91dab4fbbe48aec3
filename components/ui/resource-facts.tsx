import { CopyText } from "./copy";
import { Fact, TimeFact } from "./facts";
import { Owner } from "./owner";

interface Props {
  of: {
    id: string;
    external_id: string | null;
    organization_id: string | null;
    created_at: number;
    updated_at: number;
  };
}

export function ResourceFacts({ of: resource }: Props) {
  const { id, external_id, organization_id, created_at, updated_at } = resource;
  return (
    <>
      <Fact name="ID">
        <CopyText text={id} />
      </Fact>
      {external_id !== null && (
        <Fact name="External ID">
          <CopyText text={external_id} />
        </Fact>
      )}
      <Fact name="Owner">
        <Owner organizationId={organization_id} id={id} />
      </Fact>
      <TimeFact name="Created" unix={created_at} />
      <TimeFact name="Changed" unix={updated_at} />
    </>
  );
}
