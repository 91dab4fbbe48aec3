import { switchOrganization } from "@/app/(dashboard)/_frame/actions";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { InputField } from "@/components/ui/field";
import { PageSection } from "@/components/ui/page-section";
import { createOrganization } from "../actions";

interface Props {
  /** The current organization. */
  hereId: string;
  organizations: { organizationId: string; name: string; role: string }[];
}

/** The person's organizations, and a form for another one. */
export function YourOrganizations({ hereId, organizations }: Props) {
  return (
    <PageSection id="organizations" title="Your organizations" intro={`${organizations.length}`}>
      <ul>
        {organizations.map(({ organizationId, name, role }) => (
          <li
            key={organizationId}
            className="flex min-h-12 items-center gap-x-3 border-b border-line px-4 py-1.5 sm:px-6"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              <bdi>{name}</bdi>
              <span className="block text-small text-muted">{role}</span>
            </span>
            {organizationId === hereId ? (
              <span className="text-small text-muted">current</span>
            ) : (
              <ActionForm
                action={switchOrganization}
                isSmall
                fields={{ organization: organizationId }}
              >
                <button type="submit" aria-label={`Switch to ${name}`} className="button">
                  Switch
                </button>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      <ActionForm
        action={createOrganization}
        className="px-4 py-4 sm:px-6"
        formId={crypto.randomUUID()}
      >
        <div className="flex flex-wrap items-end gap-2">
          <InputField
            label="New organization"
            className="min-w-0 flex-1"
            name="name"
            required
            maxLength={100}
            placeholder="Name"
          />
          <Submit className="button">Create organization</Submit>
        </div>
      </ActionForm>
    </PageSection>
  );
}
