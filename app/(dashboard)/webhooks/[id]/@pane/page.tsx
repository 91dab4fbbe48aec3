import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { formTag } from "@/lib/forms/unchanged";
import { endpointOf } from "../../_components/endpoint";
import { EndpointDetail } from "../../_components/endpoint-detail";
import { Pane } from "../../_components/pane";
import { deleteEndpoint, purgeEvents, updateEndpoint } from "../../actions";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function EndpointPane({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { endpoint, canWrite } = await endpointOf(id, withQuery(`/webhooks/${id}`, search));
  return (
    <Pane label="Endpoint">
      <EndpointDetail
        endpoint={endpoint}
        tag={formTag(endpoint)}
        canWrite={canWrite}
        editing={canWrite && queryParam(search, "edit") === "1"}
        actions={{ update: updateEndpoint, purge: purgeEvents, remove: deleteEndpoint }}
      />
    </Pane>
  );
}
