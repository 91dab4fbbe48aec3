import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { MessageList } from "./_components/message-list";

export const metadata: Metadata = { title: "Messages" };

export default async function MessagesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/messages", params));
  return (
    <MessageList caller={caller} params={params} creating={queryParam(params, "new") === "1"} />
  );
}
