import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreHref, readShown } from "@/app/listing";
import { signedIn } from "@/app/session";
import { curl } from "@/components/ui/curl";
import { ResourceIndex } from "@/components/ui/resource-index";
import { EndpointForm } from "@/components/webhooks/endpoint-form";
import { EndpointTable } from "@/components/webhooks/endpoint-table";
import { mayWrite } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { lastEvents } from "@/lib/webhooks/events/last-events";
import * as webhooks from "@/lib/webhooks/service";
import { createEndpoint } from "./actions";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/webhooks", params));
  const creating = one(params, "new") === "1";
  const list = await readShown(params, (part) => webhooks.list(caller, part));
  const last = await lastEvents(
    caller,
    list.data.map(({ id }) => id),
  );
  return (
    <ResourceIndex
      title="Webhooks"
      noun="endpoint"
      nouns="endpoints"
      count={countOf(list)}
      newHref={mayWrite(caller) ? "/webhooks?new=1" : undefined}
      form={
        creating && (
          <EndpointForm
            action={createEndpoint}
            closeHref="/webhooks"
            formId={crypto.randomUUID()}
          />
        )
      }
      isEmpty={list.total_count === 0}
      lesson={{
        text: "An endpoint is a URL that keeps whatever is sent to it, byte for byte. An agent makes one with this call; you make one with the button.",
        command: curl(`${config().baseUrl}/api/webhooks`, { body: { name: "Payments" } }),
      }}
      moreHref={moreHref("/webhooks", {}, params, list)}
    >
      {list.data.length > 0 && <EndpointTable endpoints={list.data} lastEvents={last} />}
    </ResourceIndex>
  );
}
