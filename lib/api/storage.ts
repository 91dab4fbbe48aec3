import { waitUntil } from "@vercel/functions";
import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { isCreate, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { HttpResponse } from "@/lib/platform/http/response";
import { REPLAYED } from "@/lib/platform/http/response-records";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { countNetworkBytes } from "@/lib/resources/storage/network-bytes";
import { countsAsPublic, isPublic } from "@/lib/resources/storage/public-owners";
import {
  assertNetworkStorage,
  assertRecordStorage,
  assertStorage,
  countStored,
  isStorageFull,
} from "@/lib/resources/storage/stored-bytes";
import { PART_BYTES, RESOURCE_BYTES } from "@/lib/resources/storage/stored-bytes-sum";

/** Up to this size, a response is recorded for its `Idempotency-Key` even if the storage is used up. */
export const SMALL_RECORD_BYTES = 10_000;

interface Changing {
  /** The ID in the path: of the resource that the call changes, if it creates none. */
  id: string | undefined;
  /** Whether the response is recorded for an `Idempotency-Key`. The copy counts too. */
  isRecorded: boolean;
}

/**
 * How a call counts against the storage of the caller or, since a key may change what is public too, of
 * the resource's owner: a create or change by the size of its response, other operations by the texts that
 * they add, such as notes.
 */
export function storageOf(
  operation: Operation,
  caller: Caller,
  request: HttpRequest,
  { id = "", isRecorded }: Changing,
) {
  const { method, scope, finishesWork } = operation;
  // Registrations, keys and claims have no scope: a caller whose storage is used up must still be able
  // to get an owner. Only the copies of their responses count.
  const stores = scope === "api.write";
  if (!stores && !isRecorded) return;
  const showsStored = stores && (isCreate(operation) || method === "PATCH" || method === "PUT");
  /**
   * True if the response may be recorded whatever its size: it has little that the request did not
   * send, or it is that of a batch, which cannot be refused once it has run.
   */
  const echoes = operation.id === "runBatch" || (isCreate(operation) && id === "");
  const owner = organizationOf(caller);
  const address = countedAddress(request);
  /** The owner of what the call changed, if its result says so. */
  let shown: string | null | undefined;
  /** For a result that does not, such as a note. If it fails, the next measurement finds the bytes. */
  const countLater = (bytes: number) =>
    isPublic(id)
      .then((isOpen) => countStored(isOpen ? null : owner, address, bytes))
      .catch(() => {});
  return {
    /** Throws 429 if the storage is used up and the call stores something: a resource, or texts of so many bytes. */
    async assert(bytes = 0) {
      if (!showsStored && (!stores || bytes === 0)) return;
      if (!finishesWork) assertStorage(owner, address);
      // Looked up only if it matters.
      if (isCreate(operation) || !isStorageFull(null, address) || !(await isPublic(id))) return;
      if (finishesWork) assertNetworkStorage(address);
      else assertStorage(null, address);
    },
    /** Notes the owner that the call's result shows. */
    noteResult(result: unknown) {
      shown = Object(result).organization_id;
    },
    /** Throws 429 for a response that is too long to be recorded. */
    assertRecord(response: HttpResponse) {
      if (echoes || sizeOf(response) <= SMALL_RECORD_BYTES) return;
      if (countsAsPublic(owner)) assertNetworkStorage(address);
      else if (!finishesWork) assertRecordStorage(owner);
    },
    count(response: HttpResponse, bytes: number) {
      if (response.headers[REPLAYED] !== undefined) return;
      const changed = shown === undefined ? owner : shown;
      const size = sizeOf(response);
      const row = isCreate(operation) ? RESOURCE_BYTES : PART_BYTES;
      if (showsStored) countStored(changed, address, size * (isRecorded ? 2 : 1) + row);
      else if (shown === undefined && owner !== null && bytes > 0)
        waitUntil(countLater(bytes + row));
      else if (bytes > 0) countStored(changed, address, bytes + row);
      if (!isRecorded) return;
      const isOpen = countsAsPublic(owner);
      if (isOpen && !showsStored) countNetworkBytes(address, size);
      if (!isOpen && !echoes && size > SMALL_RECORD_BYTES) countNetworkBytes(owner, size);
    },
  };
}

function sizeOf({ body }: HttpResponse): number {
  return typeof body === "string" ? Buffer.byteLength(body) : 0;
}
