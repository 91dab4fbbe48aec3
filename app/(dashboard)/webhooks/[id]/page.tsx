import { queryParam, withQuery } from "@/app/_shared/query";
import { type ResourcePage, resourceMetadata } from "@/app/_shared/resources";
import { DetailPane } from "@/components/ui/list-and-detail";
import { list as listInboxes } from "@/lib/resources/inboxes/service";
import { stableTag } from "@/lib/resources/version";
import { readEndpoint } from "../_components/endpoint";
import { EndpointDetail } from "../_components/endpoint-detail";
import { readFlow } from "../_components/flow";
import { ForwardSection } from "../_components/forward-section";
import { VerificationSection } from "../_components/verification-section";
import { deleteEndpoint, purgeEvents, updateEndpoint } from "../actions";
import { removeForward, removeVerification, setForward, setVerification } from "../flow-actions";

const INBOXES_SUGGESTED = 50;

export const generateMetadata = resourceMetadata;

export default async function EndpointPage({ params, searchParams }: ResourcePage) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, endpoint, canWrite } = await readEndpoint(
    id,
    withQuery(`/webhooks/${id}`, search),
  );
  const [{ verification, forward, outcomes }, inboxes] = await Promise.all([
    readFlow(caller, endpoint.id),
    listInboxes(caller, { limit: INBOXES_SUGGESTED }),
  ]);
  const editing = canWrite && queryParam(search, "edit") === "1";
  const shared = { outcomes, canWrite };
  return (
    <DetailPane label="Endpoint" isOpen={editing} heading={endpoint.name}>
      <EndpointDetail
        endpoint={endpoint}
        tag={stableTag(endpoint)}
        canWrite={canWrite}
        editing={editing}
        flow={
          <>
            <VerificationSection
              {...shared}
              endpointId={endpoint.id}
              verification={verification}
              actions={{ set: setVerification, remove: removeVerification }}
            />
            <ForwardSection
              {...shared}
              endpoint={endpoint}
              forward={forward}
              inboxes={endpoint.organization_id === null ? undefined : inboxes.data}
              actions={{ set: setForward, remove: removeForward }}
            />
          </>
        }
        actions={{ update: updateEndpoint, purge: purgeEvents, remove: deleteEndpoint }}
      />
    </DetailPane>
  );
}
