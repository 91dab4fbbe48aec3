import { act } from "@/app/_shared/act";
import { visitor, visitorAddress } from "@/app/_shared/session";
import { once } from "@/lib/api/forms/once";
import { config } from "@/lib/platform/config/config";
import type { Operation } from "@/lib/platform/http/operation";
import { contentTypeOf } from "@/lib/resources/messages/content-type";
import { textField } from "./form-fields";

/**
 * Sends the test request of a person's form to the capture or ingest URL of a resource. A second
 * submission of the form with the same body sends nothing.
 */
export async function sendTestRequest(
  operation: Operation,
  id: string,
  data: FormData,
  query: Record<string, string> = {},
): Promise<void> {
  const body = textField(data, "body");
  const type = contentTypeOf(Buffer.from(body));
  const agent = { "user-agent": new URL(config().baseUrl).host };
  const content = { headers: { ...agent, "content-type": type }, text: body };
  const request = operation.method === "GET" ? { headers: agent } : content;
  const { account } = await visitor();
  const send = () => act(operation, { params: { id }, query, ...request });
  const submitted = textField(data, "form");
  // A page of an earlier version names no form.
  if (submitted === "") return void (await send());
  const form = {
    // No idempotency key is sent: a capture would show it, and would store a repeat as another request.
    id: submitted,
    scope: account?.sessionId ?? (await visitorAddress()) ?? "",
    work: `${operation.id} ${id}`,
    input: body,
  };
  await once(form, async () => {
    await send();
    return "";
  });
}
