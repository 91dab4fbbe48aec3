import { visitorAddress } from "@/app/_shared/session";
import { config } from "@/lib/platform/config/config";
import { jsonOutline } from "@/lib/platform/http/json-outline";

/** The test request that a person sends to a capture or ingest URL. */
export async function testRequest(url: string, method: string, body: string): Promise<Request> {
  const type = jsonOutline(Buffer.from(body)) ? "application/json" : "text/plain; charset=utf-8";
  const agent = { "user-agent": new URL(config().baseUrl).host };
  const request =
    method === "GET"
      ? new Request(url, { headers: agent })
      : new Request(url, { method, headers: { ...agent, "content-type": type }, body });
  const address = await visitorAddress();
  return Object.assign(request, address !== null && { clientAddress: address });
}
