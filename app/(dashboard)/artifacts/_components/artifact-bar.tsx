import { DeleteButton } from "@/components/ui/delete-button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";
import { CopyCall, EditLink } from "@/components/ui/pane";
import type { Artifact } from "@/lib/resources/artifacts/contract";
import { deleteArtifact } from "../actions";

interface Props {
  artifact: Artifact;
  canWrite: boolean;
  isEditing: boolean;
}

export function ArtifactBar({ artifact, canWrite, isEditing }: Props) {
  const { id } = artifact;
  return (
    <div className="flex flex-wrap gap-2">
      {canWrite && !isEditing && (
        <EditLink href={`/artifacts/${id}?edit=1`} className="button button-primary" />
      )}
      <Menu>
        <a href={`/artifacts/${id}/raw?download=1`} className="button" download>
          <Icon name="download" />
          Download
        </a>
        <CopyCall path={`artifacts/${id}`} of={artifact} />
        {canWrite && (
          <DeleteButton
            noun="artifact"
            consequence="Deletes the document and its history, and ends its share links. This cannot be undone."
            action={deleteArtifact}
            fields={{ id }}
          />
        )}
      </Menu>
    </div>
  );
}
