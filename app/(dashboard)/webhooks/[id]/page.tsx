import { withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { orNull, readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { DetailPane } from "@/components/ui/list-and-detail";
import { list as listInboxes } from "@/lib/resources/inboxes/service";
import { recentOutcomes } from "@/lib/resources/webhooks/forward/outcomes";
import * as forwards from "@/lib/resources/webhooks/forward/service";
import * as webhooks from "@/lib/resources/webhooks/service";
import * as verifications from "@/lib/resources/webhooks/verification/service";
import { preservedParams } from "../_components/endpoint";
import { EndpointDetail } from "../_components/endpoint-detail";
import { ForwardSection } from "../_components/forward-section";
import { VerificationSection } from "../_components/verification-section";

const INBOXES_SUGGESTED = 50;

export const generateMetadata = resourceMetadata;

export default async function EndpointPage(props: ResourcePage) {
  const { id, search, caller, canWrite, isEditing, isAbout } = await openPage(props);
  const endpoint = await readOrNotFound(withQuery(`/webhooks/${id}`, search), () =>
    readOnce(webhooks.get, caller, id),
  );
  const [verification, forward, outcomes, inboxes] = await Promise.all([
    orNull(verifications.get(caller, endpoint.id)),
    orNull(forwards.get(caller, endpoint.id)),
    recentOutcomes(caller, endpoint.id),
    listInboxes(caller, { limit: INBOXES_SUGGESTED }),
  ]);
  const kept = preservedParams(search);
  const shared = { outcomes, canWrite };
  return (
    <DetailPane label="Endpoint" isOpen={isEditing || isAbout} heading={endpoint.name}>
      <EndpointDetail
        endpoint={endpoint}
        canWrite={canWrite}
        editing={isEditing}
        kept={kept}
        closeHref={isAbout ? withQuery(`/webhooks/${id}`, kept) : undefined}
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
