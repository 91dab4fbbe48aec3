import Link from "next/link";
import { Submit } from "./action-form";

/** The end of a form: what it does, and the way back. */
export function FormButtons({ submit, closeHref }: { submit: string; closeHref: string }) {
  return (
    <div className="flex gap-2 sm:col-span-full">
      <Submit>{submit}</Submit>
      <Link href={closeHref} prefetch={false} scroll={false} className="button">
        Cancel
      </Link>
    </div>
  );
}
