import type { Metadata } from "next";
import { address, type SearchParams } from "@/app/address";
import { signedIn } from "@/app/session";
import { ArtifactList } from "./artifact-list";

export const metadata: Metadata = { title: "Artifacts" };

export default async function ArtifactsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/artifacts", { ...params }));
  return <ArtifactList caller={caller} params={params} />;
}
