import { requireAccount, requireScope } from "@/app/_shared/session";
import type { Caller } from "@/lib/caller";
import { writeOnce } from "@/lib/forms/once";
import { textField } from "./form-fields";

type Create<Input> = (
  caller: Caller,
  input: Input,
  ...db: Parameters<Parameters<typeof writeOnce>[1]>
) => Promise<{ id: string }>;

/**
 * Creates a resource once per form, however often it is submitted, and returns its ID. Throws 401 if
 * the session has ended, and 403 if it may not write.
 */
export async function createOnce<Input>(
  data: FormData,
  work: string,
  input: Input,
  create: Create<Input>,
): Promise<string> {
  const { account } = await requireAccount();
  const caller = await requireScope("api.write");
  const key = { id: textField(data, "form"), scope: account.sessionId, work };
  return writeOnce(key, async (...db) => (await create(caller, input, ...db)).id);
}
