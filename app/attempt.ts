import { unstable_rethrow } from "next/navigation";
import type { Complaint } from "@/components/ui/action-form";
import { toApiError } from "@/lib/http/errors";

/** Does a form's work; what a service refuses becomes the form's complaint. */
export async function attempt(work: () => Promise<void>): Promise<Complaint>;
/** The same for work that gives what the form shows then. */
export async function attempt<Done>(work: () => Promise<Done>): Promise<Complaint | Done>;
export async function attempt<Done>(work: () => Promise<Done>): Promise<Complaint | Done> {
  try {
    return (await work()) ?? null;
  } catch (thrown) {
    // A redirect travels as an exception.
    unstable_rethrow(thrown);
    const error = toApiError(thrown);
    if (error.code === "internal_error") console.error(thrown);
    return { message: error.message, param: error.param };
  }
}
