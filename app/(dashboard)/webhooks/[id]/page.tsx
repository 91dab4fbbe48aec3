import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import { EndpointDetail } from "@/components/webhooks/endpoint-detail";
import { entityTag } from "@/lib/http/conditional";
import * as webhooks from "@/lib/webhooks/service";
import { deleteEndpoint, purgeEvents, updateEndpoint } from "../actions";
import { EndpointView } from "../endpoint-view";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Webhook endpoint", robots: { index: false } };

export default async function EndpointPage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const here = address(`/webhooks/${id}`, search);
  const endpoint = await found(here, () => webhooks.get(caller, id));
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  return (
    <EndpointView
      caller={caller}
      endpoint={endpoint}
      params={search}
      isSignedIn={account !== null}
      pane={
        <EndpointDetail
          endpoint={endpoint}
          tag={entityTag(JSON.stringify(endpoint))}
          canWrite={canWrite}
          editing={canWrite && one(search, "edit") === "1"}
          actions={{ update: updateEndpoint, purge: purgeEvents, remove: deleteEndpoint }}
        />
      }
    />
  );
}
