import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { clientAddress } from "@/lib/platform/http/address";
import { isCreate, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { HttpResponse } from "@/lib/platform/http/response";
import { REPLAYED } from "@/lib/platform/http/response-records";
import { countNetworkBytes } from "@/lib/resources/storage/network-bytes";
import {
  assertNetworkStorage,
  assertStorage,
  countStored,
} from "@/lib/resources/storage/stored-bytes";

/** Up to this size, a response is recorded for its `Idempotency-Key` even if the network's storage is used up. */
const SMALL_RECORD_BYTES = 10_000;

/**
 * How a call counts against the caller's storage: a create or change by the size of its response, other
 * operations by the texts that they add, such as notes. If it `isRecorded` for an `Idempotency-Key`, the
 * stored copy of the response counts too.
 */
export function storageOf(
  operation: Operation,
  caller: Caller,
  request: HttpRequest,
  isRecorded: boolean,
) {
  const { method, scope, finishesWork } = operation;
  // Registrations and keys have no scope: a caller whose storage is used up must still be able to
  // get an owner.
  if (scope !== "api.write") return;
  const showsStored = isCreate(operation) || method === "PATCH" || method === "PUT";
  const owner = organizationOf(caller);
  const address = clientAddress(request);
  return {
    /** Throws 429 if the storage is used up and the call stores something: a resource, or texts of so many bytes. */
    assert(bytes = 0) {
      if (showsStored || (bytes > 0 && !finishesWork)) assertStorage(owner, address);
      else if (owner === null && bytes > 0) assertNetworkStorage(address);
    },
    /** Throws 429 for a response that is too long to be recorded. One with `Retry-After` is not. */
    assertRecord(response: HttpResponse) {
      if (response.headers["Retry-After"] !== undefined) return;
      if (owner === null && sizeOf(response) > SMALL_RECORD_BYTES) assertNetworkStorage(address);
    },
    count(response: HttpResponse, bytes: number) {
      if (response.headers[REPLAYED] !== undefined) return;
      if (showsStored) countStored(owner, address, sizeOf(response) * (isRecorded ? 2 : 1));
      else {
        countStored(owner, address, bytes);
        if (owner === null && isRecorded) countNetworkBytes(address, sizeOf(response));
      }
    },
  };
}

function sizeOf({ body }: HttpResponse): number {
  return typeof body === "string" ? Buffer.byteLength(body) : 0;
}
