import { ActionForm, Submit } from "@/components/ui/action-form";
import { Icon } from "@/components/ui/icon";
import { restoreArtifact } from "../actions";

interface Props {
  id: string;
  number: number;
  /** The `stableTag` of the artifact; null if the visitor may not write. */
  tag: string | null;
}

/** The buttons of an earlier version. */
export function VersionBar({ id, number, tag }: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      {tag !== null && (
        <ActionForm
          action={restoreArtifact}
          fields={{ id, number, tag }}
          conflict={<Conflict id={id} />}
        >
          <Submit>Restore this version</Submit>
        </ActionForm>
      )}
      <a href={`/artifacts/${id}/versions/${number}/raw?download=1`} className="button" download>
        <Icon name="download" />
        Download
      </a>
    </div>
  );
}

/** Offers to look at the newer version before it is replaced. */
function Conflict({ id }: { id: string }) {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-2">
      <a href={`/artifacts/${id}`} target="_blank" rel="noreferrer" className="button">
        See theirs in a new tab
      </a>
      <Submit name="over" value="1" className="button button-danger">
        Restore over theirs
      </Submit>
    </p>
  );
}
