import { queryParam, withQuery } from "@/app/_shared/query";
import { type ResourcePage, resourceMetadata } from "@/app/_shared/resources";
import { orNull } from "@/app/(dashboard)/_shared/read-or-not-found";
import { DetailPane } from "@/components/ui/list-and-detail";
import { list as listInboxes } from "@/lib/resources/inboxes/service";
import { recentOutcomes } from "@/lib/resources/webhooks/forward/outcomes";
import * as forwards from "@/lib/resources/webhooks/forward/service";
import * as verifications from "@/lib/resources/webhooks/verification/service";
import { readEndpoint } from "../_components/endpoint";
import { EndpointDetail } from "../_components/endpoint-detail";
import { ForwardSection } from "../_components/forward-section";
import { VerificationSection } from "../_components/verification-section";

const INBOXES_SUGGESTED = 50;

export const generateMetadata = resourceMetadata;

export default async function EndpointPage({ params, searchParams }: ResourcePage) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, endpoint, canWrite } = await readEndpoint(
    id,
    withQuery(`/webhooks/${id}`, search),
  );
  const [verification, forward, outcomes, inboxes] = await Promise.all([
    orNull(verifications.get(caller, endpoint.id)),
    orNull(forwards.get(caller, endpoint.id)),
    recentOutcomes(caller, endpoint.id),
    listInboxes(caller, { limit: INBOXES_SUGGESTED }),
  ]);
  const editing = canWrite && queryParam(search, "edit") === "1";
  const shared = { outcomes, canWrite };
  return (
    <DetailPane label="Endpoint" isOpen={editing} heading={endpoint.name}>
      <EndpointDetail
        endpoint={endpoint}
        canWrite={canWrite}
        editing={editing}
        flow={
          <>
            <VerificationSection {...shared} endpointId={endpoint.id} verification={verification} />
            <ForwardSection
              {...shared}
              endpoint={endpoint}
              forward={forward}
              inboxes={endpoint.organization_id === null ? undefined : inboxes.data}
            />
          </>
        }
      />
    </DetailPane>
  );
}
