import Link from "next/link";
import type { FormAction } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Icon } from "@/components/ui/icon";
import { config } from "@/lib/platform/config/config";
import type { Artifact } from "@/lib/resources/artifacts/contract";

interface Props {
  artifact: Artifact;
  canWrite: boolean;
  isEditing: boolean;
  remove: FormAction;
}

export function ArtifactBar({ artifact, canWrite, isEditing, remove }: Props) {
  const { id, organization_id } = artifact;
  return (
    <div className="flex flex-wrap gap-2">
      {canWrite && !isEditing && (
        <Link
          href={`/artifacts/${id}?edit=1`}
          prefetch={false}
          scroll={false}
          className="button button-primary"
        >
          <Icon name="edit" />
          Edit
        </Link>
      )}
      <a href={`/artifacts/${id}/raw?download=1`} className="button" download>
        <Icon name="download" />
        Download
      </a>
      <CopyButton
        text={curl(`${config().baseUrl}/api/artifacts/${id}`, { key: organization_id !== null })}
      >
        Copy as curl
      </CopyButton>
      {canWrite && (
        <Confirm
          label="Delete"
          title="Delete this artifact?"
          consequence="Deletes the document and its history, and ends its share links. This cannot be undone."
          confirm="Delete artifact"
          action={remove}
          fields={{ id }}
        />
      )}
    </div>
  );
}
