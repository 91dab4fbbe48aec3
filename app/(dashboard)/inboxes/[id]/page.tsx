import type { Metadata } from "next";
import { address, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import * as inboxes from "@/lib/inboxes/service";
import { InboxView } from "./inbox-view";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Inbox", robots: { index: false } };

export default async function InboxPage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { caller } = await visitor();
  const inbox = await found(address(`/inboxes/${id}`, { ...search }), () =>
    inboxes.get(caller, id),
  );
  return <InboxView caller={caller} inbox={inbox} params={search} />;
}
