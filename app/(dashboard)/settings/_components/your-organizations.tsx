import { ButtonForm } from "@/components/ui/button-form";
import { PageSection } from "@/components/ui/page-section";

interface Props {
  /** The current organization. */
  hereId: string;
  organizations: { organizationId: string; name: string; role: string }[];
  switchTo(data: FormData): Promise<void>;
}

/** The person's organizations, with buttons that work without scripts. */
export function YourOrganizations({ hereId, organizations, switchTo }: Props) {
  if (organizations.length < 2) return null;
  return (
    <PageSection title="Your organizations" intro={`${organizations.length}`}>
      <ul className="max-w-[46rem]">
        {organizations.map(({ organizationId, name, role }) => (
          <li
            key={organizationId}
            className="flex min-h-12 items-center gap-x-3 border-b border-line px-4 py-1.5 sm:px-6"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              {name}
              <span className="text-muted">, {role}</span>
            </span>
            {organizationId === hereId ? (
              <span className="text-small text-muted">current</span>
            ) : (
              <ButtonForm action={switchTo}>
                <input type="hidden" name="organization" value={organizationId} />
                <button type="submit" aria-label={`Switch to ${name}`} className="button">
                  Switch
                </button>
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
