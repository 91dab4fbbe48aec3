import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreOf, readUpTo, shownOf } from "@/app/listing";
import { signedIn } from "@/app/session";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { ListPage } from "@/components/ui/list-page";
import { NameForm } from "@/components/ui/name-form";
import { EndpointTable } from "@/components/webhooks/endpoint-table";
import { config } from "@/lib/config";
import { MAX_EVENTS_DEFAULT, WebhookEndpointListQuery } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";
import { createEndpoint } from "./actions";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/webhooks", { ...params }));
  const shown = shownOf(params);
  const after = WebhookEndpointListQuery.shape.after.safeParse(one(params, "after")).data;
  const list = await readUpTo(shown, after, (page) => webhooks.list(caller, page));
  const more = moreOf(list, shown);
  return (
    <ListPage
      title="Webhooks"
      count={countOf(list)}
      create={{ href: "/webhooks?new=1", label: "New endpoint" }}
      more={more && address("/webhooks", more)}
      allHref={after && "/webhooks"}
      form={
        one(params, "new") === "1" && (
          <NameForm
            action={createEndpoint}
            formId={crypto.randomUUID()}
            closeHref="/webhooks"
            submit="Create endpoint"
            maxEvents={MAX_EVENTS_DEFAULT}
          />
        )
      }
      lesson={
        <Lesson
          title="No endpoints yet"
          text="An endpoint is a URL that keeps whatever is sent to it: method, headers and every byte."
          command={curl(`${config().baseUrl}/api/webhooks`, { body: { name: "Payments" } })}
          action={
            <a href="/webhooks?new=1" className="button">
              New endpoint
            </a>
          }
        />
      }
    >
      {list.data.length > 0 ? <EndpointTable endpoints={list.data} /> : undefined}
    </ListPage>
  );
}
