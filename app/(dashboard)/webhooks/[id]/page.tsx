import type { Metadata } from "next";
import { address, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import * as webhooks from "@/lib/webhooks/service";
import { EndpointView } from "./endpoint-view";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Webhook endpoint", robots: { index: false } };

export default async function EndpointPage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { caller } = await visitor();
  const endpoint = await found(address(`/webhooks/${id}`, { ...search }), () =>
    webhooks.get(caller, id),
  );
  return <EndpointView caller={caller} endpoint={endpoint} params={search} />;
}
