import { Part } from "@/components/ui/part";

interface Props {
  /** The organization that is looked at. */
  hereId: string;
  organizations: { organizationId: string; name: string; role: string }[];
  switchTo(data: FormData): Promise<void>;
}

/** A person's organizations, with a button each: they can be changed without scripts, too. */
export function YourOrganizations({ hereId, organizations, switchTo }: Props) {
  if (organizations.length < 2) return null;
  return (
    <Part title="Your organizations" intro={`${organizations.length}`}>
      <ul className="max-w-[46rem]">
        {organizations.map(({ organizationId, name, role }) => (
          <li
            key={organizationId}
            className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 sm:px-6"
          >
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{name}</span>
            <span className="text-small text-muted">{role}</span>
            {organizationId === hereId ? (
              <span className="text-small">shown now</span>
            ) : (
              <form action={switchTo}>
                <input type="hidden" name="organization" value={organizationId} />
                <button
                  type="submit"
                  aria-label={`Switch to ${name}`}
                  className="text-small text-muted hover:text-ink hover:underline"
                >
                  Switch
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
