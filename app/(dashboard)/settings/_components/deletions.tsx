import { Link } from "@/components/ui/link";

/** Links to the pages that delete the organization, if it is given, and the account. */
export function Deletions({ organization }: { organization: string | null }) {
  return (
    <ul className="max-w-[46rem]">
      {organization !== null && (
        <Deletion
          href="/settings/delete-organization"
          label="Delete organization"
          text={`${organization}, with everything that it owns`}
        />
      )}
      <Deletion
        href="/settings/delete-account"
        label="Delete account"
        text="Your account, and the organizations of which you are the only member"
      />
    </ul>
  );
}

function Deletion({ href, label, text }: { href: string; label: string; text: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{text}</span>
      <Link href={href} className="button button-danger">
        {label}
      </Link>
    </li>
  );
}
