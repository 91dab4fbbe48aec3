import { requireAccount, requireScope } from "@/app/_shared/session";
import { insertFormOnce } from "@/lib/api/forms/once";
import type { Caller } from "@/lib/platform/caller";
import type { Insertion } from "@/lib/resources/insertion";
import { textField } from "./form-fields";

type Insertable = Insertion<{ id: string }>;

/**
 * Creates a resource once per form, however often it is submitted, and returns its ID. Throws 401 if
 * the session has ended, and 403 if it may not write.
 */
export async function createOnce<Input>(
  data: FormData,
  work: string,
  input: Input,
  creation: (caller: Caller, input: Input) => Insertable | Promise<Insertable>,
): Promise<string> {
  const { account } = await requireAccount();
  const caller = await requireScope("api.write");
  const key = { id: textField(data, "form"), scope: account.sessionId, work };
  return insertFormOnce(key, () => creation(caller, input));
}
