"use client";

import { Menu } from "@base-ui/react/menu";
import { type ReactElement, startTransition, useOptimistic } from "react";
import { failedRequest } from "@/components/ui/action-form";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { toast } from "@/components/ui/toast";
import { hasTypedInput } from "@/components/ui/typed-input";
import { LEAVE_QUESTION } from "@/components/ui/unsaved-guard";
import { switchOrganization } from "./actions";

export interface Organizations {
  /** The person's email address, or the key's name. */
  name: string;
  organization: { id: string; name: string };
  /** The person's organizations; empty for a key, which has only its own. */
  memberships: { organizationId: string; name: string }[];
}

/** A menu of the person's organizations, opened when it mounts. */
export function OrganizationMenu(props: Organizations & { trigger: ReactElement }) {
  const { trigger, name, organization, memberships } = props;
  const [chosen, choose] = useOptimistic(organization.id);
  const change = (id: string) => {
    if (hasTypedInput() && !window.confirm(LEAVE_QUESTION)) return;
    startTransition(async () => {
      choose(id);
      const data = new FormData();
      data.set("organization", id);
      const error = await switchOrganization(null, data).catch(failedRequest);
      if (error) toast(error.message);
    });
  };
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50">
          <Menu.Popup className="popup max-h-(--available-height) w-64 overflow-y-auto p-1 outline-none">
            <Menu.RadioGroup value={chosen} onValueChange={change}>
              <Menu.GroupLabel className="px-2 py-1.5 text-small wrap-anywhere text-muted">
                {memberships.length > 0
                  ? name
                  : `Signed in with the API key ${name} of ${organization.name}. The session ends with the key.`}
              </Menu.GroupLabel>
              {memberships.map((membership) => (
                <Menu.RadioItem
                  key={membership.organizationId}
                  value={membership.organizationId}
                  closeOnClick
                  className={ITEM}
                >
                  <span className="min-w-0 flex-1 truncate">{membership.name}</span>
                  <Menu.RadioItemIndicator>
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="my-1 h-px bg-line" />
            {memberships.length > 0 && (
              <Menu.LinkItem
                render={<Link href="/settings?tab=you#organizations" />}
                closeOnClick
                className={ITEM}
              >
                New organization
              </Menu.LinkItem>
            )}
            <Menu.LinkItem render={<Link href="/settings" />} closeOnClick className={ITEM}>
              Settings
            </Menu.LinkItem>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const ITEM =
  "flex w-full cursor-pointer items-center gap-2 rounded px-2 py-1.5 outline-none data-highlighted:bg-surface";
