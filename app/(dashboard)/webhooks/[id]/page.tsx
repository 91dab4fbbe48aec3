import type { Metadata } from "next";
import { type SearchParams, withQuery } from "@/app/_shared/query";
import { metadataOf } from "@/app/_shared/resources";
import { EventList } from "../_components/event-list";

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
  return <EventList id={id} search={search} here={withQuery(`/webhooks/${id}`, search)} />;
}
