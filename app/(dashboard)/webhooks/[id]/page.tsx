import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { metadataOf } from "@/app/_shared/resources";
import { DetailPane } from "@/components/ui/list-and-detail";
import { formTag } from "@/lib/forms/unchanged";
import { readEndpoint } from "../_components/endpoint";
import { EndpointDetail } from "../_components/endpoint-detail";
import { deleteEndpoint, purgeEvents, updateEndpoint } from "../actions";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return metadataOf((await params).id);
}

export default async function EndpointPage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { endpoint, canWrite } = await readEndpoint(id, withQuery(`/webhooks/${id}`, search));
  return (
    <DetailPane label="Endpoint" isOpen={false}>
      <EndpointDetail
        endpoint={endpoint}
        tag={formTag(endpoint)}
        canWrite={canWrite}
        editing={canWrite && queryParam(search, "edit") === "1"}
        actions={{ update: updateEndpoint, purge: purgeEvents, remove: deleteEndpoint }}
      />
    </DetailPane>
  );
}
