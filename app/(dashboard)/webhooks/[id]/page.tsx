import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { metadataOf } from "@/app/_shared/resources";
import { DetailPane } from "@/components/ui/list-and-detail";
import { stableTag } from "@/lib/resources/version";
import { readEndpoint } from "../_components/endpoint";
import { EndpointDetail } from "../_components/endpoint-detail";
import { readFlow } from "../_components/flow";
import { ForwardSection } from "../_components/forward-section";
import { VerificationSection } from "../_components/verification-section";
import { deleteEndpoint, purgeEvents, updateEndpoint } from "../actions";
import { removeForward, removeVerification, setForward, setVerification } from "../flow-actions";

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
  const { caller, endpoint, canWrite } = await readEndpoint(
    id,
    withQuery(`/webhooks/${id}`, search),
  );
  const { verification, forward, outcomes } = await readFlow(caller, endpoint.id);
  const shared = { endpointId: endpoint.id, outcomes, canWrite };
  return (
    <DetailPane label="Endpoint" isOpen={false}>
      <EndpointDetail
        endpoint={endpoint}
        tag={stableTag(endpoint)}
        canWrite={canWrite}
        editing={canWrite && queryParam(search, "edit") === "1"}
        flow={
          <>
            <VerificationSection
              {...shared}
              verification={verification}
              actions={{ set: setVerification, remove: removeVerification }}
            />
            <ForwardSection
              {...shared}
              forward={forward}
              actions={{ set: setForward, remove: removeForward }}
            />
          </>
        }
        actions={{ update: updateEndpoint, purge: purgeEvents, remove: deleteEndpoint }}
      />
    </DetailPane>
  );
}
