import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { clientAddress } from "@/lib/platform/http/address";
import { isCreate, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { HttpResponse } from "@/lib/platform/http/response";
import { REPLAYED } from "@/lib/platform/http/response-records";
import { assertStorage, countStored } from "@/lib/resources/storage/stored-bytes";

/**
 * How a call of an operation that stores what its response shows counts against the caller's
 * storage. Undefined for other operations, such as those that take or finish work.
 */
export function storageOf(operation: Operation, caller: Caller, request: HttpRequest) {
  const { method, scope } = operation;
  // Registrations and keys have no scope: a caller whose storage is used up must still be able to
  // get an owner.
  if (scope !== "api.write") return;
  if (!isCreate(operation) && method !== "PATCH" && method !== "PUT") return;
  const owner = organizationOf(caller);
  const address = clientAddress(request);
  return {
    /** Throws 429 if it is used up. */
    assert: () => assertStorage(owner, address),
    /** `copies`: the record of an idempotency key is a second copy. */
    count({ headers, body }: HttpResponse, copies: number) {
      if (headers[REPLAYED] !== undefined || typeof body !== "string") return;
      countStored(owner, address, body.length * copies);
    },
  };
}
