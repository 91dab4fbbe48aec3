import type { Metadata } from "next";
import Link from "next/link";
import { address, one, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import { ArtifactForm } from "@/components/artifacts/artifact-form";
import { ShareForm } from "@/components/artifacts/share-form";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { bytes } from "@/components/ui/bytes";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Detail } from "@/components/ui/detail";
import { Icon } from "@/components/ui/icon";
import { Pills } from "@/components/ui/pills";
import { Split } from "@/components/ui/split";
import { Time } from "@/components/ui/time";
import type { Artifact } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import { config } from "@/lib/config";
import { entityTag } from "@/lib/http/conditional";
import { deleteArtifact, revokeShares, shareArtifact, updateArtifact } from "../actions";
import { ArtifactList } from "../artifact-list";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Artifact", robots: { index: false } };

export default async function ArtifactPage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const here = address(`/artifacts/${id}`, { ...search });
  const artifact = await found(here, () => artifacts.get(caller, id));
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  const editing = canWrite && one(search, "edit") === "1";
  const source = one(search, "view") === "source";
  const detail = (
    <Detail
      title={artifact.name}
      id={id}
      closeHref={account ? address("/artifacts", { shown: one(search, "shown") }) : "/"}
      state={
        <span className="text-small text-muted tabular-nums">
          {bytes(artifact.size)}, changed <Time unix={artifact.updated_at} />
        </span>
      }
      actions={!editing && <Actions artifact={artifact} canWrite={canWrite} />}
    >
      {editing ? (
        <ArtifactForm
          action={updateArtifact}
          formId={crypto.randomUUID()}
          closeHref={`/artifacts/${id}`}
          artifact={artifact}
          tag={entityTag(JSON.stringify(artifact))}
        />
      ) : (
        <Content artifact={artifact} source={source} canWrite={canWrite} />
      )}
    </Detail>
  );
  if (!account) return <div className="mx-auto max-w-[60rem]">{detail}</div>;
  return (
    <Split list={<ArtifactList caller={caller} params={search} openId={id} />}>{detail}</Split>
  );
}

function Actions({ artifact, canWrite }: { artifact: Artifact; canWrite: boolean }) {
  const { id, organization_id } = artifact;
  const url = `${config().baseUrl}/api/artifacts/${id}`;
  return (
    <>
      {canWrite && (
        <Link href={`/artifacts/${id}?edit=1`} prefetch={false} className="button">
          <Icon name="edit" />
          Edit
        </Link>
      )}
      <a href={`/artifacts/${id}/view?download=1`} className="button">
        <Icon name="download" />
        Download
      </a>
      <CopyButton text={curl(url, { key: organization_id !== null })}>Copy as curl</CopyButton>
      {canWrite && (
        <Confirm
          id={`delete-${id}`}
          label="Delete"
          title="Delete this artifact?"
          consequence="It is gone at once, and every link that shows it shows nothing. There is no way back."
          confirm="Delete artifact"
          action={deleteArtifact}
          fields={{ id }}
        />
      )}
    </>
  );
}

function Content(props: { artifact: Artifact; source: boolean; canWrite: boolean }) {
  const { artifact, source, canWrite } = props;
  const { id, format, name, content } = artifact;
  return (
    <div className="grid gap-4">
      {canWrite && (
        <div className="flex flex-wrap items-center gap-2 border-y border-line py-3">
          <ShareForm id={id} action={shareArtifact} />
          <ActionForm action={revokeShares} className="ml-auto">
            <input type="hidden" name="id" value={id} />
            <Submit className="text-small text-failed hover:underline">Revoke all links</Submit>
          </ActionForm>
        </div>
      )}
      <div className="justify-self-start">
        <Pills
          label="View"
          pills={[
            { name: "Rendered", href: `/artifacts/${id}`, chosen: !source },
            { name: "Source", href: `/artifacts/${id}?view=source`, chosen: source },
          ]}
        />
      </div>
      {source ? (
        <CodeBlock label="Source">{content}</CodeBlock>
      ) : (
        <iframe
          src={`/artifacts/${id}/view`}
          title={name}
          // The wall: whatever the document holds, it runs in an origin that is nobody's.
          sandbox={
            format === "html" ? "allow-scripts" : "allow-popups allow-popups-to-escape-sandbox"
          }
          referrerPolicy="no-referrer"
          className="h-[70vh] w-full rounded-md border border-line bg-canvas"
        />
      )}
    </div>
  );
}
