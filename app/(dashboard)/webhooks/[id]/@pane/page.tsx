import { address, one, type SearchParams } from "@/app/address";
import { Pane } from "@/components/ui/pane";
import { EndpointDetail } from "@/components/webhooks/endpoint-detail";
import { formTag } from "@/lib/forms/unchanged";
import { deleteEndpoint, purgeEvents, updateEndpoint } from "../../actions";
import { endpointOf } from "../endpoint";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function EndpointPane({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { endpoint, canWrite } = await endpointOf(id, address(`/webhooks/${id}`, search));
  return (
    <Pane label="Endpoint">
      <EndpointDetail
        endpoint={endpoint}
        tag={formTag(endpoint)}
        canWrite={canWrite}
        editing={canWrite && one(search, "edit") === "1"}
        actions={{ update: updateEndpoint, purge: purgeEvents, remove: deleteEndpoint }}
      />
    </Pane>
  );
}
